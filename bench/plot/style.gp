# SPDX-License-Identifier: MIT
# A common style for all figures. Needs: format ("svg" or "png"), output, dir
set encoding utf8
if (format eq "svg") {
    set terminal svg size 1280,800 dynamic font "Helvetica,20" background "#FFFFFF"
} else {
    set terminal pngcairo size 1280,800 font "Helvetica,17" background "#FFFFFF"
}
set output output
unset key
set tics nomirror out
set border 3 lc rgb "#707070"
set grid lc rgb "#E4E4E4" lt 1
set lmargin 11
set tmargin 5
set bmargin 3.5
