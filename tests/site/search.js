key('/');
log('focus', document.activeElement === document.querySelector('.search input'));
var field = document.querySelector('.search input');
field.value = 'butterfly xor';
field.dispatchEvent(new Event('input'));
addEventListener('load', function () {
    log('first', document.querySelector('.found a').getAttribute('href'));
    field.value = 'nosuchword';
    field.dispatchEvent(new Event('input'));
    log('none', document.querySelector('.found').textContent);
    console.info('found');
});
