import { createHash } from 'node:crypto';
import { type Html, html } from '../../../platform/http/look/html.ts';
import type { Round } from '../rules/round.ts';
import { houseEdge, tableOf } from '../rules/tables.ts';
import { CHECK_SCRIPT } from './script.ts';

const HASH = createHash('sha256').update(CHECK_SCRIPT).digest('base64');

/** This one script, and it may connect to nothing: the page cannot ask a server for its text. */
export const ROUND_CSP = `default-src 'none'; script-src 'sha256-${HASH}'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type Field = readonly [id: string, label: string, value: string];

/** A round for people. It names no person; before the bet is settled it shows the commitment alone. */
export function roundPage(round: Round): Html {
  const { bet, result } = round;
  const table = tableOf(round.table);
  const rows: readonly Field[] = [
    ['round', 'Round', round.id],
    ['table', 'Rules', round.table],
    ['commitment', 'Commitment, shown before the bet', round.commitment],
  ];
  if (bet === null || result === null || table === null) {
    return html`<div class="narrow"><section class="card"><h1>Was this round fair?</h1><p>Nobody can tell yet. The seed is revealed here as soon as the round is played and settled; it must then have this commitment as its hash.</p>${rows.map(field)}</section></div>`;
  }
  const byHand = `printf '%s' '${round.table}:${round.id}:${result.seed}' | sha256sum`;
  const all: readonly Field[] = [
    ...rows,
    ['seed', 'Seed, revealed after the bet', result.seed],
    ['choice', 'Choice', `${bet.choice}`],
    ['stake', 'Stake', `${bet.points}`],
    ['pays', 'What each sector pays, in tenths of the stake', table.payTenths.join(' ')],
    ['payout', 'Paid', `${result.payout}`],
  ];
  // The script holds no user's text, and its hash is in the policy: it goes in as it is.
  const script = { markup: `<script>${CHECK_SCRIPT}</script>` } as Html;
  return html`<div class="narrow"><section class="card"><h1>Was this round fair?</h1><p id="verdict" class="level" role="status"></p><noscript><p>The check needs JavaScript. By hand: <code class="long">${byHand}</code></p></noscript>
<p class="soft">Your browser has computed this just now, without asking us. Compare the commitment with the one in your chat, or put that one below. House edge ${houseEdge(table) / 100} %.</p>
<details><summary>Show the arithmetic</summary>${all.map(field)}<p class="actions"><button id="again" type="button">Check again</button></p></details></section></div>${script}`;
}

function field([id, label, value]: Field): Html {
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" value="${value}" spellcheck="false" autocomplete="off"></div>`;
}
