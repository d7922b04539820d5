# SPDX-License-Identifier: MIT
"""What rocm-smi and amd-smi say of one AMD GPU, which is found by its PCI address.

The parts into which a card is divided (CPX) share its memory, and have its address, with their number as function or
without: what counts is the card, and its busiest part."""
from __future__ import annotations

import json
import re
import shutil

from lib.process import output_of


def json_of(*command: str) -> object:
    """The JSON in a command's output, the longest: warnings, with a [0] in them, may precede and follow. None without.
    A tool that hangs is a TimeoutError: it would do so again."""
    status, said, _ = output_of(list(command), 30)
    if status is None:
        raise TimeoutError(f"{command[0]} does not answer")
    length, value, start = 0, None, 0
    while found := re.compile(r"[\[{]").search(said, start):
        start = found.start() + 1
        try:
            read, end = json.JSONDecoder().raw_decode(said, found.start())
        except ValueError:
            continue
        if end - found.start() > length:
            length, value = end - found.start(), read
        start = end
    return value


def flat(value: object, name: str = "") -> dict[str, str]:
    """The leaves of JSON by their last two names; {"value": 300, "unit": "W"} is one leaf."""
    if isinstance(value, dict) and "value" in value:
        return {name: f"{value['value']} {value.get('unit', '')}".strip()}
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else ((str(i), item) for i, item in enumerate(value))
        return {key: leaf for word, item in items for key, leaf in
                flat(item, f"{name.split(' ')[-1]} {word}".strip()).items()}
    return {name: str(value)}


def card_of(address: str) -> str:
    """0000:c1:00.3 without its function."""
    return address.lower().partition(".")[0]


def rocm_smi(card: str) -> list[dict[str, str]]:
    """One dictionary for each part of the card. Each option is asked for separately: an older rocm-smi lacks some."""
    parts: dict[str, dict[str, str]] = {}
    for option in ("--showbus", "--showuse", "--showcomputepartition", "--showmemorypartition", "--showmaxpower", "--showclocks"):
        said = json_of("rocm-smi", option, "--json")
        for part, values in said.items() if isinstance(said, dict) else ():
            parts.setdefault(part, {}).update(flat(values))
    return [values for values in parts.values() if card_of(values.get("PCI Bus", "")) == card]


def amd_smi(card: str) -> list[dict[str, str]]:
    def inside(said: object) -> list:
        said = said.get("gpu_data", []) if isinstance(said, dict) else said  # from ROCm 7 on in gpu_data
        return [one for one in said if isinstance(one, dict)] if isinstance(said, list) else []

    parts = []
    for gpu in inside(json_of("amd-smi", "list", "--json")):
        if card_of(str(gpu.get("bdf", ""))) == card and "gpu" in gpu:
            values: dict[str, str] = {}
            for words in (["metric", "--usage", "--clock"], ["static", "--partition", "--limit"]):
                said = json_of("amd-smi", words[0], "-g", str(gpu["gpu"]), *words[1:], "--json")
                values.update(flat(inside(said)[0] if inside(said) else said))
            parts.append(values)
    return parts


def state_of(device: dict[str, str]) -> list[str]:
    """Lines of the summary: idle or not, partition, power cap and clocks, each with its source."""
    card, silent = card_of(device["address"]), ""
    for tool, ask in (("rocm-smi", rocm_smi), ("amd-smi", amd_smi)):
        try:
            parts = ask(card) if re.fullmatch("[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}", card) and shutil.which(tool) else []
        except TimeoutError as error:
            parts, silent = [], f"{silent}; {error}"
        if not parts:
            continue
        uses = [int(found[0]) for values in parts for name, value in values.items()
                if re.search("GPU use|gfx_activity", name) and (found := re.match(r"\d+", value))]
        many = f", the busiest of {len(parts)} parts of the card" if len(parts) > 1 else ""
        if not uses:
            lines = [f"whether it was idle is unknown: {tool} does not say"]
        elif max(uses) > 5:
            lines = [f"**not idle**: {max(uses)} % in use{many} before the first measurement by {tool}; times below are worth less"]
        else:
            lines = [f"idle before the first measurement by {tool} ({max(uses)} % in use{many})"]
        for what, pattern in (("partition", "artition"), ("power cap", "ower"), ("clocks", "sclk|mclk|gfx_0 clk|mem_0 clk")):
            found = dict.fromkeys(f"{name} {value}" for values in parts for name, value in values.items() if re.search(pattern, name))
            lines.append(f"{what}: {'; '.join(found) or f'{tool} does not say'}")
        return lines
    return ["whether it was idle, its partition, power cap and clocks are unknown: neither rocm-smi nor amd-smi says so of "
            + (f"the device at {device['address']}" if device["address"] else "this device") + silent]
