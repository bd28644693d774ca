import type { Address } from '@tradepost/solana';
import type { RecordedTrade } from '@tradepost/tape';
import { expect } from 'vitest';
import { tradePlace } from '../../../../../packages/tape/test/trade-place.ts';
import type { DeskChain } from '../../../../../src/local/desk/index.ts';
import type { Market } from '../../../../../src/modules/market/rules/market.ts';
import type { TapeRig } from './tape-rig.ts';

/** The trades of a market add up to the change of both vaults, stand where the chain has them, and in its order. */
export async function expectExact(
  { tradesOf }: Pick<TapeRig, 'tradesOf'>,
  market: Market,
  local: DeskChain,
  held: { readonly before: ReadonlyMap<Address, bigint>; readonly after: ReadonlyMap<Address, bigint> },
): Promise<readonly RecordedTrade[]> {
  const trades = await tradesOf(market);
  const sum = (amount: (trade: RecordedTrade) => bigint): bigint =>
    trades.reduce((total, trade) => total + amount(trade), 0n);
  const change = (vault: Address): bigint => (held.after.get(vault) ?? 0n) - (held.before.get(vault) ?? 0n);
  expect(sum(({ side, base }) => (side === 'buy' ? -base : base))).toBe(change(market.baseVault));
  expect(sum(({ side, quote }) => (side === 'buy' ? quote : -quote))).toBe(change(market.quoteVault));
  expect(trades.every(({ sealed }) => sealed)).toBe(true);
  for (const { id, signature } of trades) {
    const place = tradePlace(id);
    const block = local.chain.ledger.ofSlot(Number(place.slot));
    expect(block[place.index]?.signature).toBe(signature);
  }
  const ids = trades.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(new Set(ids).size).toBe(ids.length);
  return trades;
}
