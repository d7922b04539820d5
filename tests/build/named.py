#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A lesson explains what its file is the first to use.

usage: named.py VARIANT...      at the top of the tree, in the order of the steps

Every function and macro of common/*.h that a variant's source uses is named in docs/course/harness.md, in the variant's
lesson or in that of a step before it, and each of its options in its own lesson. Prints what is not, and how many are;
exit code 1 if one is missing."""
import re
import sys
from pathlib import Path

COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)


def declared():
    """Functions and macros with arguments of common/*.h; what begins with a space is inside of a function."""
    names = set()
    for header in Path('common').glob('*.h'):
        text = COMMENT.sub('', header.read_text())
        names |= set(re.findall(r'^#define (\w+)(?=\()', text, re.MULTILINE))
        names |= set(re.findall(r'^(?!#|typedef|return)[a-z][\w \n*]*?\b(\w+)\(', text, re.MULTILINE))
    return names - {'defined', 'sizeof'}


def main():
    names, wrong, right, told = declared(), 0, 0, Path('docs/course/harness.md').read_text()
    for variant in sys.argv[1:]:
        folder = Path(variant)
        source = folder / (variant.removeprefix('reduction_') + '.hip')
        lesson = ''.join(path.read_text() for path in sorted(folder.glob('*.md')))
        for option in re.findall(r'^    {"([a-z-]+)", ', source.read_text(), re.MULTILINE):
            right += (named := f'--{option}' in lesson)
            wrong += not named
            if not named:
                print(f'{variant}: its lesson does not say what --{option} does')
        told += lesson
        for name in sorted(set(re.findall(r'\b(\w+)\(', COMMENT.sub('', source.read_text()))) & names):
            if re.search(rf'\b{name}\b', told):
                right += 1
                continue
            wrong += 1
            told += f' {name} '  # once
            print(f'{variant}: no document up to here says what {name}() does')
    print(f'{right} named, {wrong} not, of {len(names)} functions and the options')
    return 1 if wrong or right < 50 else 0


sys.exit(main())
