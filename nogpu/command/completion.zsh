#compdef nogpu
# SPDX-License-Identifier: MIT
# zsh: completes the commands, options and sources of nogpu.
_nogpu() {
    local -a options
    if ((CURRENT == 2)); then
        compadd -- run race memory explain cc env doctor --hipcc --nvcc --version --help
    elif [[ $words[CURRENT] == -* ]]; then
        options=(${(f)"$(nogpu $words[2] --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)"})
        compadd -- $options
    else
        _files
    fi
}
_nogpu "$@"
