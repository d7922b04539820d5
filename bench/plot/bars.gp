# SPDX-License-Identifier: MIT
# One bar for each variant at one size. Needs the variables of style.gp.
load scripts . "/style.gp"
set lmargin 23
set rmargin 4
set xlabel "bandwidth in GB/s"
set grid noytics
set ytics noenhanced
set style fill solid 1.0 noborder
load dir . "/bars.set"
plot dir . "/bars.dat" using (0):1:(0):2:($1 - 0.36):($1 + 0.36):3:ytic(4) with boxxyerror lc rgb variable, \
     dir . "/bars.dat" using 2:1:6:7 with xerrorbars lc rgb "#000000" lw 1 pt -1, \
     dir . "/bars.dat" using (bar_text_x):1:5 with labels right noenhanced
