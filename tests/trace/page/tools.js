/* What the scripts of explain_page.bats share. */
function pressed() { return document.querySelector('#accesses [aria-pressed=true]').textContent; }
function drawn() {
    return [].map.call(document.querySelectorAll('#drawing [data-bank]'), function (r) {
        return r.dataset.lane + ':' + r.dataset.bank + ':' + r.dataset.pass;
    }).sort(function (a, b) { return parseInt(a) - parseInt(b); }).join(' ');
}
