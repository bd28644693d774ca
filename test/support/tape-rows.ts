import { type Address, addressFromBytes, toBase58 } from '@tradepost/solana';
import { type TapeTrade, tradeId } from '@tradepost/tape';
import type { Market } from '../../src/modules/market/rules/market.ts';
import type { MarketStore } from '../../src/modules/market/store/market-store-port.ts';

/** 2026-11-22 00:00 UTC, a whole day. */
export const DAY_START = 1_795_305_600;
const FIRST_SLOT = 400_000_000n;

let count = 0;

export function freshAddress(): Address {
  count += 1;
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, count);
  return addressFromBytes(bytes);
}

export function freshSignature(): string {
  count += 1;
  const bytes = new Uint8Array(64).fill(5);
  new DataView(bytes.buffer).setUint32(0, count);
  return toBase58(bytes);
}

/** The slot of a moment, in Unix seconds, on a chain with slots of 400 ms. */
export function slotAt(at: number): bigint {
  return FIRST_SLOT + BigInt(Math.floor((at - DAY_START) * 2.5));
}

export function idAt(at: number, index = 0): bigint {
  const id = tradeId({ slot: slotAt(at), index, ordinal: 0 });
  if (id === null) throw new Error('no such place');
  return id;
}

/** A trade of 100 tokens at 1.5, unless told otherwise, with 6 decimals on both sides. */
export function tradeAt(
  marketId: number,
  at: number,
  { index = 0, ...changes }: Partial<TapeTrade> & { readonly index?: number } = {},
): TapeTrade {
  return {
    id: idAt(at, index),
    marketId,
    at,
    side: 'buy',
    base: 100_000_000n,
    quote: 150_000_000n,
    fee: 450_000n,
    feeSource: 'rate',
    trader: freshAddress(),
    signature: freshSignature(),
    source: 'call',
    ...changes,
  };
}

/** Markets of new tokens against one new dollar, named in order. */
export async function newMarkets(
  markets: MarketStore,
  symbols: readonly string[],
  changes: Partial<Market> = {},
): Promise<readonly Market[]> {
  const quoteMint = changes.quoteMint ?? freshAddress();
  const bases = symbols.map((symbol) => ({ symbol, mint: changes.baseMint ?? freshAddress() }));
  await markets.nameMints(
    [...bases, { symbol: 'USDX', mint: quoteMint }].map((claim) => ({
      ...claim,
      verified: false,
      imitates: false,
    })),
  );
  return await markets.record(
    bases.map(({ mint }) => ({
      address: freshAddress(),
      venue: 'desk',
      programId: freshAddress(),
      baseDecimals: 6,
      quoteDecimals: 6,
      baseVault: freshAddress(),
      quoteVault: freshAddress(),
      kind: 'tokens',
      createdSlot: 1n,
      ...changes,
      baseMint: mint,
      quoteMint,
    })),
  );
}
