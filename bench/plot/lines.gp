# SPDX-License-Identifier: MIT
# Lines with their names at their right ends: bandwidth, time and speed-up against the size.
# Needs what style.gp needs, and: figure
load scripts . "/style.gp"
set rmargin 22
set xlabel "elements"
load dir . "/" . figure . ".set"
eval(plot_command)
