/* For scripts at the end of a page (browse in check.bash). */
function log(name, value) { document.getElementById('log').textContent += name + '=' + value + '\n'; }
function key(name, at) {
    var event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true });
    (at || document.activeElement || document.body).dispatchEvent(event);
}
function shown(id) { return document.getElementById(id).textContent; }
/* How light a colour is, how far two are apart, and what a variable of the style sheet is: light 0 is black, contrast 4.5 can be read. */
function light(colour) {
    var c = colour.match(/[0-9.]+/g).map(function (v) { v /= 255; return v <= .03928 ? v / 12.92 : Math.pow((v + .055) / 1.055, 2.4); });
    return .2126 * c[0] + .7152 * c[1] + .0722 * c[2];
}
function contrast(a, b) { return (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05); }
function variable(name) {
    var p = document.createElement('p');
    p.style.color = 'var(--' + name + ')';
    document.body.appendChild(p);
    return getComputedStyle(p).color;
}
