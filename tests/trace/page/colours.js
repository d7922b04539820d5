/* Logs whether the colours can be told apart. */
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
var least = 99;
[['text', 'back'], ['quiet', 'back'], ['quiet', 'panel'], ['text', 'chosen'], ['bad', 'back'], ['bad', 'chosen'],
 ['on-good', 'good'], ['on-bad', 'bad']].forEach(function (pair) {
    least = Math.min(least, contrast(variable(pair[0]), variable(pair[1])));
});
log('dark', light(getComputedStyle(document.body).backgroundColor) < .05);
log('contrast', least >= 4.5 || least);
