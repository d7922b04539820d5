/* One block that adds numbers in a chosen order, instruction by instruction: what each warp does, and what that costs.
 * The playground draws it. tests/site compares its counts with those of make explain.
 * SPDX-License-Identifier: MIT */
'use strict';

var PASS_BYTES = 128, BANKS = 32;
var ORDERS = {
  interleaved: 'interleaved: every second thread, every fourth, ...',
  strided: 'strided: the first threads, pairs far apart',
  sequential: 'sequential: the upper half to the lower half',
  down: 'shuffle down: from the lane above',
  xor: 'shuffle xor: pairs exchange',
  up: 'shuffle up: from the lane below'
};

/* An element's place in shared memory. */
function place(index, padded) { return padded ? index + Math.floor(index / 32) : index; }

/* Passes of one instruction of a warp. at[lane]: the element of shared memory, or null. Lanes form groups that ask for 128
 * bytes; in each group the bank with the most words counts. A load serves lanes of two groups at once if few are active. */
function costOf(instruction, bytes) {
  var together = PASS_BYTES / Math.max(bytes, 4), passes = 0, groups = 0, lanes = 0;
  for (var first = 0; first < instruction.at.length; first += together) {
    var banks = {}, most = 0;
    instruction.at.slice(first, first + together).forEach(function (element) {
      if (element === null) return;
      lanes++;
      for (var word = element * bytes >> 2; word <= (element * bytes + bytes - 1) >> 2; word++) {
        var bank = banks[word % BANKS] = banks[word % BANKS] || {};
        bank[word] = true;
        most = Math.max(most, Object.keys(bank).length);
      }
    });
    passes += most;
    groups += most > 0;
  }
  var needed = instruction.kind === 'load' ? Math.ceil(lanes * Math.max(bytes, 4) / PASS_BYTES) : groups;
  return { passes: passes, conflicts: Math.max(0, passes - needed) };
}

/* settings: order, block, warp, bytes, padded, elements (for each thread). Sectors are those that make explain assumes: 32 bytes
 * with warps of 32 (sm_90), 64 with wavefronts of 64 (gfx942). Values are digits, so that sums are exact.
 * Returns the steps, each with its instructions and the values that threads or places of shared memory hold after it. */
function simulate(settings) {
  var block = settings.block, warp = settings.warp, warps = Math.ceil(block / warp);
  var digits = '3141592653589793238462643383279502884197169399375105820974944592';
  var value = [], shared = [], steps = [], tid, lane;

  function digit(i) { return +digits[i % digits.length]; }
  function step(name, says) {
    var s = { name: name, says: says, instructions: [], adds: [], values: [], barrier: false };
    steps.push(s);
    return s;
  }
  /* One instruction of each warp that has active lanes: element(tid) is its place, or null. */
  function execute(s, kind, space, element) {
    for (var w = 0; w < warps; w++) {
      var at = [], active = 0;
      for (lane = 0; lane < warp; lane++) {
        tid = w * warp + lane;
        var e = tid < block ? element(tid) : null;
        at.push(e === undefined ? null : e);
        active += at[lane] !== null;
      }
      if (active) s.instructions.push({ warp: w, kind: kind, space: space, at: at, lanes: active });
    }
  }
  function barrier(s) { s.barrier = true; }
  function lanesOf(w) { return Math.min(warp, block - w * warp); }

  var s = step('load', 'Each thread loads ' + (settings.elements === 1 ? 'one element' : settings.elements +
               ' elements, and adds them') + '. Neighbouring threads load neighbouring elements.');
  for (tid = 0; tid < block; tid++) value[tid] = 0;
  for (var k = 0; k < settings.elements; k++) {
    execute(s, 'load', 'global', function (t) { return k * block + t; });
    for (tid = 0; tid < block; tid++) value[tid] += digit(k * block + tid);
  }
  s.values = value.slice();

  var shuffles = { down: 1, xor: 1, up: 1 }[settings.order];
  if (!shuffles) {
    var padded = settings.padded;
    var at = function (index) { return place(index, padded); };
    s = step('store', 'Each thread writes its value to shared memory. Then all wait.');
    execute(s, 'store', 'shared', function (t) { return at(t); });
    barrier(s);
    shared = value.slice();
    s.values = shared.slice();
    var pairs = []; /* of one step: [to, from] of each thread that adds */
    var tree = function (name, pairOf) {
      s = step(name, '');
      pairs = [];
      for (tid = 0; tid < block; tid++) pairs[tid] = pairOf(tid);
      execute(s, 'load', 'shared', function (t) { return pairs[t] ? at(pairs[t][0]) : null; });
      execute(s, 'load', 'shared', function (t) { return pairs[t] ? at(pairs[t][1]) : null; });
      execute(s, 'store', 'shared', function (t) { return pairs[t] ? at(pairs[t][0]) : null; });
      barrier(s);
      var before = shared.slice();
      pairs.forEach(function (p, t) {
        if (!p) return;
        shared[p[0]] = before[p[0]] + before[p[1]];
        s.adds.push({ thread: t, to: p[0], from: p[1] });
      });
      s.values = shared.slice();
    };
    if (settings.order === 'sequential')
      for (var count = block; count > 1;) {
        var half = count + 1 >> 1;
        tree('half ' + half, function (t) { return t + half < count ? [t, t + half] : null; });
        count = half;
      }
    else
      for (var stride = 1; stride < block; stride *= 2)
        tree('stride ' + stride, function (t) {
          var i = settings.order === 'strided' ? 2 * stride * t : t;
          return i % (2 * stride) === 0 && i + stride < block ? [i, i + stride] : null;
        });
    s = step('result', 'Thread 0 stores the sum of the block.');
    execute(s, 'load', 'shared', function (t) { return t === 0 ? at(0) : null; });
    execute(s, 'store', 'global', function (t) { return t === 0 ? 0 : null; });
    s.values = shared.slice();
  } else {
    var exchange = function (order, distance, only, lanes) { /* in the first `only` warps */
      s = step(order + ' ' + distance, '');
      var before = value.slice();
      for (var w = 0; w < only; w++) {
        var have = lanes(w), all = [];
        for (lane = 0; lane < warp; lane++) all.push(w * warp + lane < block ? lane : null);
        s.instructions.push({ warp: w, kind: 'shuffle', space: 'registers', at: all, lanes: lanesOf(w) });
        for (lane = 0; lane < lanesOf(w); lane++) {
          var from = order === 'down' ? lane + distance : order === 'xor' ? lane ^ distance : lane - distance;
          if (from < 0 || from >= have || lane >= warp) continue;
          value[w * warp + lane] = before[w * warp + lane] + before[w * warp + from];
          s.adds.push({ thread: w * warp + lane, to: w * warp + lane, from: w * warp + from });
        }
      }
      s.values = value.slice();
    };
    var distance;
    if (settings.order === 'up')
      for (distance = 1; distance < warp; distance *= 2) exchange('up', distance, warps, lanesOf);
    else
      for (distance = warp / 2; distance >= 1; distance /= 2) exchange(settings.order, distance, warps, lanesOf);
    s = step('store', 'One lane of each warp writes the value of its warp to shared memory. Then all wait.');
    execute(s, 'store', 'shared', function (t) {
      var w = Math.floor(t / warp);
      return t % warp === (settings.order === 'up' ? lanesOf(w) - 1 : 0) ? w : null;
    });
    barrier(s);
    for (var w = 0; w < warps; w++) shared[w] = value[w * warp + (settings.order === 'up' ? lanesOf(w) - 1 : 0)];
    s.values = value.slice();
    s = step('first warp', 'The first warp loads these values.');
    execute(s, 'load', 'shared', function (t) { return t < warp && t < warps ? t : null; });
    for (tid = 0; tid < Math.min(warp, block); tid++) value[tid] = tid < warps ? shared[tid] : 0;
    for (tid = warp; tid < block; tid++) value[tid] = 0;
    s.values = value.slice();
    for (distance = warp / 2; distance >= 1; distance /= 2) exchange('down', distance, 1, lanesOf);
    s = step('result', 'Thread 0 stores the sum of the block.');
    execute(s, 'store', 'global', function (t) { return t === 0 ? 0 : null; });
    s.values = value.slice();
  }

  var c = { instructions: 0, lanes: 0, shuffles: 0, barriers: 0, loadPasses: 0, loadConflicts: 0, storePasses: 0,
            storeConflicts: 0, sectors: 0 };
  steps.forEach(function (one) {
    one.counts = { passes: 0, conflicts: 0, lanes: 0, instructions: 0 };
    one.instructions.forEach(function (i) {
      if (i.kind === 'shuffle') { c.shuffles++; return; }
      c.instructions++;
      c.lanes += i.lanes;
      one.counts.instructions++;
      one.counts.lanes += i.lanes;
      if (i.space === 'shared') {
        var cost = costOf(i, settings.bytes);
        i.passes = cost.passes;
        i.conflicts = cost.conflicts;
        c[i.kind + 'Passes'] += cost.passes;
        c[i.kind + 'Conflicts'] += cost.conflicts;
        one.counts.passes += cost.passes;
        one.counts.conflicts += cost.conflicts;
      } else if (i.kind === 'load') {
        var sectors = {};
        i.at.forEach(function (e) { if (e !== null) sectors[Math.floor(e * settings.bytes / (warp === 64 ? 64 : 32))] = true; });
        i.sectors = Object.keys(sectors).length;
        c.sectors += i.sectors;
      }
    });
    if (one.barrier) c.barriers += warps;
  });
  return { steps: steps, counts: c, sum: shuffles ? value[0] : shared[0], warps: warps };
}
