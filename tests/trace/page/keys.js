/* Presses keys on the page of two variants and logs what is shown. */
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
document.querySelectorAll('script[type="application/json"]').forEach(function (script, k) {
    JSON.parse(script.textContent)[0].source.forEach(function (record) {
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
