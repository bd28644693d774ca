/**
 * The program of a round's page in the reader's browser. It takes everything from the fields of the page, which the reader can overwrite
 * with those of the chat, and asks no server. SHA-256 is here in full, because browsers offer theirs to HTTPS pages only.
 */
export const CHECK_SCRIPT = `'use strict';
function sha256(text) {
  var k = [], h = [], n = 2, i, j;
  function frac(x) { return ((x - Math.floor(x)) * 4294967296) | 0; }
  for (; k.length < 64; n++) {
    var prime = true;
    for (i = 2; i * i <= n; i++) if (n % i === 0) { prime = false; break; }
    if (!prime) continue;
    if (h.length < 8) h.push(frac(Math.sqrt(n)));
    k.push(frac(Math.cbrt(n)));
  }
  var bytes = Array.from(new TextEncoder().encode(text)), bits = bytes.length * 8;
  bytes.push(128);
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (i = 7; i >= 0; i--) bytes.push(Math.floor(bits / Math.pow(256, i)) % 256);
  function rotate(x, by) { return (x >>> by) | (x << (32 - by)); }
  for (var at = 0; at < bytes.length; at += 64) {
    var w = [], s = h.slice();
    for (i = 0; i < 64; i++) {
      if (i < 16) { j = at + 4 * i; w[i] = (bytes[j] << 24) | (bytes[j + 1] << 16) | (bytes[j + 2] << 8) | bytes[j + 3]; }
      else {
        var a = w[i - 15], b = w[i - 2];
        w[i] = (w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10))) | 0;
      }
      var t1 = (s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i]) | 0;
      var t2 = ((rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]))) | 0;
      s = [(t1 + t2) | 0, s[0], s[1], s[2], (s[3] + t1) | 0, s[4], s[5], s[6]];
    }
    for (i = 0; i < 8; i++) h[i] = (h[i] + s[i]) | 0;
  }
  return h.map(function (x) { return (x >>> 0).toString(16).padStart(8, '0'); }).join('');
}
function field(id) { return document.getElementById(id).value.trim(); }
function check() {
  var out = document.getElementById('verdict'), lines = [], seed = field('seed').toLowerCase();
  var pays = field('pays').split(/[ ,]+/).map(Number), choice = Number(field('choice')), stake = Number(field('stake'));
  if (!/^[0-9a-f]{64}$/.test(seed)) { out.className = 'level BLOCK'; out.textContent = 'Expected a seed of 64 hexadecimal digits.'; return; }
  var text = field('table') + ':' + field('round') + ':' + seed, hash = sha256(text);
  var kept = hash === field('commitment').toLowerCase();
  lines.push('SHA-256 of ' + text + ' is ' + hash + (kept ? ': the commitment.' : ': NOT the commitment.'));
  var roll = parseInt(seed.slice(-2), 16) % pays.length, sector = (roll - choice + pays.length) % pays.length;
  var due = stake * pays[sector] / 10, right = due === Number(field('payout'));
  lines.push('Last byte of the seed modulo ' + pays.length + ' is ' + roll + '; less the choice ' + choice + ' that is sector ' + sector + '.');
  lines.push('It pays ' + pays[sector] / 10 + ' times the stake: ' + due + ' points' + (right ? ', as was paid.' : '; NOT what was paid.'));
  out.className = 'level ' + (kept && right ? 'OK' : 'BLOCK');
  out.textContent = (kept && right ? 'Everything follows from the commitment. ' : 'THIS ROUND WAS NOT FAIR. ') + lines.join(' ');
}
if (document.getElementById('seed')) { document.getElementById('again').addEventListener('click', check); check(); }
`;
