# SPDX-License-Identifier: MIT
"""Commands with a limit of time. They end with all that they have started, also when we are interrupted."""
from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from lib.script import DEVICE_ERROR


def end(child: subprocess.Popen, patience: float = 5) -> None:
    """Ends a command that leads a session. What hangs inside a driver does not end: then we go on without."""
    for sign, seconds in (signal.SIGTERM, patience), (signal.SIGKILL, 2 * patience):
        try:
            os.killpg(child.pid, sign)
            child.wait(seconds)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            pass


def output_of(words: list[str | Path], limit: float, env: dict[str, str] | None = None,
              cwd: Path | None = None) -> tuple[int | None, str, str]:
    """Exit code, output and messages; the code is None if the command took longer than its limit."""
    try:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 errors="replace", env=env, cwd=cwd, start_new_session=True)
    except OSError as error:
        return DEVICE_ERROR, "", f"{words[0]}: {error.strerror}"
    try:
        said, errors = child.communicate(timeout=limit)
        return child.returncode, said, errors
    except subprocess.TimeoutExpired:
        end(child)
        return None, "", ""
    except BaseException:
        end(child)
        raise
