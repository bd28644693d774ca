import { type Candle, exactPrice, isDust, type RecordedTrade, type TapeTrade } from '@tradepost/tape';
import { address } from '../../../core/address/address.ts';
import type { MarketDecimals } from '../market-terms.ts';
import { recordedTrade, type TradeFields } from '../recorded-trade.ts';

/** A trade as ClickHouse gives it. */
export type TradeRow = TradeFields & {
  readonly trader: string;
  readonly signature: string;
  readonly created_at: string;
};

export const TRADE_COLUMNS =
  'id, market_id, at, is_buy, base, quote, fee, fee_source, price, dust, trader, signature, source, created_at';

/** Significant digits of a stored price. */
const PRICE_DIGITS = 18;

/** When and under which version a batch is written. */
export type Stamp = { readonly version: bigint /** Epoch milliseconds. */; readonly now: number };

export function toRow(trade: TapeTrade, decimals: MarketDecimals, { now }: Stamp): TradeRow {
  return {
    id: trade.id.toString(),
    market_id: trade.marketId,
    at: trade.at.toString(),
    is_buy: trade.side === 'buy',
    base: trade.base.toString(),
    quote: trade.quote.toString(),
    fee: trade.fee?.toString() ?? null,
    fee_source: trade.feeSource,
    price: exactPrice(trade, decimals),
    dust: isDust(trade),
    trader: trade.trader,
    signature: trade.signature,
    source: trade.source,
    created_at: now.toString(),
  };
}

/** The row as the table of trades takes it. */
export function versioned(row: TradeRow, { version }: Stamp, gone: boolean): object {
  return { ...row, ...priceRank(row.price), version: version.toString(), gone: gone ? 1 : 0 };
}

/** Prices are text; their order is that of exponent and digits. */
function priceRank(price: string): { readonly price_exponent: number; readonly price_digits: string } {
  const [whole = '0', fraction = ''] = price.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return { price_exponent: -32_768, price_digits: '0' };
  const leading = whole === '0' ? -(fraction.length - fraction.replace(/^0+/, '').length) : whole.length;
  return { price_exponent: leading, price_digits: digits.slice(0, PRICE_DIGITS).padEnd(PRICE_DIGITS, '0') };
}

export function fromRow(row: TradeRow, sealedSlot: bigint | null): RecordedTrade {
  return recordedTrade(row, sealedSlot, {
    trader: address(row.trader),
    signature: row.signature,
    createdAt: Number(row.created_at),
  });
}

/** Whether the row is this trade; one with its number and another content is another fork's. */
export function isSameTrade(row: TradeRow, trade: TapeTrade): boolean {
  return (
    row.market_id === trade.marketId &&
    row.signature === trade.signature &&
    BigInt(row.base) === trade.base &&
    BigInt(row.quote) === trade.quote &&
    row.is_buy === (trade.side === 'buy') &&
    Number(row.at) === trade.at &&
    row.trader === trade.trader
  );
}

export type CandleRow = {
  readonly t: string;
  readonly o: string;
  readonly h: string;
  readonly l: string;
  readonly c: string;
  readonly base: string;
  readonly quote: string;
  readonly buy_quote: string;
  readonly n: string;
  readonly open_id: string;
  readonly close_id: string;
};

export function toCandle(row: CandleRow): Candle {
  const openId = BigInt(row.open_id);
  return {
    t: Number(row.t),
    prices:
      openId === 0n
        ? null
        : { open: row.o, high: row.h, low: row.l, close: row.c, openId, closeId: BigInt(row.close_id) },
    base: BigInt(row.base),
    quote: BigInt(row.quote),
    buyQuote: BigInt(row.buy_quote),
    n: Number(row.n),
  };
}
