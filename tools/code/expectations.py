# SPDX-License-Identifier: MIT
"""Compares the counts of machine_code.py with the expectations in codegen.txt."""
from __future__ import annotations

import re
from pathlib import Path

from lib.script import fail
from machine_code import COLUMNS, Row

Condition = tuple  # column, relation, limit


class Expectation:
    """A line "variant; target; type_op; kernel; conditions" of codegen.txt."""

    def __init__(self, line: str, where: str) -> None:
        fields = [field.strip() for field in line.split(";")]
        if len(fields) != 5:
            fail(f"{where}: five fields are needed")
        self.variant, self.target, self.instance, self.kernel, self.text = fields
        self.conditions: list[Condition] = []
        text, _, compiler = self.text.partition(" if llvm>=")
        self.llvm = int(compiler or 0)
        for condition in text.split():
            parts = re.fullmatch(r"(\w+)([<>=]+)(\d+)", condition)
            if not parts or parts[1] not in COLUMNS:
                fail(f"{where}: {condition} is not a condition")
            self.conditions.append(parts.groups())

    def fits(self, row: Row) -> bool:
        return all(re.fullmatch(pattern, value) for pattern, value in (
            (self.variant, row["variant"]), (self.target, row["target"]),
            (self.instance, f"{row['type']}_{row['op']}"), (self.kernel, row["kernel"])))


def met(value: int | None, relation: str, limit: int) -> bool:
    if value is None:
        return False
    return value == limit if relation == "=" else value >= limit if relation == ">=" else value <= limit


def check(path: Path, rows: list[Row], variant: str, targets: list[str], llvm: int) -> tuple[list[str], int]:
    """Returns a line for each kernel that does not meet an expectation and for each expectation that matches no kernel,
    and how many conditions were compared. llvm: the compiler's version."""
    expectations = [Expectation(line, f"{path}:{number}") for number, line in enumerate(path.read_text().splitlines(), 1)
                    if line.strip() and not line.lstrip().startswith("#")]
    expectations = [expectation for expectation in expectations if expectation.llvm <= llvm]
    complaints, compared = [], 0
    for row in rows:
        for expectation in filter(lambda e: e.fits(row), expectations):
            for column, relation, limit in expectation.conditions:
                compared += 1
                if not met(row[column], relation, int(limit)):
                    value = "-" if row[column] is None else row[column]
                    complaints.append(f"{variant} {row['target']}, {row['type']} {row['op']} {row['kernel']}: {column} is "
                                      f"{value}, expected {relation}{limit}")
    for expectation in expectations:
        meant = expectation.variant != ".*" and re.fullmatch(expectation.variant, variant) and any(
            re.fullmatch(expectation.target, target) for target in targets)
        if meant and not any(expectation.fits(row) for row in rows):
            complaints.append(f"{variant} ({' '.join(targets)}): no kernel fits the expectation {expectation.text}")
    return complaints, compared
