/* What the scripts of explain_page.bats share. */
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
