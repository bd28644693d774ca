import { type Address, WSOL_MINT } from '@tradepost/solana';
import { type RecordedTrade, tradeId } from '@tradepost/tape';
import type { TapeEvent } from '../../../../src/platform/ports/tape-store.ts';

/** A dealing in one pool, as the block has it. `at`: Unix seconds of the block. */
export type PoolDeal = {
  readonly leader: Address;
  readonly signature: string;
  readonly marketId: number;
  readonly side: 'buy' | 'sell';
  readonly units: bigint;
  readonly lamports: bigint;
  readonly at: number;
};

/** Pools of these mints against SOL, numbered from 1 on. */
export const marketsOf = (mints: readonly Address[]) =>
  mints.map((baseMint, index) => ({ id: index + 1, baseMint, quoteMint: WSOL_MINT }));

/**
 * The log of a tape as the product's tape keeps it: places go up, an id is the place of a deal in the chain, and a row of a deal that is
 * gone by the time of reading says so.
 */
export function createSimTape() {
  const rows: { readonly id: bigint; readonly marketId: number; readonly retracted: boolean }[] = [];
  const deals = new Map<bigint, PoolDeal>();

  const eventAt = (index: number): TapeEvent | null => {
    const row = rows[index];
    if (row === undefined) return null;
    const { id, marketId } = row;
    const head = { place: BigInt(index + 1), marketId, tradeId: id };
    if (row.retracted) return { kind: 'retracted', ...head };
    const deal = deals.get(id);
    return deal === undefined
      ? { kind: 'gone', ...head }
      : { kind: 'trade', ...head, trade: tradeOf(id, deal) };
  };

  return {
    /** Deals by their ids as they are now. */
    deals: deals as ReadonlyMap<bigint, PoolDeal>,
    add(id: bigint, deal: PoolDeal): void {
      deals.set(id, deal);
      rows.push({ id, marketId: deal.marketId, retracted: false });
    },
    retract(id: bigint): void {
      const deal = deals.get(id);
      if (deal === undefined) return;
      deals.delete(id);
      rows.push({ id, marketId: deal.marketId, retracted: true });
    },
    end: (): bigint => BigInt(rows.length),
    after: (place: bigint, limit: number): readonly TapeEvent[] =>
      Array.from({ length: limit }, (_, n) => eventAt(Number(place) + n)).filter((event) => event !== null),
  };
}

export type SimTape = ReturnType<typeof createSimTape>;

/** The id of a deal in a slot; `index` of the transaction in its block, `ordinal` of the pool in the transaction. */
export function idOf(slot: bigint, index: number, ordinal: number): bigint {
  const id = tradeId({ slot, index, ordinal });
  if (id === null) throw new Error('no place in a block');
  return id;
}

function tradeOf(id: bigint, deal: PoolDeal): RecordedTrade {
  const { leader: trader, units: base, lamports: quote, ...rest } = deal;
  // The reader of followed wallets looks at these fields alone.
  return { ...rest, id, trader, base, quote } as unknown as RecordedTrade;
}
