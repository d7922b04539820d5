# One figure of tools/plot/scaling.sh. Needs: scripts, data, blocks, figure, format, output, heading
load scripts."/style.gp"
set key top left Left reverse samplen 2
set logscale x 2
set format x "2^{%L}"
set xlabel "elements in all"
set datafile missing "-"
set style data linespoints
set pointsize 0.8
rank(b) = system(sprintf("awk 'NF == 8 && $1 != last { n++; last = $1; if (n == %d) print $1 }' %s", b + 1, data))
if (figure eq "time") {
    set title "Time from a barrier to the value: ".heading noenhanced
    set logscale y
    set ylabel "us"
    plot for [b=0:blocks-1] data index b using 2:3 lw 2 title rank(b)." ranks", \
         data index blocks-1 using 2:7 lw 2 dt 2 title "one GPU", \
         data index blocks-1 using 2:8 lw 2 dt 3 title rank(blocks-1)." ranks, vendor's library"
}
if (figure eq "efficiency") {
    set title "Efficiency: ".heading noenhanced
    set ylabel "efficiency"
    set yrange [0:1.1]
    set key bottom right
    plot for [b=0:blocks-1] data index b using 2:5 lw 2 title "strong, ".rank(b)." ranks", \
         for [b=0:blocks-1] data index b using 2:6 lw 2 dt 2 title "weak, ".rank(b)." ranks"
}
if (figure eq "combination") {
    set title "The combination alone, and the whole: ".heading noenhanced
    set logscale y
    set ylabel "us"
    plot for [b=0:blocks-1] data index b using 2:4 lw 2 title "combination, ".rank(b)." ranks", \
         for [b=0:blocks-1] data index b using 2:3 lw 2 dt 2 title "all, ".rank(b)." ranks"
}
