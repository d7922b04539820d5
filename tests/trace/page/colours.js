/* Logs whether the colours can be told apart. */
var least = 99;
[['text', 'back'], ['quiet', 'back'], ['quiet', 'panel'], ['text', 'chosen'], ['bad', 'back'], ['bad', 'chosen'],
 ['on-good', 'good'], ['on-bad', 'bad']].forEach(function (pair) {
    least = Math.min(least, contrast(variable(pair[0]), variable(pair[1])));
});
log('dark', light(getComputedStyle(document.body).backgroundColor) < .05);
log('contrast', least >= 4.5 || least);
