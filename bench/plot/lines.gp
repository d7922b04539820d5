# SPDX-License-Identifier: MIT
# Lines with their names at the right ends: bandwidth, time and speed-up against the size.
# Needs the variables of style.gp, and: figure
load scripts . "/style.gp"
set rmargin 22
set xlabel "elements"
load dir . "/" . figure . ".set"
eval(plot_command)
