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

# runs PYTHON: what it says of the notebook, beside a copy of the course and without CUDA
runs() {
    needs_trace
    mkdir "$work/here"
    cp -R "$top" "$work/here/course"
    cd "$work/here"
    try env PATH="$(echo "$PATH" | tr : '\n' | grep -v cuda | paste -s -d : -)" "${jupyter:-python3}" "$1" "$top/docs/course/reductions.ipynb"
    ends 0 '^no_striding .*OK' 'memory instructions' 'race 1: shared\[1\]'
}
# Debian's nbclient belongs to /usr/bin/python3, which may not be the first one.
has_nbclient() {
    for jupyter in ${NOTEBOOK_PYTHON:-python3 /usr/bin/python3}; do
        ! "$jupyter" -c 'import nbclient, ipykernel' 2>/dev/null || return 0
    done
    jupyter=
    return 1
}

@test "its cells run on the CPU in Jupyter" {
    has_nbclient || skip 'no nbclient: ./install-deps.sh develop, or pip install nbclient ipykernel and NOTEBOOK_PYTHON=its python3'
    cat >"$work/run.py" <<'END'
import nbclient, nbformat, sys
book = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(book, timeout=900, kernel_name='python3').execute()
for cell in book.cells:
    for output in cell.get('outputs', ()):
        print(output.get('text', ''))
END
    runs "$work/run.py"
}

@test "its cells run on the CPU without Jupyter" {
    ! has_nbclient || skip 'they run in Jupyter'
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
    runs "$work/run.py"
}
