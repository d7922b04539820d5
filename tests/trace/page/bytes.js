var words = [].map.call(document.querySelectorAll('#drawing svg text'), function (t) { return { text: t.textContent, box: t.getBoundingClientRect() }; })
  .filter(function (w) { return w.text && w.box.top > document.querySelector('#drawing .moved').getBoundingClientRect().top - 1; });
log('numbers', words.map(function (w) { return w.text; }).filter(function (text) { return text[0] !== '+'; }).slice(0, 3).join(' '));
log('over', words.filter(function (a, i) { return words.some(function (b, k) { return k > i && a.box.left < b.box.right && b.box.left < a.box.right && a.box.top < b.box.bottom && b.box.top < a.box.bottom; }); }).length);
