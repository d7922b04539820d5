# SPDX-License-Identifier: MIT
"""libreduction for Spack, in a repository of your own: packages/libreduction/package.py. Spack builds a copy of the source, as
`spack install libreduction dev_path=/path/to/it` or `spack dev-build libreduction@0.1.0`; releases are not mirrored."""
from spack.package import *


class Libreduction(MakefilePackage, CudaPackage, ROCmPackage):
    """Reductions of arrays on a GPU, or without one, for C, C++, Fortran and Python."""

    license("MIT")
    version("0.1.0")

    variant("mpi", default=False, description="libreduction_mpi, for arrays over all ranks")
    conflicts("+cuda", when="+rocm")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=90")
    conflicts("amdgpu_target=none", when="+rocm", msg="name the GPUs: amdgpu_target=gfx90a")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("mpi", when="+mpi")

    @property
    def common_targets(self):
        gpu = ["cpu"]
        if self.spec.satisfies("+cuda"):
            gpu = [f"sm_{arch}" for arch in self.spec.variants["cuda_arch"].value]
        elif self.spec.satisfies("+rocm"):
            gpu = list(self.spec.variants["amdgpu_target"].value)
        return ["GPU=" + " ".join(gpu), f"PREFIX={self.prefix}"]

    @property
    def build_targets(self):
        return self.common_targets + ["library-mpi" if self.spec.satisfies("+mpi") else "library"]

    @property
    def install_targets(self):
        return self.common_targets + ["install-mpi" if self.spec.satisfies("+mpi") else "install"]
