/* The values of the first lanes, at lines of values.hip. */
function values(code, kind, from, count) {
    var row = [].filter.call(document.querySelectorAll('tr.did'), function (tr) { return tr.textContent.indexOf(code) >= 0; })[0];
    row.onclick();
    for (var i = 0; i < 8 && pressed().indexOf(kind) !== 0; i++) key('ArrowRight');
    return [].map.call(document.querySelectorAll('#drawing .value title'), function (t) { return t.textContent; })
        .slice(from, from + count).join(' ');
}
values('halves[i]', 'load', 0, 3);
log('hidden', document.querySelectorAll('#drawing .value').length);
key('v');
log('half', values('halves[i]', 'load', 0, 3));
log('double', values('halves[i]', 'store', 0, 3));
log('short', values('table[i] = ', 'store', 0, 3));
log('four', values('fours[i]', 'load', 0, 1));
log('long', values('count = ', 'store', 0, 3));
log('byte', values('bytes[i] = ', 'store', 0, 3));
log('atomic', values('atomicAdd', 'atomic', 0, 3));
var all = values('__shfl_down', 'shuffle', 0, 64).split(' ');
log('has', all[0] + ' ' + all[2] + ' ' + all[4]);
log('gets', all[1] + ' ' + all[3] + ' ' + all[5]);
