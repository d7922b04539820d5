# SPDX-License-Identifier: MIT
"""nogpu for Spack, in a repository of your own: packages/nogpu/package.py, then spack dev-build nogpu@0.9.0 in nogpu/. Untried."""
from spack.package import *


class Nogpu(MakefilePackage):
    """HIP and CUDA programs on a CPU: runs them, and finds races and wrong accesses to memory."""

    license("MIT")
    version("0.9.0")

    depends_on("c", type=("build", "run"))
    depends_on("cxx", type=("build", "run"))
    depends_on("gmake", type=("build", "run"))
    depends_on("pkgconfig", type="build")
    depends_on("elfutils")
    depends_on("util-linux", type="run")

    @property
    def install_targets(self):
        return ["install", f"PREFIX={self.prefix}"]
