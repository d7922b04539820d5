key('1');
log('code', document.querySelector('tr.did[data-line="8"] code').textContent.trim());
log('title', document.title);
log('kernels', document.querySelectorAll('main > section').length);
