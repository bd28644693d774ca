import type { Address } from '@tradepost/solana';
import { type Html, html } from '../../../platform/http/look/html.ts';
import {
  age,
  change,
  dollarPrice,
  dollarText,
  letterMark,
  spark,
} from '../../../platform/http/look/numbers.ts';
import type { TokenSort } from '../../market/rules/token-list.ts';
import type { SparkLine } from '../../market/use/load-spark-lines.ts';
import type { TokenRow, TokenTable } from '../../market/use/token-table.ts';
import { displayName } from '../rules/display-name.ts';
import { AGES, DEPTHS, hrefOf, nextHref, type TableChoices } from './table-query.ts';

export type TableFacts = {
  readonly choices: TableChoices;
  /** `away`: it cannot be read now; null: nothing was read yet. */
  readonly table: TokenTable | null | 'away';
  /** By market id. */
  readonly sparks: ReadonlyMap<number, SparkLine>;
  /** By mint: paths of this host. A token without one has a drawn letter. */
  readonly pictures: ReadonlyMap<Address, string>;
  readonly now: number;
};

/** The filters of the table; they work without a script. */
export function filterForm({ choices, table }: Pick<TableFacts, 'choices' | 'table'>): Html {
  const { venue, verified, age: young, depth, sort, order } = choices;
  const venues = table === null || table === 'away' ? [] : table.venues;
  const named = venue === '' || venues.includes(venue) ? venues : [...venues, venue];
  return html`<form class="filters" action="/" method="get" aria-label="Filter"><input type="hidden" name="sort" value="${sort}"><input type="hidden" name="order" value="${order}">
<label>Venue <select name="venue">${option('', 'any', venue)}${named.map((one) => option(one, one, venue))}</select></label>
<label>First seen <select name="age">${option('', 'any time', young)}${Object.keys(AGES).map((one) => option(one, `last ${one}`, young))}</select></label>
<label>Liquidity <select name="depth">${option('', 'any', depth)}${DEPTHS.map((one) => option(String(one), `from ${dollarText(one)}`, depth))}</select></label>
<label>Verified <select name="verified">${option('', 'all', verified)}${option('true', 'verified only', verified)}</select></label><button>Filter</button></form>`;
}

function option(value: string, label: string, chosen: string): Html {
  return value === chosen
    ? html`<option value="${value}" selected>${label}</option>`
    : html`<option value="${value}">${label}</option>`;
}

/** One row a token: its deepest market speaks for it. */
export function tokenTable({ choices, table, sparks, pictures, now }: TableFacts): Html {
  if (table === 'away')
    return html`<h2>Tokens</h2><p class="soft">They cannot be read just now. Please try again in a moment.</p>`;
  if (table === null)
    return html`<h2>Tokens</h2><p class="soft">None yet. They show here as soon as the indexer has read the first pool from the chain.</p>`;
  const { rows, next, known } = table;
  if (rows.length === 0)
    return html`<h2>Tokens</h2><p class="soft">No token passes this filter. <a href="/">Show all</a></p>`;
  const heads = html`<tr><th>Token</th>${head(choices, 'usdPrice', 'Price')}<th class="number hide">5 m</th><th class="number hide">1 h</th><th class="number hide">6 h</th>${head(choices, 'change24h', '24 h')}<th class="number hide">Trades</th>${head(choices, 'volume24hUsd', 'Volume', 'hide')}${head(choices, 'liquidityUsd', 'Liquidity', 'hide')}<th class="number hide">Cap</th><th class="number hide">First seen</th><th class="number hide">24 hours</th></tr>`;
  return html`<h2>Tokens</h2><div class="scroll" tabindex="0" role="region" aria-label="Tokens"><table class="rows tokens"><thead>${heads}</thead><tbody>${rows.map((row) => tableRow(row, { line: sparks.get(row.market.market.id), picture: pictures.get(row.mint), now }))}</tbody></table></div><p class="soft small wide">${known.toLocaleString('en-US')} ${known === 1 ? 'token' : 'tokens'} in all. ${choices.cursor !== '' && html`<a href="${hrefOf(choices, {})}">First page</a> `}${next !== null && html`<a href="${nextHref(choices, next)}" rel="next">More</a> `}<a href="/tokens">As JSON</a></p>`;
}

function head({ sort, order, ...rest }: TableChoices, by: TokenSort, label: string, more = ''): Html {
  const isChosen = sort === by;
  const turned = isChosen && order === 'desc' ? 'asc' : 'desc';
  const href = hrefOf({ sort, order, ...rest }, { sort: by, order: turned });
  const link = html`<a href="${href}">${label}${isChosen && (order === 'desc' ? ' ↓' : ' ↑')}</a>`;
  return isChosen
    ? html`<th class="number ${more}" aria-sort="${order === 'desc' ? 'descending' : 'ascending'}">${link}</th>`
    : html`<th class="number ${more}">${link}</th>`;
}

type RowFacts = {
  readonly line: SparkLine | undefined;
  readonly picture: string | undefined;
  readonly now: number;
};

function tableRow(row: TokenRow, { line, picture, now }: RowFacts): Html {
  const { market } = row.market;
  const symbol = displayName(row.symbol) ?? displayName(row.name) ?? market.baseTicker;
  const mark = row.imitates
    ? html` <span class="chip care">! looks like another</span>`
    : row.verified && html` <span class="up" title="verified">✓</span>`;
  const others = row.markets > 1 && html` +${row.markets - 1} ${row.markets === 2 ? 'market' : 'markets'}`;
  // What looks like another may have its picture, too.
  const face =
    picture === undefined || row.imitates
      ? letterMark(symbol, row.mint)
      : html`<img class="letter" src="${picture}" alt="" width="32" height="32" loading="lazy">`;
  const where = `${market.name} at ${market.venue}: its deepest market`;
  return html`<tr><td><div class="token">${face}<div><a href="/token/${row.mint}">${symbol}</a>${mark}<br><a class="soft small" href="/market/${market.address}" title="${where}">${market.venue}</a><span class="soft small">${others}</span></div></div></td><td class="number">${dollarPrice(row.price?.usd ?? null)}</td><td class="number hide">${change(row.change[5])}</td><td class="number hide">${change(row.change[60])}</td><td class="number hide">${change(row.change[360])}</td><td class="number">${change(row.change24h)}</td><td class="number hide">${row.trades24h.toLocaleString('en-US')}</td><td class="number hide">${dollarText(row.volume24hUsd)}</td><td class="number hide">${dollarText(row.liquidityUsd)}</td><td class="number hide">${dollarText(row.capUsd)}</td><td class="number hide soft">${row.firstSeenAt === null ? 'n/a' : age(row.firstSeenAt, now)}</td><td class="number hide">${spark(line, wayOf(line))}</td></tr>`;
}

/** How the drawn line itself went; a token younger than a day has one too. */
function wayOf(line: SparkLine | undefined): number | null {
  const [first, last] = [line?.[0], line?.at(-1)];
  return first === undefined || last === undefined ? null : last - first;
}
