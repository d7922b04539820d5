#!/bin/sh
# Compiles a variant and shows each message once.
#
#   compile_variant.sh OBJECT PROBE COMMAND...
#
# COMMAND compiles the variant for every type and operation, so a mistake in it is reported 12 times.
# When there is anything to report, the first instance alone is compiled again and its messages are shown.
# When the mistake is not in there, all messages are shown.
#
# PROBE, if not empty, is a command that compiles the vendor's library and nothing of ours. Where it fails
# too, the variant cannot be built here: there is no OBJECT, the reason is in OBJECT.log, and all is well.
object=$1 probe=$2
shift 2

rm -f "$object"
"$@" -o "$object" >"$object.log" 2>&1
status=$?
if [ ! -s "$object.log" ] && [ $status -eq 0 ]; then
    rm "$object.log"
    exit 0
fi

if [ $status -ne 0 ] && [ -n "$probe" ] && ! sh -c "$probe -o $object.probe" >"$object.log.probe" 2>&1; then
    mv "$object.log.probe" "$object.log"
    rm -f "$object"
    exit 0
fi

"$@" -DFIRST_INSTANCE_ONLY -o "$object.first" >"$object.first.log" 2>&1
first_status=$?
if [ -s "$object.first.log" ] && { [ $status -eq 0 ] || [ $first_status -ne 0 ]; }; then
    cat "$object.first.log" >&2
else
    cat "$object.log" >&2
fi
rm -f "$object.first" "$object.first.log" "$object.log" "$object.log.probe" "$object.probe"
[ $status -eq 0 ] || rm -f "$object"
exit $status
