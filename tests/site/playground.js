function lanes() { return document.querySelectorAll('#picture [data-active="1"]').length; }
log('begin', document.querySelector('#steps [aria-pressed=true]').textContent + ', ' + lanes());
for (var i = 0; i < 4; i++) key('ArrowRight');
log('step', document.querySelector('#steps [aria-pressed=true]').textContent);
log('lanes', lanes());
log('adds', [].map.call(document.querySelectorAll('#picture [data-add]'), function (p) { return p.dataset.add; }).join(' '));
log('address', location.hash);
log('hidden', shown('counts').indexOf('?') > 0);
document.getElementById('guess').value = '70';
document.querySelector('#answer button').click();
log('verdict', shown('verdict'));
log('counts', [].map.call(document.querySelectorAll('#counts tr'), function (r) { return r.lastChild.textContent; }).join(' '));
document.getElementById('order').value = 'xor';
document.getElementById('order').dispatchEvent(new Event('change'));
key('ArrowRight');
log('reads', document.querySelectorAll('#picture [data-read]').length + ', ' + document.querySelector('#picture [data-read]').dataset.read);
document.getElementById('back').click();
log('back', document.querySelector('#steps [aria-pressed=true]').textContent);
log('spoken', document.querySelector('#picture svg').getAttribute('aria-label').indexOf('load') === 0);
