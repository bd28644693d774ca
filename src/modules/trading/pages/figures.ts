import { type Html, html } from '../../../platform/http/look/html.ts';
import { OWN_SOURCE, type SourceFigures } from '../rules/source-figures.ts';
import type { VerdictCount } from '../store/verdict-store-port.ts';
import type { TradingFigures } from '../use/trading-figures.ts';

/** Two cards of `/status`; a card without counts is left out. */
export function figuresCards({ sources, verdicts }: TradingFigures): Html {
  return html`${sources.length > 0 && sourcesCard(sources)}${verdicts.length > 0 && verdictsCard(verdicts)}`;
}

/** Names of sources and senders that are no proper names. */
const NAMES: Readonly<Record<string, string>> = {
  [OWN_SOURCE]: 'Our own router',
  raydium: 'Raydium',
  jupiter: 'Jupiter',
  okx: 'OKX',
  nodes: 'Nodes, without a tip',
  jito: 'Jito',
  sender: 'Sender',
};

const nameOf = (name: string): string => NAMES[name] ?? name;

function sourcesCard(sources: readonly SourceFigures[]): Html {
  const rows = sources.map(
    ({ pairClass, source, offers, wins, failures, medianGainBps }) =>
      html`<tr><td>${pairClass === 'major' ? 'Major' : 'Other'}</td><td>${nameOf(source)}</td><td>${share(wins, offers)}</td><td>${count(offers)}</td><td>${medianGainBps === null ? 'n/a' : `${(medianGainBps / 100).toFixed(2)}%`}</td><td>${count(failures)}</td></tr>`,
  );
  return card(
    'Whose price was best, 30 days',
    'Quotes in which an aggregator gave a price beside our own. Of equal prices our own is taken.',
    ['Pairs', 'Source', 'Best', 'Prices', 'Median gain', 'Failed'],
    rows,
  );
}

function verdictsCard(verdicts: readonly VerdictCount[]): Html {
  const senders = [...new Set(verdicts.map(({ sender }) => sender))].toSorted();
  const rows = senders.map((sender) => {
    const of = (...certainties: readonly VerdictCount['certainty'][]): number =>
      verdicts
        .filter((one) => one.sender === sender && certainties.includes(one.certainty))
        .reduce((sum, { trades }) => sum + trades, 0);
    const known = of('sure', 'likely', 'none');
    return html`<tr><td>${nameOf(sender)}</td><td>${share(of('sure', 'likely'), known)}</td><td>${count(of('sure'))}</td><td>${count(of('likely'))}</td><td>${count(known)}</td><td>${count(of('not-known'))}</td></tr>`;
  });
  return card(
    'Others before and after a trade, 30 days',
    'Trades of this desk around which somebody bought and sold at its cost, by the market data.',
    ['Sent by', 'Share', 'Sure', 'Likely', 'Judged', 'Not known'],
    rows,
  );
}

function card(title: string, sentence: string, heads: readonly string[], rows: readonly Html[]): Html {
  return html`<section class="card flush"><h2>${title}</h2><p class="soft small">${sentence}</p><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="rows"><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

const count = (number: number): string => number.toLocaleString('en-US');

/** A share of 0 of 0 is not known. */
function share(part: number, whole: number): string {
  return whole === 0 ? 'n/a' : `${((part * 100) / whole).toFixed(1)}%`;
}
