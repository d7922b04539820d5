#!/bin/sh
# The predictions: the method agrees with the measurements on the H200, the script reports it if it does not, and
# the numbers in results/amd are the script's.
cd "$(dirname "$0")/../.." || exit 3
. tests/lib/check.sh
ladder=results/h200/ladder-double-sum.txt
compare() { awk -f tools/predict/predict.awk -v ladder=$ladder "$1" $ladder >"$work/said"; }

compare tools/predict/predict.txt
verdict $? "a prediction for the H200 is off by more than 10 %: $(sed -n 3,13p "$work/said")"
sed 's/^\(machine; H200; 132; 2048; \)4625/\13900/' tools/predict/predict.txt >"$work/slower"
! compare "$work/slower"
verdict $? 'with a memory 16 % slower the predictions should miss'
grep -v '^machine; H200' tools/predict/predict.txt >"$work/without"
! compare "$work/without"
verdict $? 'without the H200 nothing is compared, and that is no success'
awk -f tools/predict/predict.awk tools/predict/predict.txt | cmp -s - results/amd/predicted.txt
verdict $? 'results/amd/predicted.txt is not what the script says: awk -f tools/predict/predict.awk tools/predict/predict.txt'
grep -v '^#' tools/predict/predict.txt | awk -F' *; *' 'NF && $NF !~ /[a-z]/ { exit 1 }'
verdict $? 'an input without a source'

finish
