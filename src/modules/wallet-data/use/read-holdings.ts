import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { TokenData, TokenPrice } from '../../market/use/token-data.ts';

/** What an address holds now, with dollars where they are known. */
export type WalletHoldings = {
  readonly lamports: bigint;
  readonly sol: TokenPrice | null;
  /** Those of which it holds anything, the worthiest first; those without a known price last, by mint. */
  readonly tokens: readonly HeldToken[];
  /** False where the node's list lacked accounts, or more tokens are held than are given. */
  readonly complete: boolean;
};

export type HeldToken = {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** Units in all its accounts, and those of them that may not move now. */
  readonly amount: bigint;
  readonly frozen: bigint;
  readonly accounts: number;
  readonly price: TokenPrice | null;
  /** Dollars, for reading; null where the price is not known. */
  readonly valueUsd: number | null;
};

/** Tokens in one answer. */
const MOST = 500;

/**
 * SOL and the tokens of both token programs, as one node shows them at `confirmed`. For reading: no amount of money is worked out from the
 * dollars. Throws CHAIN_UNREACHABLE and DATABASE_UNREACHABLE.
 */
export async function readHoldings(
  {
    chain,
    tokens,
  }: { readonly chain: Pick<Chain, 'balance' | 'holdings'>; readonly tokens: Pick<TokenData, 'prices'> },
  address: Address,
): Promise<WalletHoldings> {
  const [lamports, all] = await Promise.all([
    chain.balance(address),
    chain.holdings(address, { passing: true }),
  ]);
  const held = all.filter(({ amount }) => amount > 0n);
  const prices = await tokens.prices([WSOL_MINT, ...held.map(({ mint }) => mint)]);
  const valued = held.map(({ mint, tokenProgram, decimals, amount, accounts }): HeldToken => {
    const price = prices.get(mint) ?? null;
    return {
      mint,
      tokenProgram,
      decimals,
      amount,
      frozen: accounts.reduce((sum, one) => (one.frozen ? sum + one.amount : sum), 0n),
      accounts: accounts.length,
      price,
      valueUsd: price === null ? null : (Number(amount) / 10 ** decimals) * price.usd,
    };
  });
  return {
    lamports,
    sol: prices.get(WSOL_MINT) ?? null,
    tokens: valued.toSorted(byWorth).slice(0, MOST),
    complete: valued.length <= MOST && !all.some(({ ofCutList }) => ofCutList === true),
  };
}

function byWorth(a: HeldToken, b: HeldToken): number {
  const more = (b.valueUsd ?? -1) - (a.valueUsd ?? -1);
  if (more !== 0) return more;
  return a.mint < b.mint ? -1 : 1;
}
