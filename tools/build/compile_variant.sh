#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles a variant and shows each message once.
#
#   compile_variant.sh OBJECT PROBE COMMAND...
#
# COMMAND compiles the variant for every type and operation, so a mistake is reported 12 times or more. If there are
# messages, the instances are compiled one by one, and the messages of the first that has any are shown. (Or COMMAND
# has few of them, and these are shown.)
#
# PROBE, if not empty, is a command that compiles only the vendor's library. If it fails, too, the variant cannot be built
# here: OBJECT is empty, the reason is in OBJECT.log, and the exit code is 0.
object=$1 probe=$2
shift 2

rm -f "$object"
"$@" -o "$object" >"$object.log" 2>&1
status=$?
if [ ! -s "$object.log" ] && [ $status -eq 0 ]; then
    rm "$object.log"
    exit 0
fi

# Without the table at its end nothing in a variant is used, and each function causes a warning.
table=$(grep -o '[^" ]* has no table at its end: [^"]*reduction.h)' "$object.log" | head -n 1)
if [ -n "$table" ]; then
    echo "error: $table" >&2
    rm -f "$object" "$object.log"
    exit 1
fi

if [ $status -ne 0 ] && [ -n "$probe" ] && ! sh -c "$probe -o $object.probe" >"$object.log.probe" 2>&1; then
    mv "$object.log.probe" "$object.log"
    rm -f "$object"
    exit 0
fi

shown=$object.log
types=$(sh tools/build/words.sh TYPES)
instances=double_sum
for op in $(sh tools/build/words.sh OPERATIONS); do
    for type in $types; do instances="$instances ${type}_$op"; done
done
case " $* " in *' -DONLY('*) instances= ;; esac
for instance in $instances; do
    "$@" "$(sh tools/build/only.sh "$instance")" -o "$object.one" >"$object.one.log" 2>&1
    one_status=$?
    if [ -s "$object.one.log" ] && { [ $status -eq 0 ] || [ $one_status -ne 0 ]; }; then
        shown=$object.one.log
        [ "$instance" = double_sum ] || echo "for ${instance#*_} of ${instance%_*} (other instances may fail too):" >&2
        break
    fi
done
sh "$(dirname "$0")/shorten.sh" "$shown" >&2
rm -f "$object.one" "$object.one.log" "$object.log" "$object.log.probe" "$object.probe"
[ $status -eq 0 ] || rm -f "$object"
exit $status
