import type { Address } from '@tradepost/solana';

/** One pool of the demonstration exchange: a maker's two token accounts. Its id is the maker's address. */
export type DeskPool = {
  readonly id: Address;
  readonly desk: string;
  readonly kind: 'constant-product' | 'launch-curve';
  readonly mintA: Address;
  readonly mintB: Address;
  readonly vaultA: Address;
  readonly vaultB: Address;
  readonly programA: Address;
  readonly programB: Address;
  readonly decimalsA: number;
  readonly decimalsB: number;
  readonly feeBps: number;
  /** Added to the vault balances when pricing; they pay no one. */
  readonly virtualA: bigint;
  readonly virtualB: bigint;
  /** Which key of the chain's seed the maker signs with. */
  readonly keyLabel: string;
};

/** The pool as `GET /desk/pools` shows it: amounts as decimal text, no key label. */
export function publicPool(pool: DeskPool): Record<string, string | number> {
  const { keyLabel: _, virtualA, virtualB, ...rest } = pool;
  return { ...rest, virtualA: virtualA.toString(), virtualB: virtualB.toString() };
}
