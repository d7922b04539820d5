#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# The notebook is what notebook.py makes of the lessons, and its cells run one after another on the CPU.
load ../lib/check

@test "the notebook is that of today's lessons" {
    python3 tools/course/notebook.py >"$work/made"
    try diff docs/course/reductions.ipynb "$work/made"
    check 'make it again: python3 tools/course/notebook.py >docs/course/reductions.ipynb' exits 0
}

# Beside a copy of the course, and without CUDA.
@test "its cells run on the CPU" {
    needs_trace
    cat >"$work/run.py" <<'END'
import json, os, re, subprocess, sys
book = json.load(open(sys.argv[1]))
for cell in book['cells']:
    text = ''.join(cell['source'])
    if cell['cell_type'] != 'code':
        continue
    if text.startswith('%%bash'):
        ran = subprocess.run(['bash', '-e', '-c', text.partition('\n')[2]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(ran.stdout)
        if ran.returncode:
            sys.exit(f'exit code {ran.returncode}: {text}')
    else:
        exec(text)
END
    mkdir "$work/here" && cp -R "$top" "$work/here/course" && cd "$work/here"
    try env PATH="$(echo "$PATH" | tr : '\n' | grep -v cuda | paste -s -d : -)" python3 "$work/run.py" "$top/docs/course/reductions.ipynb"
    ends 0 '^no_striding .*OK' 'memory instructions' 'race 1: shared\[1\]'
}
