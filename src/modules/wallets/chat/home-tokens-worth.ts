import type { Address } from '../../../core/address/address.ts';
import type { TokenData } from '../../market/use/token-data.ts';
import type { TokenHolding } from '../../tokens/rules/token.ts';

export type TokensWorth = {
  /** Millionths of a dollar, at market prices: a sale brings less. */
  readonly microUsd: bigint;
  /** Tokens without a price, which it leaves out. */
  readonly unpriced: number;
};

/** The worth of tokens by the newest prices. Null where the prices cannot be read. For reading only: prices are floating-point. */
export async function tokensWorth(
  { prices }: Pick<TokenData, 'prices'>,
  holdings: readonly Pick<TokenHolding, 'mint' | 'amount' | 'decimals'>[],
): Promise<TokensWorth | null> {
  const known = await prices(holdings.map(({ mint }) => mint)).catch(() => null);
  if (known === null) return null;
  const priceOf = (mint: Address): number | null => known.get(mint)?.usd ?? null;
  return holdings.reduce<TokensWorth>(
    ({ microUsd, unpriced }, { mint, amount, decimals }) => {
      const price = priceOf(mint);
      if (price === null) return { microUsd, unpriced: unpriced + 1 };
      const worth = Math.floor((Number(amount) / 10 ** decimals) * price * 1e6);
      return { microUsd: microUsd + BigInt(worth), unpriced };
    },
    { microUsd: 0n, unpriced: 0 },
  );
}
