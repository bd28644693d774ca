import type { Pause, Switch } from '../../../engine/switches/rules.ts';
import { type Html, html } from '../../../platform/http/look/html.ts';
import { age } from '../../../platform/http/look/numbers.ts';
import { type Page, type PageDeps, pageOf } from '../../../platform/http/site/page.ts';
import { figuresCards } from '../../trading/pages/figures.ts';
import type { TradingFigures } from '../../trading/use/trading-figures.ts';
import { HISTORY_DAYS } from '../rules/retention.ts';
import type { PartsAnswer } from '../use/ask-parts.ts';
import type { StatusHistory } from '../use/status-history.ts';
import { historyCard, incidentsCard, partName } from './history.ts';

/** `/status`: whether everything answers and did for 90 days, incidents, paused parts with why, and how far the market data have been read. */
export const statusPage: Page = {
  path: '/status',
  handle: async (deps) => {
    const [answer, pauses, data, history, figures] = await Promise.all([
      deps.parts(),
      deps.pauses(),
      marketData(deps),
      deps.history(),
      deps.tradingFigures().catch(() => null),
    ]);
    const facts = { answer, pauses, data, history, figures, now: deps.clock.now() };
    return pageOf(deps.frame, {
      title: 'Status',
      place: 'status',
      body: html`<div id="status" data-live>${statusBody(facts)}</div>`,
      runs: 'live',
      description: `Whether this desk works: its parts now and over ${HISTORY_DAYS} days, incidents, what its operator has paused, and its market data.`,
    });
  },
};

type Data = {
  readonly markets: number;
  /** Markets of which trades may be missing. */
  readonly gaps: number;
  /** Epoch milliseconds of the newest trade; null before the first. */
  readonly newestAt: number | null;
};

type StatusFacts = {
  readonly answer: PartsAnswer;
  readonly pauses: readonly Pause[];
  /** Null: they could not be read. */
  readonly data: Data | null;
  readonly history: StatusHistory | null;
  /** Null: they could not be read. */
  readonly figures: TradingFigures | null;
  readonly now: number;
};

async function marketData({ market }: Pick<PageDeps, 'market'>): Promise<Data | null> {
  const snapshot = await market.snapshot().catch(() => null);
  if (snapshot === null) return null;
  const newest = Math.max(0, ...snapshot.entries.map(({ last }) => last?.at ?? 0));
  return {
    markets: snapshot.entries.length,
    gaps: snapshot.entries.filter((entry) => entry.market.gapSince !== null).length,
    newestAt: newest === 0 ? null : newest * 1_000,
  };
}

const PAUSED: Readonly<Record<Exclude<Switch, `${string}:${string}`>, string>> = {
  signing: 'All signing',
  trading: 'Trading',
  orders: 'Orders',
  exports: 'Key files',
  withdrawals: 'Withdrawals',
  payouts: 'Payouts of rewards',
  creation: 'Making tokens',
  launches: 'Launches',
  games: 'Games',
  api: 'The API',
};

function statusBody({ answer, pauses, data, history, figures, now }: StatusFacts): Html {
  const down = Object.values(answer.parts).filter((part) => part !== 'ok').length;
  const open = history?.incidents.filter(({ closedAt }) => closedAt === null).length ?? 0;
  const isWell = answer.isWell && pauses.length === 0 && open === 0;
  return html`<div class="hero"><h1>Does it work?</h1><p class="lead">${sentence(down, pauses.length, open)}</p><p><span class="chip ${isWell ? 'ok' : down > 0 ? 'bad' : 'care'}">${isWell ? '✓ everything answers' : down > 0 ? '✕ something is down' : pauses.length > 0 ? '! something is paused' : '! an incident goes on'}</span></p></div>
<section class="card flush"><h2>Parts</h2><table class="rows"><thead><tr><th>Part</th><th>State</th></tr></thead><tbody>${Object.entries(answer.parts).map(([name, state]) => html`<tr><td>${partName(name)}</td><td>${state === 'ok' ? html`<span class="chip ok">✓ answers</span>` : html`<span class="chip bad">✕ does not answer</span>`}</td></tr>`)}</tbody></table></section>
${pauses.length > 0 && pausedCard(pauses, now)}
${incidentsCard(history)}
${historyCard(history, Object.keys(answer.parts), now)}
<section class="card">${dataPart(data, now)}</section>
${figures !== null && figuresCards(figures)}
<p class="soft small wide">Looked at a moment ago. For programs: <a href="/status.json">/status.json</a>, <a href="/health">/health</a></p>`;
}

function sentence(down: number, paused: number, incidents: number): string {
  if (down > 0) return 'Not all of it. What needs the part below waits; nothing that was sent is lost.';
  if (paused > 0) return 'Yes, but the operator has paused something.';
  if (incidents > 0) return 'Every part answers, but an incident goes on.';
  return 'Yes. Everything answers and nothing is paused.';
}

function pausedCard(pauses: readonly Pause[], now: number): Html {
  const rows = pauses.map(
    ({ what, reason, since, until }) =>
      html`<tr><td>${nameOf(what)}</td><td>${reason}</td><td>${age(since, now)}</td><td>${until === null ? 'until it is resumed' : new Date(until).toISOString().slice(0, 16).replace('T', ' ') + ' UTC'}</td></tr>`,
  );
  return html`<section class="card flush"><h2>Paused by the operator</h2><div class="scroll" tabindex="0" role="region" aria-label="Paused"><table class="rows"><thead><tr><th>What</th><th>Why</th><th>Since</th><th>Until</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function nameOf(what: Switch): string {
  const own = Object.entries(PAUSED).find(([name]) => name === what)?.[1];
  const [kind = '', name = ''] = what.split(':');
  return own ?? (kind === 'aggregator' ? `Routes of ${name}` : `Trading at ${name}`);
}

function dataPart(data: Data | null, now: number): Html {
  if (data === null) return html`<h2>Market data</h2><p class="soft">They cannot be read just now.</p>`;
  const { markets, gaps, newestAt } = data;
  const trade = newestAt === null ? html`no trade seen yet` : html`newest trade ${age(newestAt, now)}`;
  return html`<h2>Market data</h2><p>${markets.toLocaleString('en-US')} ${markets === 1 ? 'market' : 'markets'}, ${trade}.</p>${gaps > 0 ? html`<p class="note care">! Of ${gaps} of them trades may be missing: the chain’s history has not been read whole yet. Their pages say since when.</p>` : html`<p class="soft">No gap: of each market every trade has been read.</p>`}`;
}
