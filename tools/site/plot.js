/* Lines over the number of elements, from assets/results.js.
 * SPDX-License-Identifier: MIT */
'use strict';
(function () {
  var FEW = ['global_memory', 'no_striding', 'first_add', 'striding', 'two_kernels_unroll', 'vector_loads', 'single_pass', 'prim'];
  var COLOURS = ['#d55e00', '#cc79a7', '#8a6d00', '#0072b2', '#009e73', '#56a4d9', '#7a1fd1', '#6b7280'];
  var W = 1100, H = 560, LEFT = 70, RIGHT = 190, TOP = 14, BOTTOM = 46;
  function id(name) { return document.getElementById(name); }
  function fill(select, values) {
    var before = select.value;
    select.innerHTML = '';
    values.forEach(function (value) {
      var option = document.createElement('option');
      option.textContent = value;
      select.appendChild(option);
    });
    if (values.indexOf(before) >= 0) select.value = before;
  }
  function unique(list) { return list.filter(function (x, i) { return list.indexOf(x) === i; }); }
  function size(n) {
    var names = ['', 'K', 'M', 'G'], k = 0;
    while (n >= 1024 && n % 1024 === 0 && k < 3) { n /= 1024; k++; }
    return n + names[k];
  }
  function number(v) { return v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toPrecision(3); }
  var lines = [], at = [0, 0], x, y;

  function draw() {
    var of = RESULTS.filter(function (r) { return r.machine === id('machine').value; });
    fill(id('what'), unique(of.map(function (r) { return r.type + ' ' + r.op; })));
    var axis = +id('axis').value, all = id('some').value === 'all';
    lines = of.filter(function (r) { return r.type + ' ' + r.op === id('what').value && (all || FEW.indexOf(r.variant) >= 0); });
    var ns = unique([].concat.apply([], lines.map(function (r) { return r.points.map(function (p) { return p[0]; }); }))).sort(function (a, b) { return a - b; });
    var vs = [].concat.apply([], lines.map(function (r) { return r.points.map(function (p) { return p[axis]; }); }));
    var low = Math.log10(Math.min.apply(0, vs)), high = Math.log10(Math.max.apply(0, vs)), linear = axis === 3;
    var most = linear ? Math.ceil(Math.pow(10, high) / 1000) * 1000 : 0;
    x = function (n) { return LEFT + (W - LEFT - RIGHT) * Math.log(n / ns[0]) / Math.log(ns[ns.length - 1] / ns[0]); };
    y = function (v) { return H - BOTTOM - (H - TOP - BOTTOM) * (linear ? v / most : (Math.log10(v) - low) / (high - low)); };
    var s = '';
    var ticks = [];
    if (linear) for (var t = 0; t <= most; t += most > 2000 ? 1000 : 500) ticks.push(t);
    else for (var e = Math.ceil(low); e <= high; e++) ticks.push(Math.pow(10, e));
    ticks.forEach(function (v) {
      s += '<line class="rule" x1="' + LEFT + '" x2="' + (W - RIGHT) + '" y1="' + y(v) + '" y2="' + y(v) + '"/><text class="quiet" x="' + (LEFT - 8) +
           '" y="' + (y(v) + 5) + '" text-anchor="end" font-size="15">' + v + '</text>';
    });
    ns.forEach(function (n, i) {
      if (ns.length < 14 || i % 2 === 0)
        s += '<text class="quiet" x="' + x(n) + '" y="' + (H - 20) + '" text-anchor="middle" font-size="15">' + size(n) + '</text>';
    });
    s += '<text class="quiet" x="' + (LEFT + W - RIGHT) / 2 + '" y="' + (H - 2) + '" text-anchor="middle" font-size="15">elements</text>';
    var labels = [];
    lines.forEach(function (r, i) {
      var colour = COLOURS[Math.max(FEW.indexOf(r.variant), i % 8 * (FEW.indexOf(r.variant) < 0)) % 8], last = r.points[r.points.length - 1];
      s += '<g class="line" data-line="' + i + '"><polyline fill="none" stroke="' + colour + '" stroke-width="2.5" points="' +
           r.points.map(function (p) { return x(p[0]).toFixed(1) + ',' + y(p[axis]).toFixed(1); }).join(' ') + '"/></g>';
      labels.push({ at: y(last[axis]), text: r.variant, colour: colour, from: y(last[axis]), x: x(last[0]) });
    });
    labels.sort(function (a, b) { return a.at - b.at; });
    var gap = Math.min(19, (H - TOP - BOTTOM) / labels.length);
    labels.forEach(function (l, i) { if (i) l.at = Math.max(l.at, labels[i - 1].at + gap); });
    for (var i = labels.length - 1; i >= 0; i--) {
      var limit = i === labels.length - 1 ? H - BOTTOM : labels[i + 1].at - gap;
      labels[i].at = Math.min(labels[i].at, limit);
    }
    labels.forEach(function (l) {
      s += '<line stroke="' + l.colour + '" x1="' + l.x + '" y1="' + l.from + '" x2="' + (W - RIGHT + 14) + '" y2="' + l.at + '"/><text x="' + (W - RIGHT + 18) +
           '" y="' + (l.at + 5) + '" font-size="' + Math.min(16, gap) + '">' + l.text + '</text>';
    });
    id('drawing').innerHTML = '<svg viewBox="0 0 ' + W + ' ' + H + '" aria-hidden="true">' + s + '<circle r="6" fill="none" stroke="var(--focus)" stroke-width="3" cx="-20" cy="-20"/></svg>';
    var one = lines[0];
    id('made').textContent = one ? one.device + ', ' + one.runtime + ', ' + one.date + '; cold caches, medians; ' + one.file : '';
    id('numbers').innerHTML = '<table><thead><tr><th>program</th>' + ns.map(function (n) { return '<th>' + size(n) + '</th>'; }).join('') + '</tr></thead><tbody>' +
      lines.map(function (r) {
        var of = {};
        r.points.forEach(function (p) { of[p[0]] = number(p[axis]); });
        return '<tr><th>' + r.variant + '</th>' + ns.map(function (n) { return '<td>' + (of[n] || '') + '</td>'; }).join('') + '</tr>';
      }).join('') + '</tbody></table>';
    at = [0, lines.length ? lines[0].points.length - 1 : 0];
    mark();
    document.querySelectorAll('#drawing .over').forEach(function (g) { g.classList.remove('over'); }); /* all of them at first */
  }
  function mark() {
    var r = lines[at[0]];
    if (!r) return;
    var p = r.points[at[1]], circle = document.querySelector('#drawing circle');
    circle.setAttribute('cx', x(p[0]));
    circle.setAttribute('cy', y(p[+id('axis').value]));
    id('value').textContent = r.variant + ', ' + size(p[0]) + ' elements: ' + number(p[3]) + ' GB/s, total ' + number(p[1]) + ' us, kernel ' + number(p[2]) + ' us';
    document.querySelector('.plot').setAttribute('aria-label', 'Plot of measured times. ' + id('value').textContent);
    document.querySelectorAll('#drawing .line').forEach(function (g) { g.classList.toggle('over', +g.dataset.line !== at[0]); });
  }
  function nearest(event) {
    var box = document.querySelector('#drawing svg').getBoundingClientRect(), best = 1e9, axis = +id('axis').value;
    var px = (event.clientX - box.left) * W / box.width, py = (event.clientY - box.top) * H / box.height;
    lines.forEach(function (r, i) {
      r.points.forEach(function (p, k) {
        var d = Math.hypot(x(p[0]) - px, y(p[axis]) - py);
        if (d < best) { best = d; at = [i, k]; }
      });
    });
    mark();
  }
  id('drawing').addEventListener('pointermove', nearest);
  id('drawing').addEventListener('pointerdown', nearest);
  document.querySelector('.plot').addEventListener('keydown', function (event) {
    var key = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!key) return;
    event.preventDefault();
    at[0] = (at[0] + key[0] + lines.length) % lines.length;
    at[1] = Math.max(0, Math.min(lines[at[0]].points.length - 1, at[1] + key[1]));
    mark();
  });
  fill(id('machine'), unique(RESULTS.map(function (r) { return r.machine; })));
  document.querySelectorAll('#choose select').forEach(function (select) { select.addEventListener('change', draw); });
  draw();
})();
