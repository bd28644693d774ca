import { type FeeSource, type RecordedTrade, slotOfTrade, type TradeSource } from '@tradepost/tape';

/** A trade's fields that both stores give in one form: integers of 64 bits are text. */
export type TradeFields = {
  readonly id: string;
  readonly market_id: number;
  readonly at: string;
  readonly is_buy: boolean;
  readonly base: string;
  readonly quote: string;
  readonly fee: string | null;
  readonly fee_source: FeeSource;
  readonly price: string;
  readonly dust: boolean;
  readonly source: TradeSource;
};

/** The trade of a row; `rest` holds the fields that each store writes in its own way. */
export function recordedTrade(
  row: TradeFields,
  sealedSlot: bigint | null,
  rest: Pick<RecordedTrade, 'trader' | 'signature' | 'createdAt'>,
): RecordedTrade {
  const id = BigInt(row.id);
  return {
    id,
    marketId: row.market_id,
    at: Number(row.at),
    side: row.is_buy ? 'buy' : 'sell',
    base: BigInt(row.base),
    quote: BigInt(row.quote),
    fee: row.fee === null ? null : BigInt(row.fee),
    feeSource: row.fee_source,
    price: row.price,
    dust: row.dust,
    source: row.source,
    sealed: sealedSlot !== null && slotOfTrade(id) <= sealedSlot,
    ...rest,
  };
}
