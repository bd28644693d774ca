import { addressBytes, addressFromBytes, fromBase58, toBase58 } from '@tradepost/solana';
import { type Candle, exactPrice, isDust, type RecordedTrade, type TapeTrade } from '@tradepost/tape';
import type { MarketDecimals } from '../market-terms.ts';
import { recordedTrade, type TradeFields } from '../recorded-trade.ts';

/** Trades as columns of text, one array each, in the order of `GIVEN`. By id: statements that wait for each other do so in turn. */
export function tradeColumns(
  trades: readonly TapeTrade[],
  decimalsOf: (marketId: number) => MarketDecimals,
): readonly (readonly string[])[] {
  const sorted = trades.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const column = (read: (trade: TapeTrade) => string): readonly string[] => sorted.map(read);
  return [
    column(({ id }) => id.toString()),
    column(({ marketId }) => marketId.toString()),
    column(({ at }) => at.toString()),
    column(({ side }) => (side === 'buy' ? 't' : 'f')),
    column(({ base }) => base.toString()),
    column(({ quote }) => quote.toString()),
    // Arrays of text hold no null here: an unknown fee is empty.
    column(({ fee }) => fee?.toString() ?? ''),
    column(({ feeSource }) => feeSource),
    column((trade) => exactPrice(trade, decimalsOf(trade.marketId))),
    column((trade) => (isDust(trade) ? 't' : 'f')),
    column(({ trader }) => hex(addressBytes(trader))),
    column(({ signature }) => hex(signatureBytes(signature))),
    column(({ source }) => source),
  ];
}

/** The columns above as a table of the types that the tape has. */
export const GIVEN = `(SELECT g.id, g.market_id, g.at, g.is_buy, g.base, g.quote, nullif(g.fee, '')::numeric AS fee,
    g.fee_source, g.price, g.dust, decode(g.trader, 'hex') AS trader, decode(g.signature, 'hex') AS signature, g.source
  FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::boolean[], $5::numeric[], $6::numeric[], $7::text[], $8::text[],
    $9::numeric[], $10::boolean[], $11::text[], $12::text[], $13::text[])
  AS g(id, market_id, at, is_buy, base, quote, fee, fee_source, price, dust, trader, signature, source))`;

export const TRADE_COLUMNS =
  'id, market_id, at, is_buy, base, quote, fee, fee_source, price, dust, trader, signature, source, created_at';

export type TradeRow = TradeFields & {
  readonly trader: Uint8Array;
  readonly signature: Uint8Array;
  readonly created_at: Date;
};

export function toTrade(row: TradeRow, sealedSlot: bigint | null): RecordedTrade {
  return recordedTrade(row, sealedSlot, {
    trader: addressFromBytes(row.trader),
    signature: toBase58(row.signature),
    createdAt: row.created_at.getTime(),
  });
}

export type CandleRow = {
  readonly t: string;
  readonly o: string | null;
  readonly h: string | null;
  readonly l: string | null;
  readonly c: string | null;
  readonly base: string;
  readonly quote: string;
  readonly buy_quote: string;
  readonly n: number;
  readonly open_id: string | null;
  readonly close_id: string | null;
};

export function toCandle(row: CandleRow): Candle {
  const { o, h, l, c, open_id: openId, close_id: closeId } = row;
  const isWhole = o !== null && h !== null && l !== null && c !== null && openId !== null && closeId !== null;
  return {
    t: Number(row.t),
    prices: isWhole
      ? { open: o, high: h, low: l, close: c, openId: BigInt(openId), closeId: BigInt(closeId) }
      : null,
    base: BigInt(row.base),
    quote: BigInt(row.quote),
    buyQuote: BigInt(row.buy_quote),
    n: row.n,
  };
}

function signatureBytes(signature: string): Uint8Array {
  const bytes = fromBase58(signature);
  if (bytes === null) throw new RangeError('a signature of the tape is not base58');
  return bytes;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
