#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the mirror, of those that apt is configured for here, that has this release: mirror.py bookworm"""
from __future__ import annotations

import subprocess
import sys
import tempfile


def mirror_of(release: str) -> str | None:
    uris = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Component: main"],
                          stdout=subprocess.PIPE, text=True, check=False).stdout
    with tempfile.NamedTemporaryFile() as file:
        return next((mirror for mirror in sorted(set(uris.split())) if subprocess.run(
            ["/usr/lib/apt/apt-helper", "download-file", f"{mirror.rstrip('/')}/dists/{release}/InRelease", file.name],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0), None)


if __name__ == "__main__":
    found = mirror_of(sys.argv[1])
    print(found) if found else sys.exit(f"no mirror in apt's configuration has {sys.argv[1]}")
