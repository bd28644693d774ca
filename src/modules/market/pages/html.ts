import { RESOLUTIONS, type RecordedTrade } from '@tradepost/tape';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import type { Frame } from '../../../platform/http/look/frame.ts';
import { type Html, html } from '../../../platform/http/look/html.ts';
import {
  age,
  amountText,
  change,
  dollarPrice,
  dollarText,
  placesOf,
  priceText,
  short,
  transaction,
} from '../../../platform/http/look/numbers.ts';
import { tokenPayload } from '../../referrals/rules/start-payload.ts';
import { marketViewOf } from '../api/market-view.ts';
import type { MarketEntry } from '../use/market-snapshot.ts';
import { depthOf, type MarketFacts } from './facts.ts';

type Surroundings = { readonly now: number; readonly frame: Frame };

const LABELS: Readonly<Record<(typeof RESOLUTIONS)[number], string>> = {
  '1': '1m',
  '3': '3m',
  '5': '5m',
  '15': '15m',
  '30': '30m',
  '60': '1h',
  '120': '2h',
  '180': '3h',
  '240': '4h',
  '1D': '1D',
};

/** The page of a market. Changing parts are marked `data-live`, and the browser replaces them. */
export function marketBody(facts: MarketFacts, around: Surroundings): Html {
  const { market } = facts.entry;
  return html`<p class="crumbs"><a href="/">Markets</a> / ${market.name}</p>
<div id="head" data-live>${head(facts.entry, around)}</div>
<div id="notes" data-live>${notes(facts)}</div>
<div id="tiles" data-live>${tiles(facts.entry)}</div>
<div class="board">${chartCard(facts)}<section class="card" id="depth" data-live>${depthCard(facts)}</section></div>
<section class="card flush" id="trades" data-live>${tradesCard(facts, around)}</section>
<section class="card">${about(facts.entry)}</section>`;
}

function head(entry: MarketEntry, { now, frame }: Surroundings): Html {
  const { market } = entry;
  const view = marketViewOf(entry);
  const bot = frame.botUrl(tokenPayload(market.baseMint, null));
  return html`<div class="market"><div><h1>${market.name}${market.verified ? html`<span class="chip ok">✓ verified</span>` : html`<span class="chip">not verified</span>`}</h1><p class="soft small">${market.venue} · pool ${short(market.address)} · token <a href="/token/${market.baseMint}">${market.baseTicker}</a></p>${bot !== null && html`<p class="actions wide"><a class="button" href="${bot}" rel="noopener">Trade in Telegram</a></p>`}</div>
<div class="quote"><p class="price">${priceText(view.priceExact)} <small>${market.quoteTicker}</small></p><p>${change(view.changePercent)} <span class="soft small">${view.partial === true ? 'since the first trade' : '24 h'}</span></p><p class="soft small">${view.usdPrice === null ? 'in dollars: n/a' : dollarPrice(view.usdPrice)} · ${view.time === null ? 'no trade yet' : html`last trade ${age(Date.parse(view.time), now)}`}</p></div></div>`;
}

/** Facts that a reader must know before believing the numbers. */
function notes({ entry, trades }: MarketFacts): Html {
  const { market } = entry;
  const unsealed = trades.filter(({ sealed }) => !sealed).length;
  return html`${market.gapSince !== null && html`<div class="note care"><p>! Trades from slot ${market.gapSince.toString()} on may be missing (a gap): the chain’s history has not been read whole yet. Volumes may be too small.</p></div>`}${unsealed > 0 && html`<p class="soft small">The newest ${unsealed === 1 ? 'trade is' : `${unsealed} trades are`} not final yet: a fork of the chain may still take ${unsealed === 1 ? 'it' : 'them'} back.</p>`}`;
}

function tiles(entry: MarketEntry): Html {
  const view = marketViewOf(entry);
  const { quoteTicker } = entry.market;
  const hasStats = entry.stats !== null;
  const tile = (label: string, value: string, unit = ''): Html =>
    html`<div><dt>${label}</dt><dd>${value}${value !== 'n/a' && unit !== '' && html` <small>${unit}</small>`}</dd></div>`;
  return html`<dl class="tiles">${tile('24 h volume', hasStats ? amountText(view.totalVolume) : 'n/a', quoteTicker)}${tile('24 h high', priceText(entry.stats?.high ?? null))}${tile('24 h low', priceText(entry.stats?.low ?? null))}${tile('Liquidity', dollarText(view.liquidityUsd))}${tile('24 h trades', hasStats ? view.trades.toLocaleString('en-US') : 'n/a')}${tile('Of it buys', view.totalVolume > 0 ? `${Math.round((view.buyVolume / view.totalVolume) * 100)} %` : 'n/a')}</dl>`;
}

function chartCard({ entry, bars, resolution }: MarketFacts): Html {
  const { market, stats } = entry;
  const picture = html`<a href="/market/${market.address}.png"><img src="/market/${market.address}.png" alt="Candles of ${market.name}" width="1280" height="800"></a>`;
  const pick = (one: (typeof RESOLUTIONS)[number]): Html =>
    html`<button type="button" data-pick="${one}" aria-pressed="${one === resolution ? 'true' : 'false'}">${LABELS[one]}</button>`;
  return html`<section class="card chart"><div class="head"><h2>Price</h2>${bars.length > 0 && html`<div class="picks" role="group" aria-label="Length of a bar">${RESOLUTIONS.map(pick)}</div>`}</div>${
    bars.length === 0
      ? html`<p class="soft">No bar yet. The first trade draws one.</p>`
      : html`<div class="plot" id="chart" data-symbol="${market.address}" data-resolution="${resolution}" data-digits="${Math.min(16, placesOf(Number(stats?.last?.price ?? 0)))}"><noscript>${picture}</noscript></div><p class="legend" id="legend"></p><p class="soft small">Charts by <a href="https://www.tradingview.com/" rel="noopener">TradingView Lightweight Charts™</a>, © TradingView, Inc., Apache-2.0. Rising bars are hollow, falling ones filled. <a href="/market/${market.address}.png">Picture</a></p>`
  }</section>`;
}

function depthCard(facts: MarketFacts): Html {
  const steps = depthOf(facts);
  const { book, entry } = facts;
  if (book === null || steps.length === 0)
    return html`<h2>Depth</h2><p class="soft">n/a. Both sides must have something to trade, and the chain must answer.</p>`;
  const most = Math.max(...steps.flatMap(({ buy, sell }) => [buy ?? 0, sell ?? 0]));
  const cell = (amount: number | null): Html =>
    html`<td class="number">${amount === null ? 'n/a' : amountText(amount)}<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${most > 0 && amount !== null ? Math.max(1, (amount / most) * 100).toFixed(1) : '0'}" height="8"/></svg></td>`;
  return html`<h2>Depth</h2><p class="soft small">What moves the price so far, in ${entry.market.quoteTicker}, fees included.</p><table class="ladder"><thead><tr><th>Price moves</th><th class="number">Buying</th><th class="number">Selling</th></tr></thead><tbody>${steps.map(
    ({ percent, buy, sell }) => html`<tr><td>${percent} %</td>${cell(buy)}${cell(sell)}</tr>`,
  )}</tbody></table><p class="soft small wide">${book.synthetic ? 'Made of the pool’s own quotes: nobody’s orders stand behind it.' : 'Live orders of the book.'} Read at slot ${book.slot.toString()}.</p>`;
}

function tradesCard({ entry, trades }: MarketFacts, around: Surroundings): Html {
  const { market } = entry;
  if (trades.length === 0)
    return html`<h2>Last trades</h2><p class="soft">None yet. The first swap in this pool shows here within a second.</p>`;
  return html`<h2>Last trades</h2><div class="scroll" tabindex="0" role="region" aria-label="Last trades"><table class="rows"><thead><tr><th>Time</th><th>Side</th><th class="number">Price ${market.quoteTicker}</th><th class="number">${market.baseTicker}</th><th class="number hide">${market.quoteTicker}</th><th class="number hide">Transaction</th></tr></thead><tbody>${trades.map((trade) => tradeRow(entry, trade, around))}</tbody></table></div>`;
}

function tradeRow({ market }: MarketEntry, trade: RecordedTrade, { now, frame }: Surroundings): Html {
  const side =
    trade.side === 'buy' ? html`<span class="up">▲ Buy</span>` : html`<span class="down">▼ Sell</span>`;
  return html`<tr><td class="soft">${age(trade.at * 1_000, now)}</td><td>${side}</td><td class="number">${priceText(trade.price)}</td><td class="number">${amountText(formatUnits(trade.base, market.baseDecimals))}</td><td class="number hide">${amountText(formatUnits(trade.quote, market.quoteDecimals))}</td><td class="number hide">${transaction(trade.signature, frame)}</td></tr>`;
}

function about({ market }: MarketEntry): Html {
  const row = (label: string, value: Html): Html => html`<dt>${label}</dt><dd>${value}</dd>`;
  return html`<h2>About this market</h2><dl class="facts">${row('Venue', html`${market.venue}`)}${row('Pool', html`<code class="long">${market.address}</code>`)}${row('Program', html`<code class="long">${market.programId}</code>`)}${row(`${market.baseTicker} mint`, html`<a href="/token/${market.baseMint}"><code class="long">${market.baseMint}</code></a>`)}${row(`${market.quoteTicker} mint`, html`<a href="/token/${market.quoteMint}"><code class="long">${market.quoteMint}</code></a>`)}${row('First seen', html`slot ${market.createdSlot.toString()}`)}${row('For programs', html`<a href="/market/${market.address}.json">JSON</a> · <a href="/docs#market-data">API</a>`)}</dl>`;
}
