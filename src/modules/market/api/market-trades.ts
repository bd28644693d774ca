import type { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { Answer } from '../../../platform/http/answer.ts';
import type { MarketEntry } from '../use/market-snapshot.ts';
import { cursorInvalid, cursorText, marketOf, readCursor, type tradesQuery } from './market-input.ts';
import { nextQuery } from './market-list.ts';
import { tradeOf } from './market-records.ts';

/** Without a limit, as old clients ask. */
const MAX_TRADES = 10_000;
const MAX_AGE = 1;
/** Trades that are looked through for one that is no dust. */
const PRICED_WITHIN = 20;

type TradesQuery = z.infer<typeof tradesQuery>;

/** Trades of one market, newest first, and the way to older ones. `path` is where they are asked for. */
export async function marketTrades(
  deps: Pick<ApiDeps, 'market'>,
  { address, cursor, limit, since }: TradesQuery,
  options: { readonly path: string; readonly since: number | null; readonly links?: readonly string[] },
): Promise<Answer> {
  const entry = await marketOf(deps, address);
  const wanted = limit === undefined ? MAX_TRADES : Number(limit);
  const floor = Math.max(options.since ?? 0, since === undefined ? 0 : Math.ceil(Date.parse(since) / 1_000));
  const trades = await deps.market.trades(entry.market.id, {
    limit: wanted + 1,
    ...(floor === 0 ? {} : { since: floor }),
    ...(cursor === undefined ? {} : { before: tradeCursor(cursor) }),
  });
  const shown = trades.slice(0, wanted);
  const last = shown.at(-1);
  const links = [...(options.links ?? [])];
  if (trades.length > wanted && last !== undefined) {
    const next = nextQuery({ limit, since }, cursorText('trades', last.id.toString()));
    links.unshift(`<${options.path}?${next}>; rel="next"`);
  }
  return new Answer({
    data: shown.map((trade) => tradeOf(entry.market, trade)),
    maxAge: MAX_AGE,
    headers: links.length === 0 ? {} : { link: links.join(', ') },
  });
}

/** The newest trade, from the tape itself; null before the first. */
export async function lastTradeOf(deps: Pick<ApiDeps, 'market'>, entry: MarketEntry) {
  const [trade] = await deps.market.trades(entry.market.id, { limit: 1 });
  // Its partition may be gone while the list still has it.
  return trade ?? entry.last;
}

function tradeCursor(text: string): bigint {
  const after = readCursor('trades', text);
  if (!/^\d{1,16}$/.test(after)) throw cursorInvalid();
  return BigInt(after);
}

/** The newest trade that says a price, if it is among the newest few; null otherwise. */
export async function lastPricedTradeOf(deps: Pick<ApiDeps, 'market'>, entry: MarketEntry) {
  const newest = await deps.market.trades(entry.market.id, { limit: PRICED_WITHIN });
  return newest.find(({ dust }) => !dust) ?? null;
}
