#!/bin/sh
# make explain PAGE=: the page in a browser without a screen. A script at the end of a copy of the page presses keys, and
# writes down what is shown.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # those of make check
cd "$(dirname "$0")/../.." || exit 3
browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done
[ -n "$browser" ] || { echo 'there is no chromium: ./install-deps.sh develop'; exit 77; }
. tests/lib/check.sh
shown=$work/shown
out=${REDUCTION_BIN:-.}

explain() {
    make explain OUT="$out" WARP=32 "$@" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
}
refused() { # refused WORDS ARGUMENT...
    words=$1
    shift
    ! make explain OUT="$out" V=bank_conflicts "$@" >"$work/out" 2>&1 && grep -q "$words" "$work/out"
}
# browse PAGE SCRIPT OPTION...: what the script writes with log() goes to $work/log, the console to $work/console.
browse() {
    {
        cat "$1"
        cat <<'END'
<pre id="log"></pre><script>
function log(name, value) { document.getElementById('log').textContent += name + '=' + value + '\n'; }
function key(name) {
    var event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true });
    (document.activeElement || document.body).dispatchEvent(event);
}
function shown(id) { return document.getElementById(id).textContent; }
function pressed() { return document.querySelector('#accesses [aria-pressed=true]').textContent; }
function drawn() {
    return [].map.call(document.querySelectorAll('#drawing [data-bank]'), function (r) {
        return r.dataset.lane + ':' + r.dataset.bank + ':' + r.dataset.pass;
    }).sort(function (a, b) { return parseInt(a) - parseInt(b); }).join(' ');
}
END
        cat "$2"
        echo "console.info('the script has ended'); </script>"
    } >"$work/copy.html"
    shift 2
    [ "$(id -u)" -ne 0 ] || set -- --no-sandbox "$@"
    timeout 60 "$browser" --headless --disable-gpu --user-data-dir="$work/profile" --window-size=1920,1080 \
        --enable-logging=stderr --dump-dom "$@" "file://$work/copy.html" >"$work/dom" 2>"$work/err"
    sed -n '/<pre id="log">/,/<\/pre>/{s/.*<pre id="log">//;/<\/pre>/d;p;}' "$work/dom" |
        sed -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g' >"$work/log"
    grep CONSOLE "$work/err" >"$work/console"
}
is() { # is NAME VALUE
    found=$(sed -n "s/^$1=//p" "$work/log")
    echo "$1 is '$found', not '$2'" >"$shown"
    [ "$found" = "$2" ]
}
quiet() {
    if [ "$(wc -l <"$work/console")" -ne 1 ] || ! grep -q 'the script has ended' "$work/console"; then
        cp "$work/console" "$shown"
        return 1
    fi
}

# ---- two variants: keys, pictures
explain FROM=interleaved TO=bank_conflicts TYPE=float SIZE=16K PAGE="$work/page.html"
number=$(grep -n 'shared\[i\] = combine' reduction_bank_conflicts/bank_conflicts.hip | cut -d: -f1)
grep -E '(https?:)?//[a-z]|src=|@import|url\(' "$work/page.html" | grep -v 'www.w3.org/2000/svg' >"$work/far"
check 'nothing comes from a network' test ! -s "$work/far"
check 'without a script: the numbers of the line' \
    grep -q "data-line=\"$number\".*shared\[i + stride\].*9024, <em>6720</em>" "$work/page.html"
check 'without a script: both side by side' grep -q 'lanes at work 23.7 instead of 8.0' "$work/page.html"
cat >"$work/keys.js" <<'END'
log('begin', shown('where'));
key('3');
log('run', document.querySelector('[aria-current=true]').textContent);
log('line', shown('where'));
key('ArrowRight');
key('ArrowRight');
log('step', shown('where'));
for (var i = 0; i < 3 && pressed() !== 'load shared[0]'; i++) key('a');
log('access', pressed());
log('cost', shown('cost'));
log('banks', drawn());
key('ArrowLeft');
log('back', drawn());
key('End');
log('last', shown('where') + ', ' + shown('cost'));
key('ArrowRight');
log('end', shown('where'));
key('ArrowDown');
log('down', shown('where') + ', ' + shown('cost'));
log('focus', document.activeElement.getAttribute('aria-selected') + ' ' + document.activeElement.dataset.line);
key('ArrowUp');
log('up', shown('where'));
log('address', location.hash);
log('spoken', document.querySelector('#drawing svg').getAttribute('aria-label').split('.')[0]);
// Every access that was kept, drawn and counted here, beside what the program counted.
var here = [], there = [];
function until(name, work) { // presses a key until nothing changes any more
    for (var before = ''; before !== location.hash; key(name)) {
        before = location.hash;
        work();
    }
}
[2, 3].forEach(function (run) {
    key(String(run));
    until('ArrowUp', function () {});
    until('ArrowDown', function () {
        var line = location.hash;
        if (line === until.line) return;
        until.line = line;
        until('ArrowRight', function () {
            document.querySelectorAll('#accesses button').forEach(function () {
                here.push(run + ' ' + shown('where').split(',')[0] + ' ' + pressed() + ' ' + parseInt(shown('cost')));
                key('a');
            });
        });
        key('Home');
    });
});
document.querySelectorAll('main script').forEach(function (script, k) {
    JSON.parse(script.textContent).source.forEach(function (record) {
        (record.samples || []).forEach(function (s) {
            there.push((k + 2) + ' line ' + record.line + ' ' + record.kind + ' ' + s.first + ' ' +
                       (record.space === 'shared' ? s.passes : s.sectors));
        });
    });
});
log('accesses', here.length > 50 || here.length);
here = here.sort().filter(function (h, i) { return h !== here[i - 1]; });
there = there.sort().filter(function (t, i) { return t !== there[i - 1]; });
log('same', here.join('\n') === there.join('\n') || here.length + ' and ' + there.length + ': ' +
    here.filter(function (h) { return there.indexOf(h) < 0; })[0] + ' | ' + there.filter(function (t) { return here.indexOf(t) < 0; })[0]);
END
# Lane l asks for word 2 x stride x l: with floats that is the bank, modulo 32; words of one bank wait for each other.
banks() {
    awk -v stride="$1" 'BEGIN {
        for (l = 0; l < 32; l++) printf "%s%d:%d:%d", l ? " " : "", l, 2 * stride * l % 32, 2 * stride * l / 32 + 1
    }'
}
browse "$work/page.html" "$work/keys.js" --blink-settings=preferredColorScheme=1
check 'no message in the console' quiet
check 'it begins with the comparison' is begin ''
check 'a digit chooses a run' is run 'bank_conflicts, warp 32'
check 'which begins with its costliest line' is line "line $number, step 1 of 8"
check 'arrows choose the step' is step "line $number, step 3 of 8"
check 'a chooses the access' is access 'load shared[0]'
check 'eight words in one bank are eight passes' is cost '8 passes'
check 'the banks of step 3' is banks "$(banks 4)"
check 'the banks of step 2' is back "$(banks 2)"
check 'End: the last step has one lane' is last "line $number, step 8 of 8, 1 pass"
check 'there is no step after it' is end "line $number, step 8 of 8"
check 'down: the barrier' is down "line $((number + 1)), barrier"
check 'the focus is there' is focus "true $((number + 1))"
check 'up again' is up "line $number, step 1 of 8"
check 'the address names it' is address "#bank_conflicts-32-1/$number/1/1"
check 'the picture in words' is spoken '2 passes'
check 'dozens of accesses are kept' is accesses true
check 'all of them cost as much as was counted' is same true

# ---- colours, a source with tags
cat >"$work/colours.js" <<'END'
function light(colour) {
    var c = colour.match(/[0-9.]+/g).map(function (v) { v /= 255; return v <= .03928 ? v / 12.92 : Math.pow((v + .055) / 1.055, 2.4); });
    return .2126 * c[0] + .7152 * c[1] + .0722 * c[2];
}
function contrast(a, b) { return (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05); }
function variable(name) {
    var p = document.createElement('p');
    p.style.color = 'var(--' + name + ')';
    document.body.appendChild(p);
    return getComputedStyle(p).color;
}
var least = 99;
[['text', 'back'], ['quiet', 'back'], ['quiet', 'panel'], ['text', 'chosen'], ['bad', 'back'], ['bad', 'chosen'],
 ['on-good', 'good'], ['on-bad', 'bad']].forEach(function (pair) {
    least = Math.min(least, contrast(variable(pair[0]), variable(pair[1])));
});
log('dark', light(getComputedStyle(document.body).backgroundColor) < .05);
log('contrast', least >= 4.5 || least);
END
cat "$work/colours.js" - >"$work/odd.js" <<'END'
key('1');
log('code', document.querySelector('tr.did[data-line="6"] code').textContent.trim());
log('title', document.title);
log('kernels', document.querySelectorAll('main > section').length);
END
cat >"$work/odd.hip" <<'END'
#include <hip/hip_runtime.h>

__global__ void scatter(int *out)
{
    unsigned i = threadIdx.x;
    out[i * 64] = "<b>&amp;</script><!--"[i % 8]; /* </script> */
}

int main(void)
{
    int *out;
    if (hipMalloc((void **)&out, 32 * 64 * sizeof *out) != hipSuccess)
        return 3;
    hipLaunchKernelGGL(scatter, dim3(1), dim3(32), 0, 0, out);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
END
explain FILE="$work/odd.hip" PAGE="$work/odd.html"
browse "$work/odd.html" "$work/odd.js" --blink-settings=preferredColorScheme=0
check 'a source with tags: no message in the console' quiet
check 'its text is shown as it is' is code 'out[i * 64] = "<b>&amp;</script><!--"[i % 8]; /* </script> */'
check 'its title, too' is title 'explain odd'
check 'one kernel' is kernels 1
check 'dark, where that is preferred' is dark true
check 'colours can be told apart on dark' is contrast true
browse "$work/page.html" "$work/colours.js" --blink-settings=preferredColorScheme=1
check 'light, where that is preferred' is dark false
check 'colours can be told apart on light' is contrast true

# ---- mistakes on the command line
check 'a page and JSON at once are refused' refused 'one of them' PAGE="$work/x.html" FORMAT=json
check 'so is a folder that is not there' refused 'name a file in a folder' PAGE="$work/no/x.html"

finish
