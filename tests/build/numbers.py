#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks measured numbers in prose.

usage: numbers.py DOCUMENT...       at the top of the tree

In a paragraph or item of a list with a comment

    <!-- numbers from results/h200/ladder/ladder-double-sum.txt: 2.6 = 1393.7 / 538.1, 86 = 86.2, 3.4 predicted -->

every number with a decimal point must be in one of the files that the comment names, digit by digit; or be the rounded value
of an expression (+ - * /) of such numbers and whole numbers; or be followed by words that say where it comes from. Whole
numbers are checked if the comment has them. Numbers in code and links do not matter. Prints each number that is wrong, and
how many are right; exit code 1 if any is wrong, or if a comment is not read.
"""
import ast
import operator
import re
import sys
from pathlib import Path

COMMENT = re.compile(r'<!-- numbers from ([^:]*?)(?::(.*?))?\s*-->', re.DOTALL)
NUMBER = r'(?<![\w.])\d+(?:\.\d+)?(?!\w|\.\d)'
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def value(node, known):
    """The value of an expression; raises ValueError for a number that is not known."""
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value(node.left, known), value(node.right, known))
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        if isinstance(node.value, float) and node.value not in known:
            raise ValueError(f'no file has {node.value}')
        return node.value
    raise ValueError('only numbers and + - * / are allowed')


def complaint(number, entry, texts, known):
    """Why the number is wrong; '' if it is right."""
    if entry is None:
        return '' if number in texts else 'no file has it: add "= EXPRESSION" or its source to the comment'
    sign, _, rest = entry.partition(' ')
    if sign != '=':
        return ''  # marked by words
    try:
        result = value(ast.parse(rest.strip(), mode='eval').body, known)
    except (SyntaxError, ValueError, ZeroDivisionError) as error:
        return f'{rest.strip()}: {error}'
    digits = len(number.partition('.')[2])
    return '' if abs(result - float(number)) <= 0.5001 * 10 ** -digits else f'{rest.strip()} is {result:.{digits + 1}f}'


def check(document):
    """Yields complaints, or '' for each right number."""
    # A comment is one line here: its lines may begin like items of a list.
    text = re.sub('<!--.*?-->', lambda comment: ' '.join(comment[0].split()), document.read_text(), flags=re.DOTALL)
    read = 0
    for paragraph in re.split(r'\n[ \t]*\n|\n(?=[ \t]*(?:[-*]|\d+\.) )', text):
        for files, list_ in COMMENT.findall(re.sub('`[^`]*`', '', paragraph)):
            read += 1
            paths = [Path(name) for name in files.split()]
            missing = [str(path) for path in paths if not path.is_file()]
            if missing or not paths:
                yield f'{document}: no such file: {" ".join(missing)}'
                continue
            texts = {text for path in paths for text in re.findall(NUMBER, path.read_text())}
            known = {float(text) for text in texts}
            entries = {}
            for entry in filter(None, map(str.strip, (list_ or '').split(','))):
                name, _, rest = ' '.join(entry.split()).partition(' ')
                entries[name] = rest
            prose = re.sub(r'<!--.*?-->|`[^`]*`|\]\([^)]*\)', '', paragraph, flags=re.DOTALL)
            found = re.findall(NUMBER, prose)
            for number in found:
                if '.' not in number and number not in entries:
                    continue
                wrong = complaint(number, entries.get(number), texts, known)
                yield wrong and f'{document}: {number}: {wrong}'
            for name in entries.keys() - set(found):
                yield f'{document}: {name} is in the comment, but not in the text'
    begun = len(re.findall(r'<!--\s*numbers\b', re.sub('`[^`\n]*`', '', text)))
    if read != begun:
        yield f'{document}: {begun} comments begin with <!-- numbers, and {read} of them can be read'


def main():
    complaints = [line for name in sys.argv[1:] for line in check(Path(name))]
    wrong = [line for line in complaints if line]
    print('\n'.join([*wrong, f'{len(complaints) - len(wrong)} numbers are right, {len(wrong)} wrong']))
    sys.exit(bool(wrong))


main()
