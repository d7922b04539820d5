/* Menu on a phone, tooltips, search, keys. Without it all text can be read.
 * SPDX-License-Identifier: MIT */
'use strict';
(function () {
  var root = document.body.dataset.root;

  var fold = document.querySelector('.fold');
  fold.addEventListener('click', function () {
    var open = document.getElementById('menu').classList.toggle('open');
    fold.setAttribute('aria-expanded', String(open));
  });

  /* A term says what it is: under the mouse, with the keyboard, and at a first tap. */
  var tip = null;
  function hide() {
    if (tip) tip.remove();
    tip = null;
  }
  function show(term) {
    hide();
    tip = document.createElement('div');
    tip.id = 'tip';
    tip.setAttribute('role', 'tooltip');
    tip.textContent = term.dataset.tip;
    document.body.appendChild(tip);
    term.setAttribute('aria-describedby', 'tip');
    var at = term.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(at.left, innerWidth - tip.offsetWidth - 8)) + scrollX + 'px';
    tip.style.top = at.bottom + scrollY + 6 + 'px';
  }
  document.querySelectorAll('.term').forEach(function (term) {
    term.addEventListener('mouseenter', function () { show(term); });
    term.addEventListener('mouseleave', hide);
    term.addEventListener('focus', function () { show(term); });
    term.addEventListener('blur', hide);
    term.addEventListener('click', function (event) {
      if (matchMedia('(hover: none)').matches && term.dataset.tapped !== 'yes') {
        event.preventDefault();
        term.dataset.tapped = 'yes';
        show(term);
      }
    });
  });

  /* Search: all words must be in the page; a title counts most. The texts are loaded when someone asks. */
  var field = document.querySelector('.search input'), list = document.querySelector('.found');
  function load(then) {
    if (window.SEARCH) return then();
    var script = document.createElement('script');
    script.src = root + 'assets/search.js';
    script.onload = then;
    document.head.appendChild(script);
  }
  function find() {
    var words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.textContent = '';
    list.hidden = !words.length;
    if (!words.length) return;
    var hits = [];
    window.SEARCH.forEach(function (page) {
      var title = page[1].toLowerCase(), text = page[2].toLowerCase(), score = 0;
      for (var i = 0; i < words.length; i++) {
        var count = text.split(words[i]).length - 1, named = title.indexOf(words[i]) >= 0 || page[0].indexOf(words[i]) >= 0;
        if (!count && !named) return;
        score += (named ? 100 : 0) + Math.min(count, 20);
      }
      hits.push([score - (/\.(hip|h|c|py)\.html$/.test(page[0]) ? 30 : 0), page]);
    });
    hits.sort(function (a, b) { return b[0] - a[0]; }).slice(0, 12).forEach(function (hit) {
      var page = hit[1], at = Math.max(0, page[2].toLowerCase().indexOf(words[0]) - 60);
      var item = document.createElement('li'), link = document.createElement('a'), about = document.createElement('small');
      link.href = root + page[0];
      link.textContent = page[1];
      about.textContent = '… ' + page[2].slice(at, at + 150) + ' …';
      link.appendChild(about);
      item.appendChild(link);
      list.appendChild(item);
    });
    if (!hits.length) list.innerHTML = '<li>Nothing has all of these words.</li>';
  }
  field.addEventListener('input', function () { load(find); });
  document.querySelector('.search').addEventListener('submit', function (event) {
    event.preventDefault();
    var first = list.querySelector('a');
    if (first) location.href = first.href;
  });
  document.addEventListener('keydown', function (event) {
    var typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === 'Escape') {
      hide();
      list.hidden = true;
      field.blur();
    } else if (!typing && event.key === '/') {
      event.preventDefault();
      field.focus();
    } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && (event.key === 'n' || event.key === 'p')) {
      var link = document.querySelector(event.key === 'n' ? 'a[rel=next]' : 'a[rel=prev]');
      if (link) location.href = link.href;
    }
  });
  document.addEventListener('click', function (event) {
    if (!event.target.closest('.search')) list.hidden = true;
  });

  /* On paper all answers are open. */
  addEventListener('beforeprint', function () {
    document.querySelectorAll('main details').forEach(function (d) { d.open = true; });
  });
})();
