var term = document.querySelector('.term');
term.focus();
log('term', term.textContent + ': ' + shown('tip').split(':')[1].trim().slice(0, 24));
key('Escape');
log('top', scrollY);
log('gone', document.getElementById('tip') === null);
log('steps', document.querySelector('a[rel=prev]').textContent + ' ' + document.querySelector('a[rel=next]').textContent);
log('wide', document.documentElement.scrollWidth <= innerWidth || document.documentElement.scrollWidth + ' of ' + innerWidth);
var least = 99;
['back', 'panel'].forEach(function (back) {
    ['text', 'quiet', 'link', 'kw', 'dt', 'st', 'co', 'fu', 'nu', 'good', 'bad'].forEach(function (name) {
        least = Math.min(least, contrast(variable(name), variable(back)));
    });
});
log('contrast', least >= 4.5 || least);
log('dark', light(getComputedStyle(document.body).backgroundColor) < .05);
log('code', document.querySelectorAll('.sourceCode .kw, .sourceCode .cf').length > 3);
