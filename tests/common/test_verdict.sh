#!/bin/sh
# Programs that lose a part of the sum are never OK, with no input and no shape: exit code 1, or 4 where the
# error bound is too wide to tell. Right programs are not called wrong. Works on a copy, GPU=cpu.
unset MAKEFLAGS MAKELEVEL MFLAGS GPU OUT V SAN WERROR VARIANTS
export CFLAGS=-O1 CXXFLAGS=-O1 # quicker
cd "$(dirname "$0")/../.." || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

. tests/lib/copy.sh
copy_tree "$work" reduction_striding && cd "$work" || exit 3

check() { # check TEXT STATUS WANTED...
    text=$1 status=$2
    shift 2
    for wanted; do
        [ "$status" -ne "$wanted" ] || { passed=$((passed + 1)); return; }
    done
    failed=$((failed + 1))
    echo "FAILED: $text: exit code $status instead of $*"
    cat said
}

# mutant NAME FROM TO: reduction_NAME, which reads only the elements for which TO is true instead of FROM
mutant() {
    mkdir "reduction_$1" && cp reduction_striding/Makefile "reduction_$1" &&
        sed "s|$2|$3|" reduction_striding/striding.hip >"reduction_$1/$1.hip"
    ! cmp -s reduction_striding/striding.hip "reduction_$1/$1.hip"
    check "the mutant $1 is one" $? 0
}
rm -f reduction_striding/reduction_striding
mutant half '; i < n; ' '; i < n / 2; '
mutant quarter '; i < n; ' '; i < n - n / 4; '
mutant sixteenth '; i < n; ' '; i < n - n / 16; '
mutant twentieth 'value, input\[i\])' 'value, i % 20 == 7 ? IDENTITY : input[i])'
make -j2 GPU=cpu >said 2>&1
check 'all of them build' $? 0

run() { # run NAME OPTIONS...
    program=reduction_$1/reduction_$1
    shift
    "$program" --ceiling 1 -w 0 -i 1 "$@" >said 2>&1
    status=$?
}

awk 'BEGIN { for (i = 0; i < 100000; i++) print "1e304" }' >huge
awk 'BEGIN { for (i = 0; i < 100000; i++) print i % 17 - 8 }' >small
awk 'BEGIN { for (i = 0; i < 100000; i++) print 0.1 + i % 7 }' >decimals

# shellcheck disable=SC2086  # options are words
while read -r right wrong options; do
    run striding $options
    check "striding $options" $status "$right"
    for name in half quarter sixteenth twentieth; do
        run $name $options
        [ "$wrong" = any ] || check "$name $options" $status "$wrong"
        [ "$wrong" != any ] || check "$name $options" $status 1 4
    done
done <<END
0 1 -t float -p random -g 1 -b 2 -n 4M
0 1 -t float -p random -n 1M
0 1 -t float -p mixed -g 1 -b 1 -n 1000003
0 1 -t double -p random -g 1 -b 1 -n 1M
0 1 -t double -p constant -g 1 -b 1 -n 1M
0 1 -t float -p ones -g 1 -b 1 -n 16M
0 1 -t float -p ones -n 1000
0 1 -t float -p ramp -n 5000
0 1 -t int -p random -n 1000
0 1 -t long -p ramp -n 100003
4 any -t float -p ones -g 1 -b 1 -n 20M
4 any -t float -p constant -g 1 -b 1 -n 4M
4 any -t float -p ramp -g 1 -b 2 -n 4M
0 1 -t double --input decimals -g 1 -b 1
0 1 -t float --input decimals -g 3 -b 7
END

# Values from -8 to 8 sum to nearly 0: a lost part is small, and still an error where nothing rounds.
run striding -t float --input small
check 'striding small' $status 0
run twentieth -t float --input small
check 'twentieth small' $status 1
# Beyond the range of double: infinite is right, and so is a half of it, which is infinite, too.
run striding --input huge
check 'striding huge' $status 0
check 'its reference' "$(grep -c 'value inf, reference inf, error 0,' said)" 1
echo '1.7e308 1.7e308 -1.7e308' >overflows
run striding -g 1 -b 1 --input overflows
check 'an intermediate sum overflows' $status 4
check 'it is named' "$(grep -c '^# an intermediate sum overflowed: ' said)" 1
run striding -t float -p constant -g 1 -b 1 -n 4M -f csv
check 'unproven in CSV' "$(grep -c ',a-priori,.*,UNPROVEN$' said)" 1
run striding -t float -p constant -g 1 -b 1 -n 4M -f json
check 'unproven in JSON' "$(grep -c '"check": "UNPROVEN"' said)" 1
run striding -t float -p constant -g 1 -b 1 -n 4M -q
check 'unproven without anything else' "$(grep -c 'UNPROVEN (1 of 1 ' said)" 1

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
