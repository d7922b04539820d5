/* What sticks out of a slide, or is too small. */
document.querySelectorAll('section').forEach(function (s) {
    if (s.scrollHeight > innerHeight + 1) log(s.id, 'it is ' + s.scrollHeight + ' high');
    s.querySelectorAll('pre, p, td, li, code').forEach(function (e) {
        if (e.closest('.notes')) return;
        var size = parseFloat(getComputedStyle(e).fontSize) / innerWidth * 100;
        if (size < 1.5) log(s.id, 'letters of ' + size.toFixed(2) + ' %');
        if (e.tagName === 'PRE' && e.scrollWidth > e.clientWidth + 1) log(s.id, 'lines that stick out');
    });
});
log('slides', document.querySelectorAll('section').length);
