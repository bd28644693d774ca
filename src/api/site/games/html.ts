import { createHash } from 'node:crypto';
import type { Round } from '../../../core/games/round.ts';
import { houseEdge, tableOf } from '../../../core/games/tables.ts';
import { escapeHtml as e } from '../../escape-html.ts';
import { CHECK_SCRIPT } from './script.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere;background:#fff;color:#16181d}h1{font-size:1.5rem;margin:.2rem 0}label{display:block;font-weight:600;margin-top:.7rem}input{font:.85rem ui-monospace,monospace;width:100%;box-sizing:border-box;padding:.4rem}button{margin-top:1rem;font:inherit;padding:.4rem .9rem}.level{padding:.6rem .8rem;border-radius:8px}.OK{background:#e7f5ec}.BLOCK{background:#fbe3e3}.soft{color:#5c6370}@media(prefers-color-scheme:dark){body{background:#10141c;color:#e8ebf2}.soft{color:#9aa4b8}.OK{background:#143022}.BLOCK{background:#411d1d}}';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** This script and this style, and nothing from anywhere: the page cannot ask a server what to say. */
export const ROUND_CSP = `default-src 'none'; script-src 'sha256-${hashOf(CHECK_SCRIPT)}'; style-src 'sha256-${hashOf(STYLE)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A round for people. Nobody's name is on it; before the bet is settled it shows the commitment alone. */
export function roundPage(round: Round): string {
  const { bet, result } = round;
  const table = tableOf(round.table);
  const rows: readonly (readonly [id: string, label: string, value: string])[] = [
    ['round', 'Round', round.id],
    ['table', 'Rules', round.table],
    ['commitment', 'Commitment, shown before the bet', round.commitment],
  ];
  if (bet === null || result === null || table === null) {
    return page(
      'Round',
      `<h1>Round</h1>${fields(rows)}<p>The seed is revealed here as soon as the round is played and settled.</p>`,
    );
  }
  const all = fields([
    ...rows,
    ['seed', 'Seed, revealed after the bet', result.seed],
    ['choice', 'Choice', `${bet.choice}`],
    ['stake', 'Stake', `${bet.points}`],
    ['pays', 'What each sector pays, in tenths of the stake', table.payTenths.join(' ')],
    ['payout', 'Paid', `${result.payout}`],
  ]);
  return page(
    'Round',
    `<h1>Round</h1><p id="verdict" class="level"></p><noscript><p>The check below needs JavaScript. By hand: <code>printf '%s' '${e(`${round.table}:${round.id}:${result.seed}`)}' | sha256sum</code></p></noscript>
<p class="soft">Your browser has computed this just now, without asking us. Compare the commitment with the one in your chat, or put that one here. House edge ${houseEdge(table) / 100} %.</p>
${all}<button id="again" type="button">Check again</button><script>${CHECK_SCRIPT}</script>`,
  );
}

/** A page for a name that is no round. */
export function noRoundPage(title: string, sentence: string): string {
  return page(title, `<h1>${e(title)}</h1><p>${e(sentence)}</p>`);
}

function fields(rows: readonly (readonly [id: string, label: string, value: string])[]): string {
  return rows
    .map(
      ([id, label, value]) =>
        `<label for="${id}">${e(label)}</label><input id="${id}" value="${e(value)}" spellcheck="false" autocomplete="off">`,
    )
    .join('\n');
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${e(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}
