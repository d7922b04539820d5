# SPDX-License-Identifier: MIT
# bash: completes the commands, options and sources of nogpu.
_nogpu() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'run race memory explain cc env doctor --hipcc --nvcc --version --help' -- "$word")
    elif [[ $word == -* ]]; then
        options=$(nogpu "$command" --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -o filenames -F _nogpu nogpu
