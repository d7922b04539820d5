/* Draws what counts.js simulates.
 * SPDX-License-Identifier: MIT */
'use strict';
(function () {
  function id(name) { return document.getElementById(name); }
  var run, step = 0, hidden = true, question = 0;
  var NAMES = {
    instructions: 'memory instructions of warps', lanes: 'lanes at work on average', loadPasses: 'shared memory: passes of loads',
    loadConflicts: 'of them conflicts', storePasses: 'shared memory: passes of stores', storeConflicts: 'of them conflicts',
    sectors: 'global memory: sectors loaded', barriers: 'barriers, counted for each warp', shuffles: 'shuffles'
  };
  /* What one can be asked to predict. */
  var QUESTIONS = [
    ['loadPasses', 'How many passes through shared memory do all loads of this block take?'],
    ['loadConflicts', 'How many of the passes of loads are bank conflicts?'],
    ['instructions', 'How many memory instructions do the warps of this block execute?'],
    ['barriers', 'How often does a warp of this block wait at a barrier, all warps together?'],
    ['shuffles', 'How many shuffles do the warps of this block execute?']
  ];
  function settings() {
    var block = Math.max(1, Math.min(1024, Math.floor(+id('block').value) || 1));
    return { order: id('order').value, block: block, warp: +id('warp').value, bytes: +id('bytes').value,
             elements: +id('elements').value, padded: id('padded').value === '1' };
  }
  function average() { return run.counts.instructions ? (run.counts.lanes / run.counts.instructions).toFixed(1) : '0'; }

  function start() {
    var s = settings();
    run = simulate(s);
    step = 0;
    hidden = true;
    id('padded').disabled = ['down', 'xor', 'up'].indexOf(s.order) >= 0;
    id('shown').innerHTML = '';
    for (var w = 0; w < run.warps; w++) id('shown').appendChild(new Option(w + ' (threads ' + w * s.warp + ' to ' + (Math.min((w + 1) * s.warp, s.block) - 1) + ')', w));
    id('steps').innerHTML = '';
    run.steps.forEach(function (one, k) {
      var button = document.createElement('button');
      button.textContent = one.name;
      button.addEventListener('click', function () { step = k; draw(); });
      id('steps').appendChild(button);
    });
    do question = (question + 1) % QUESTIONS.length;
    while (QUESTIONS[question][0] === 'shuffles' ? !run.counts.shuffles : run.counts.shuffles && /^load/.test(QUESTIONS[question][0]));
    id('question').textContent = QUESTIONS[question][1];
    id('verdict').textContent = '';
    id('guess').value = '';
    draw();
  }
  function countsTable() {
    id('counts').innerHTML = Object.keys(NAMES).map(function (name) {
      var value = name === 'lanes' ? average() + ' of ' + settings().warp : run.counts[name];
      return '<tr><td>' + NAMES[name] + '</td><td>' + (hidden ? '?' : value) + '</td></tr>';
    }).join('') + '<tr><td>the sum</td><td>' + run.sum + '</td></tr>';
  }

  function draw() {
    var s = settings(), one = run.steps[step], w = +id('shown').value, first = w * s.warp;
    var lanes = Math.min(s.warp, s.block - first), shuffle = one.instructions.some(function (i) { return i.kind === 'shuffle'; });
    var adds = one.adds.filter(function (a) { return a.thread >= first && a.thread < first + lanes; });
    document.querySelectorAll('#steps button').forEach(function (b, k) { b.setAttribute('aria-pressed', String(k === step)); });
    id('back').disabled = step === 0;
    id('forward').disabled = step === run.steps.length - 1;
    var mine = one.instructions.filter(function (i) { return i.warp === w; });
    var warpsAtWork = {};
    one.adds.forEach(function (a) { warpsAtWork[Math.floor(a.thread / s.warp)] = 1; });
    var text = one.says || (one.adds.length + ' additions by ' + Object.keys(warpsAtWork).length + ' of ' + run.warps + ' warps');
    if (one.adds.length) text += '; in this warp ' + adds.length + ' of ' + lanes + ' lanes add';
    var passes = mine.filter(function (i) { return i.passes; });
    if (passes.length) text += '. Passes of its ' + passes.length + ' accesses of shared memory: ' + passes.map(function (i) { return i.passes; }).join(' + ');
    var sectors = mine.filter(function (i) { return i.sectors; });
    if (sectors.length) text += ' Sectors of this warp: ' + sectors.map(function (i) { return i.sectors; }).join(' + ');
    if (one.barrier) text += '. Then a barrier.';
    id('says').textContent = text.replace(/\.\./g, '.');

    /* Lanes on top; below, what they touch: the places of shared memory, by bank; or each other's registers. */
    var W = 1120, cell = W / 33, h = '', rowH = 34;
    var active = {};
    mine.forEach(function (i) { i.at.forEach(function (e, lane) { if (e !== null) active[lane] = true; }); });
    if (one.adds.length) { active = {}; adds.forEach(function (a) { active[a.thread - first] = true; }); }
    var rows = Math.ceil(lanes / 32);
    function laneAt(lane) { return [(lane % 32 + .75) * cell, 40 + Math.floor(lane / 32) * 44]; }
    h += '<text class="quiet" x="4" y="14" font-size="14">lanes of warp ' + w + '; filled: at work' + (shuffle ? '; the number: its value after the step' : '') + '</text>';
    for (var lane = 0; lane < lanes; lane++) {
      var p = laneAt(lane);
      h += '<g' + (active[lane] ? '' : ' class="idle"') + '><circle cx="' + p[0] + '" cy="' + p[1] + '" r="13" fill="' + (active[lane] ? 'var(--bar)' : 'none') +
           '" stroke="var(--quiet)" data-lane="' + lane + '" data-active="' + (active[lane] ? 1 : 0) + '"/><text x="' + p[0] + '" y="' + (p[1] + 4) +
           '" text-anchor="middle" font-size="11"' + (active[lane] ? ' style="fill:#fff"' : '') + '>' + (shuffle ? one.values[first + lane] : first + lane) + '</text></g>';
    }
    var top = 70 + rows * 44, height;
    if (shuffle) {
      adds.forEach(function (a) {
        var from = laneAt(a.from - first), to = laneAt(a.to - first), mid = top + 20 + Math.abs(from[0] - to[0]) * .12;
        h += '<path d="M' + from[0] + ' ' + (from[1] + 14) + ' Q' + (from[0] + to[0]) / 2 + ' ' + mid + ' ' + to[0] + ' ' + (to[1] + 15) +
             '" fill="none" stroke="var(--bar)" stroke-width="1.5" data-read="' + a.thread + ':' + a.from + '"/>';
      });
      h += '<text class="quiet" x="4" y="' + (top + 96) + '" font-size="14">an arc: the lane at one end reads the register of the other</text>';
      height = top + 110;
    } else if (mine.some(function (i) { return i.space === 'shared'; }) || /stride|half|result|store/.test(one.name)) {
      var words = s.bytes / 4, perRow = 32 / words, touched = {}, access = mine.filter(function (i) { return i.space === 'shared'; });
      var chosen = access[0] || null;
      access.forEach(function (i) { i.at.forEach(function (e) { if (e !== null) touched[e] = true; }); });
      var total = place(s.block - 1, s.padded) + 1, rowsOf = Math.min(Math.ceil(total / perRow), 64);
      var columns = 32;
      h += '<text class="quiet" x="4" y="' + (top - 8) + '" font-size="14">shared memory: a column is a bank, the number a value after the step; filled: this warp accesses it; a line: added to</text>';
      for (var b = 0; b < columns; b++) h += '<text class="quiet" x="' + (b + .75) * cell + '" y="' + (top + 12) + '" text-anchor="middle" font-size="11">' + b + '</text>';
      var element = {};
      for (var e = 0; e < s.block; e++) element[place(e, s.padded)] = e;
      for (var r = 0; r < rowsOf; r++)
        for (var c = 0; c < perRow; c++) {
          var slot = r * perRow + c;
          if (slot >= total) break;
          var x0 = (c * words + .3) * cell, y0 = top + 20 + r * rowH, is = element[slot] !== undefined;
          h += '<g' + (touched[slot] ? '' : ' class="idle"') + '><rect x="' + x0 + '" y="' + y0 + '" width="' + (cell * words - 3) + '" height="' + (rowH - 5) + '" rx="4" fill="' +
               (touched[slot] ? 'var(--bar)' : is ? 'none' : 'var(--rule)') + '" stroke="var(--quiet)" data-place="' + slot + '" data-touched="' + (touched[slot] ? 1 : 0) + '"/><text x="' +
               (x0 + cell * words / 2 - 2) + '" y="' + (y0 + 19) + '" text-anchor="middle" font-size="12"' + (touched[slot] ? ' style="fill:#fff"' : '') + '>' +
               (is && one.values[element[slot]] !== undefined ? one.values[element[slot]] : '') + '</text></g>';
        }
      var middle = function (slot) {
        return [(slot % perRow * words + .3) * cell + cell * words / 2, top + 20 + Math.floor(slot / perRow) * rowH + rowH - 7];
      };
      adds.forEach(function (a) {
        var from = middle(place(a.from, s.padded)), to = middle(place(a.to, s.padded)), down = from[1] === to[1] ? 8 : 0;
        if (Math.floor(place(a.from, s.padded) / perRow) >= rowsOf) return;
        h += '<path d="M' + from[0] + ' ' + from[1] + ' Q' + (from[0] + to[0]) / 2 + ' ' + ((from[1] + to[1]) / 2 + down + 6) + ' ' + to[0] + ' ' + to[1] +
             '" fill="none" stroke="var(--focus)" stroke-width="2" data-add="' + a.thread + ':' + a.to + ':' + a.from + '"/>';
      });
      /* The first access as the hardware serves it: how many words each bank has to deliver. */
      if (chosen) {
        var load = [];
        chosen.at.forEach(function (e) { if (e !== null) for (var k = 0; k < words; k++) { var bank = (e * words + k) % 32; load[bank] = (load[bank] || 0) + 1; } });
        var y1 = top + 36 + rowsOf * rowH;
        h += '<text class="quiet" x="4" y="' + y1 + '" font-size="14">words that each bank delivers for the first access of this warp (' + chosen.kind + '), which takes ' + chosen.passes + (chosen.passes === 1 ? ' pass' : ' passes') + '</text>';
        for (b = 0; b < 32; b++)
          if (load[b]) h += '<rect x="' + (b + .3) * cell + '" y="' + (y1 + 10) + '" width="' + (cell - 3) + '" height="' + 6 * Math.min(load[b], 16) + '" fill="var(--' + (chosen.conflicts ? 'bad' : 'good') + ')"/><text x="' +
            (b + .75) * cell + '" y="' + (y1 + 26 + 6 * Math.min(load[b], 16)) + '" text-anchor="middle" font-size="11">' + load[b] + '</text>';
        height = y1 + 40 + 6 * Math.min(16, Math.max.apply(0, load.filter(Boolean)));
      } else height = top + 30 + rowsOf * rowH;
    } else {
      h += '<text class="quiet" x="4" y="' + (top - 8) + '" font-size="14">the values after the step</text>';
      for (lane = 0; lane < lanes; lane++)
        h += '<text x="' + laneAt(lane)[0] + '" y="' + (top + 16 + Math.floor(lane / 32) * 24) + '" text-anchor="middle" font-size="13">' + one.values[first + lane] + '</text>';
      height = top + 20 + rows * 26;
    }
    id('picture').innerHTML = '<svg viewBox="0 0 ' + W + ' ' + height + '" role="img" aria-label="' + one.name + '. ' + id('says').textContent.replace(/"/g, '') + '">' + h + '</svg>';
    countsTable();
    location.replace('#' + [s.order, s.block, s.warp, s.bytes, s.elements, +s.padded, step].join('-'));
  }
  function move(by) {
    step = Math.max(0, Math.min(run.steps.length - 1, step + by));
    draw();
  }

  Object.keys(ORDERS).forEach(function (name) { id('order').appendChild(new Option(ORDERS[name], name)); });
  ['order', 'block', 'warp', 'bytes', 'elements', 'padded'].forEach(function (name) { id(name).addEventListener('change', start); });
  id('shown').addEventListener('change', draw);
  id('back').addEventListener('click', function () { move(-1); });
  id('forward').addEventListener('click', function () { move(1); });
  document.addEventListener('keydown', function (event) {
    if (/^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault();
      move(event.key === 'ArrowRight' ? 1 : -1);
    }
  });
  id('answer').addEventListener('submit', function (event) {
    event.preventDefault();
    var is = run.counts[QUESTIONS[question][0]], guess = id('guess').value;
    hidden = false;
    id('verdict').className = guess !== '' && +guess === is ? 'right' : 'wrong';
    id('verdict').textContent = guess === '' ? 'It is ' + is + '.' : +guess === is ? 'Right: ' + is + '.' : 'It is ' + is + ', not ' + guess + '.';
    countsTable();
  });
  var given = location.hash.slice(1).split('-');
  if (given.length === 7 && ORDERS[given[0]]) {
    ['order', 'block', 'warp', 'bytes', 'elements', 'padded'].forEach(function (name, k) { id(name).value = given[k]; });
    start();
    step = Math.min(+given[6] || 0, run.steps.length - 1);
    draw();
  } else start();
})();
