import type { Address } from '../../core/address/address.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { ChainAccount } from '../../core/ports/chain.ts';
import type { Token } from '../../core/tokens/token.ts';
import { readTokenAccount } from '../../core/tokens/token-account.ts';
import type { TradeDeps } from './trading-deps.ts';

/** The account a sale would take from, and what it holds. */
export type Sellable = { readonly account: Address; readonly units: bigint };

/**
 * The wallet's associated account when it holds at least `wanted` units; otherwise, because deposits may have arrived
 * elsewhere, whichever of its accounts holds most. One account only: units are not gathered. Throws TOKEN_NOT_TRANSFERABLE
 * when the units are frozen or may never move, INSUFFICIENT_TOKENS when there are too few.
 */
export async function findSellable(
  deps: Pick<TradeDeps, 'chain'>,
  input: {
    readonly wallet: Address;
    readonly token: Token;
    readonly associated: Address;
    readonly associatedState: ChainAccount | null;
    readonly wanted: bigint;
  },
): Promise<Sellable> {
  const { token, wanted } = input;
  if (token.extensions.nonTransferable) {
    throw new AppError('TOKEN_NOT_TRANSFERABLE', { mint: token.mint });
  }
  const known = input.associatedState === null ? null : readTokenAccount(input.associatedState);
  if (known !== null && known.owner === input.wallet && !known.frozen && known.amount >= wanted) {
    return { account: input.associated, units: known.amount };
  }
  const holdings = await deps.chain.holdings(input.wallet);
  const accounts = holdings.find((holding) => holding.mint === token.mint)?.accounts ?? [];
  const usable = accounts.filter((account) => !account.frozen);
  let best: Sellable | null = null;
  for (const { address, amount } of usable) {
    if (best === null || amount > best.units) best = { account: address, units: amount };
  }
  if (best !== null && best.units >= wanted) return best;
  if (accounts.some((account) => account.frozen && account.amount >= wanted)) {
    throw new AppError('TOKEN_NOT_TRANSFERABLE', { mint: token.mint });
  }
  throw new AppError('INSUFFICIENT_TOKENS', {
    needed: wanted,
    available: best?.units ?? 0n,
    decimals: token.decimals,
  });
}
