import type { Address } from '@tradepost/solana';
import type { TokenData } from '../../market/use/token-data.ts';
import type { TokenHolding } from '../../tokens/rules/token.ts';

export type TokensWorth = {
  /** Millionths of a dollar, at market prices: a sale brings less. */
  readonly microUsd: bigint;
  /** Tokens without a price, which it leaves out. */
  readonly unpriced: number;
};

type Held = Pick<TokenHolding, 'mint' | 'amount' | 'decimals'>;

/**
 * Millionths of a dollar of each token by the newest prices; a token without one, or whose pools are too thin to be believed, is absent. Null where the prices cannot be read. For
 * reading only: prices are floating-point.
 */
export async function tokenWorths(
  { values }: Pick<TokenData, 'values'>,
  holdings: readonly Held[],
): Promise<ReadonlyMap<Address, bigint> | null> {
  const known = await values().catch(() => null);
  if (known === null) return null;
  return new Map(
    holdings.flatMap(({ mint, amount, decimals }) => {
      const price = known.get(mint)?.usd ?? null;
      if (price === null) return [];
      return [[mint, BigInt(Math.floor((Number(amount) / 10 ** decimals) * price * 1e6))] as const];
    }),
  );
}

/** What all of them are worth together. Null where the prices cannot be read. */
export async function tokensWorth(
  deps: Pick<TokenData, 'values'>,
  holdings: readonly Held[],
): Promise<TokensWorth | null> {
  const worths = await tokenWorths(deps, holdings);
  if (worths === null) return null;
  return {
    microUsd: [...worths.values()].reduce((sum, worth) => sum + worth, 0n),
    unpriced: holdings.length - worths.size,
  };
}

/** Those that are worth most first, then those without a price in the order in which they came: sprayed tokens bury none. */
export function byWorth<T extends Pick<TokenHolding, 'mint'>>(
  holdings: readonly T[],
  worths: ReadonlyMap<Address, bigint> | null,
): readonly T[] {
  const of = ({ mint }: T): bigint => worths?.get(mint) ?? -1n;
  return holdings.toSorted((a, b) => (of(a) === of(b) ? 0 : of(a) > of(b) ? -1 : 1));
}
