#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the programs and libreduction with every ROCm in Debian, for all targets that each supports, without warnings;
compares the machine code with tools/code/codegen.txt; starts the programs, which must say that there is no GPU (exit
code 77). `sudo make rocm-matrix` runs it.

    CHROOTS=DIR  where the releases are installed and kept, about 2 GB each (/var/tmp/reduction-rocm)
    MIRROR=URL   of Debian (the one that apt uses here)

One line "release target program word seconds" for each in $CHROOTS/matrix.txt (processor time to compile), where earlier
runs leave theirs, and a table of all of them at the end: what takes too long at once can be done in parts.
Exit code 1 if anything is wrong in this run, 77 without root or debootstrap, or if a release cannot be installed."""
from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.mirror import mirror_of
from lib.script import DEVICE_ERROR, NOT_HERE, TOP, Options, fail, say

PACKAGES = {
    "bookworm": "hipcc libamdhip64-dev rocm-device-libs librocprim-dev",
    "trixie": "hipcc libamdhip64-dev librocprim-dev librccl-dev",
    "sid": "hipcc libamdhip64-dev librocprim-dev rocm-device-libs-21",
    "experimental": "-t experimental hipcc libamdhip64-dev librocprim-dev librccl-dev",
}
ADDED_TO = {"experimental": "sid"}  # the packages of this one are beside those of another, which is installed first
TARGETS = " ".join(re.findall("^gfx\\S+", (TOP / "platform/amd/targets.txt").read_text(), re.MULTILINE))
INSIDE = 'mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" || exit 3; ' \
         'exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C HIP_PLATFORM=amd sh -c "$2"'


def own_folder(path: Path) -> Path:
    """Exits unless root owns the folder: its owner could make root run any program put there."""
    try:
        path.mkdir(mode=0o755, parents=True, exist_ok=True)
        found = os.lstat(path)
    except OSError as error:
        fail(f"CHROOTS={path}: {error.strerror}", DEVICE_ERROR)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != 0 or found.st_mode & 0o022:
        fail(f"CHROOTS={path} must be a folder that root owns, not a link, and that others cannot write to: remove it, or name "
             "another with CHROOTS=", DEVICE_ERROR)
    return path.resolve()


def not_a_source(folder: str, names: list[str]) -> list[str]:
    """Build output, and files that no build needs."""
    left_out = {".git", "__pycache__"} | ({"build", "docs", "results"} if Path(folder) == TOP else set())
    return [name for name in names if name in left_out or name.endswith(".so")
            or (name.startswith("reduction_") and name == Path(folder).name)]


def apt_mirror(name: str) -> str:
    return mirror_of(name) or fail(f"no mirror in apt's configuration has {name}", NOT_HERE)


class Release:
    """One Debian release in its own folder."""

    def __init__(self, name: str, chroots: Path) -> None:
        self.name, self.folder, self.log = name, chroots / name, chroots / f"{name}.log"

    def inside(self, command: str, output: Path, add: bool = False) -> bool:
        """Runs a shell command in the release with /dev and /proc, where hipcc finds itself; unmounts them at the end."""
        with open(output, "a" if add else "w", encoding="utf-8") as out:
            return subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", INSIDE, "sh", self.folder,
                                   command], stdout=out, stderr=subprocess.STDOUT).returncode == 0

    def install(self, mirror: str) -> None:
        if (self.folder / "installed").exists():
            return
        say(f"installing {self.name} in {self.folder} ...")
        with open(self.log, "w", encoding="utf-8") as out:
            done = subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates",
                                   ADDED_TO.get(self.name, self.name), self.folder, mirror],
                                  stdout=out, stderr=subprocess.STDOUT).returncode == 0
        if done:
            if self.name in ADDED_TO:
                (self.folder / "etc/apt/sources.list.d/added.list").write_text(f"deb {mirror} {self.name} main\n")
            (self.folder / "etc/apt/apt.conf.d/90valid").write_text('Acquire::Check-Valid-Until "false";\n')
            done = self.inside("apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "
                               f"gcc make python3 {PACKAGES[self.name]}", self.log, add=True)
        if not done:
            lines = self.log.read_text(errors="replace").splitlines()
            fail(f"{self.name} could not be installed: {lines[-1] if lines else ''} ({self.log})", NOT_HERE)
        (self.folder / "installed").touch()

    def copy_sources(self) -> None:
        """Copies the sources with their times, so that unchanged ones are not compiled again."""
        source = self.folder / "src"
        shutil.rmtree(source, ignore_errors=True)
        shutil.copytree(TOP, source, ignore=not_a_source)

    def build(self, wanted: list[str], targets: str, quick: bool) -> bool:
        """Runs rocm_build.py inside; its rows and complaints go to out/."""
        if not (self.folder / "usr/bin/python3").exists() and not self.inside(
                "apt-get update && apt-get install -y --no-install-recommends python3", self.log, add=True):
            fail(f"{self.name} has no Python: see {self.log}", NOT_HERE)
        return self.inside(f"cd /src && python3 tools/rocm/rocm_build.py {'--quick ' if quick else ''}--targets '{targets}' "
                           f"{' '.join(wanted)}", self.folder / "said")

    def read(self, name: str) -> str:
        path = self.folder / "out" / name
        return path.read_text(errors="replace") if path.exists() else ""


def table(lines: list[str], releases: list[str], targets: list[str]) -> str:
    """For each target and release, how many programs are right, and which are not."""
    cells: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for line in lines:
        release, target, program, word, seconds = line.split()
        cells.setdefault((release, target), []).append((program, word, int(seconds)))
    text = f"| target | {' | '.join(releases)} |\n|---|" + "---|" * len(releases)
    for target in targets:
        text += f"\n| {target} |"
        for release in releases:
            found = cells.get((release, target), [])
            words = [word for _, word, _ in found]
            if not words:
                cell = "not tried"
            elif "unknown" in words:
                cell = "unknown to it"
            elif "no-device-library" in words:
                cell = "no device library"
            else:
                apart = "".join(f", {program}:{word}" for program, word, _ in found if word in ("library", "FAIL", "CODE"))
                cell = f"{words.count('ok')} of {len(words)}, {sum(took for _, _, took in found)} s{apart}"
            text += f" {cell} |"
    return text + "\n\n(library: rocPRIM does not compile for this target, the build says so and skips the program)"


def main() -> None:
    options = Options(__doc__)
    options.add_argument("--releases", default=" ".join(PACKAGES), help="(%(default)s)")
    options.add_argument("--variants", default="", help="only these programs: shfl,prim")
    options.add_argument("--targets", default=TARGETS, help="(%(default)s)")
    options.add_argument("--quick", action="store_true", help="without the other host compilers and the compressed binary")
    given = options.parse_args()
    releases = given.releases.split()
    for name in releases:
        if name not in PACKAGES:
            fail(f"RELEASES: '{name}' is none of {', '.join(PACKAGES)}")
    if os.getuid() != 0:
        fail("this installs Debian releases in folders of their own, and needs root for that: sudo make rocm-matrix", NOT_HERE)
    if not shutil.which("debootstrap"):
        fail("debootstrap not found: apt-get install debootstrap", NOT_HERE)
    chroots = own_folder(Path(os.environ.get("CHROOTS") or "/var/tmp/reduction-rocm"))
    have = sorted(path.parent.name[len("reduction_"):] for path in TOP.glob("reduction_*/*.hip")
                  if path.parent.name == f"reduction_{path.stem}") + ["libreduction"]
    wanted = [name.replace("reduction_", "") for name in given.variants.replace(",", " ").split()] or have
    for name in wanted:
        if name not in have:
            fail(f"no program {name}: {' '.join(have)}")
    if not re.fullmatch("[a-z0-9 -]+", given.targets):
        fail(f"TARGETS={given.targets}: names of targets with blanks between them")

    matrix = chroots / "matrix.txt"
    failed = False
    for name in releases:
        release = Release(name, chroots)
        release.install(os.environ.get("MIRROR") or apt_mirror(name))
        release.copy_sources()
        failed |= not release.build(wanted, given.targets, given.quick)
        complaints = release.read("complaints")
        failed |= bool(complaints)
        shown = (release.folder / "said").read_text(errors="replace") + complaints
        say(f"{name}: {release.read('version')}")
        say("".join(f"    {line}\n" for line in shown.splitlines()), end="")
        # New rows replace old ones of the same program and target.
        now = [f"{name} {row}" for row in release.read("rows").splitlines()]
        failed |= not now or any(row.split()[3] in ("FAIL", "CODE") for row in now)
        done = {tuple(row.split()[:3]) for row in now}
        before = matrix.read_text().splitlines() if matrix.exists() else []
        matrix.write_text("".join(f"{row}\n" for row in now + [row for row in before if tuple(row.split()[:3]) not in done]))
    say(table(matrix.read_text().splitlines(), releases, given.targets.split()))
    sys.exit(failed)


if __name__ == "__main__":
    main()
