# SPDX-License-Identifier: MIT
# One figure of plot_scaling.py. Needs: scripts, data, titles, blocks, figure, format, output, heading
load scripts."/style.gp"
set key top left Left reverse samplen 2
set logscale x 2
set format x "2^{%L}"
set xlabel "elements in all"
set lmargin 11
set bmargin 5
set datafile missing "-"
set style data linespoints
set pointsize 0.8
name(b) = system(sprintf("sed -n %dp %s", b + 1, titles))
if (figure eq "time") {
    set title "Time from a barrier to the value: ".heading noenhanced
    set logscale y
    set ylabel "us"
    plot for [b=0:blocks-1] data index b using 1:2 lw 2 title name(b), \
         data index 0 using 1:6 lw 2 dt 2 title "one GPU", \
         data index 0 using 1:7 lw 2 dt 3 title system(sprintf("sed -n '1s/,.*//p' %s", titles)).": vendor's libraries"
}
if (figure eq "efficiency") {
    set title "Efficiency: ".heading noenhanced
    set ylabel "efficiency"
    set yrange [0:1.2]
    set key bottom right
    plot for [b=0:blocks-1] data index b using 1:4 lw 2 title "strong: ".name(b), \
         for [b=0:blocks-1] data index b using 1:5 lw 2 dt 2 title "weak: ".name(b)
}
if (figure eq "combination") {
    set title "The combination alone, and the whole: ".heading noenhanced
    set logscale y
    set yrange [0.1:*]
    set ylabel "us"
    plot for [b=0:blocks-1] data index b using 1:3 lw 2 title "combination: ".name(b), \
         for [b=0:blocks-1] data index b using 1:2 lw 2 dt 2 title "all: ".name(b)
}
