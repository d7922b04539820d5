/* What the scripts of site.bats share. */
function log(name, value) { document.getElementById('log').textContent += name + '=' + value + '\n'; }
function key(name, at) {
    (at || document.body).dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
}
function shown(id) { return document.getElementById(id).textContent; }
