# SPDX-License-Identifier: MIT
"""What all tools share: options, error messages, output, finding programs."""
from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any, Iterable, NoReturn

# Exit codes, as those of the programs.
RIGHT, WRONG, BAD_USAGE, DEVICE_ERROR, UNPROVEN, NOT_HERE, INTERRUPTED = 0, 1, 2, 3, 4, 77, 130
TOP = Path(__file__).resolve().parents[2]


def fail(text: str, status: int = BAD_USAGE) -> NoReturn:
    """Exits with one line on standard error."""
    print(f"{Path(sys.argv[0]).stem}: {text}", file=sys.stderr)
    sys.exit(status)


class Options(argparse.ArgumentParser):
    """argparse with one-line errors and the tool's docstring, unchanged, as help."""

    def __init__(self, doc: str | None, **named: Any) -> None:
        super().__init__(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter, **named)

    def _print_message(self, message: str, file: Any = None) -> None:
        say(message, end="")  # --help on a full disk

    def error(self, message: str) -> NoReturn:
        fail(f"{message}; --help shows the options")


def say(text: str = "", end: str = "\n") -> None:
    """Prints; exits with code 3 if that fails, as on a full disk. What the terminal's encoding lacks becomes a ?."""
    try:
        sys.stdout.reconfigure(errors="replace")
        print(text, end=end, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes again when it ends
        if isinstance(error, BrokenPipeError):  # | head
            sys.exit(0)
        fail(f"the output cannot be written: {error.strerror}", DEVICE_ERROR)


def json_text(rows: Iterable[dict[str, Any]]) -> str:
    """A JSON list of objects, one per line."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n" if lines else "[]\n"


def find_program(name: str, *folders: str | Path) -> str | None:
    """The path of a program in PATH or, failing that, in one of the folders."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, folders)])
    return shutil.which(name, path=path)
