import { type Address, type ChainAccount, maxBigint, minBigint, readTokenAccount } from '@tradepost/solana';
import { type Bps, bpsFloor } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { assertMovable, refusedAsFrozen } from '../../tokens/rules/may-move.ts';
import { type Holding, scaleOfToken, type Token } from '../../tokens/rules/token.ts';
import type { TradeDeps } from './trading-deps.ts';

/** The account a sale would take from, and its balance. */
export type Sellable = { readonly account: Address; readonly units: bigint };

/** A share of a holding as one sale gives it. Units. */
export type SaleOfShare = {
  readonly sold: Sellable;
  /** The units that the sale takes, at most those of its account. */
  readonly units: bigint;
  /** The part of the share beyond them: another account holds it, and could give it in a sale of its own. */
  readonly elsewhere: bigint;
};

type Wanted = { readonly wallet: Address; readonly token: Token; readonly associated: Address };

/**
 * The wallet's associated account when it holds at least `wanted` units. Otherwise, because deposits may have arrived elsewhere, the
 * fullest of its accounts. One account only: units are not gathered. Throws TOKEN_NOT_TRANSFERABLE when the units are frozen or may never
 * move, INSUFFICIENT_TOKENS when no account has enough, with their sum.
 */
export async function findSellable(
  deps: Pick<TradeDeps, 'chain'>,
  input: Wanted & { readonly associatedState: ChainAccount | null; readonly wanted: bigint },
): Promise<Sellable> {
  const { token, wanted } = input;
  assertMovable(token);
  const known = input.associatedState === null ? null : readTokenAccount(input.associatedState);
  if (known !== null && known.owner === input.wallet && !known.frozen && known.amount >= wanted) {
    return { account: input.associated, units: known.amount };
  }
  return fullest(token, await deps.chain.holding(input.wallet, token.mint), wanted);
}

/**
 * A share of all units that the wallet holds and may move, rounded down and at least one unit. It comes from the associated account where
 * that has so much, else from the fullest. Throws as `findSellable`.
 */
export async function findShare(
  deps: Pick<TradeDeps, 'chain'>,
  { wallet, token, associated, shareBps }: Wanted & { readonly shareBps: Bps },
): Promise<SaleOfShare> {
  assertMovable(token);
  const holding = await deps.chain.holding(wallet, token.mint);
  const movable = usable(holding).reduce((sum, { amount }) => sum + amount, 0n);
  const wanted = maxBigint(1n, bpsFloor(movable, shareBps));
  const own = usable(holding).find(({ address }) => address === associated);
  const sold =
    own !== undefined && own.amount >= wanted
      ? { account: associated, units: own.amount }
      : fullest(token, holding, 1n);
  const units = minBigint(wanted, sold.units);
  return { sold, units, elsewhere: wanted - units };
}

const usable = ({ accounts }: Holding): Holding['accounts'] => accounts.filter(({ frozen }) => !frozen);

function fullest(token: Token, holding: Holding, wanted: bigint): Sellable {
  let best: Sellable | null = null;
  for (const { address, amount } of usable(holding)) {
    if (best === null || amount > best.units) best = { account: address, units: amount };
  }
  if (best !== null && best.units >= wanted) return best;
  if (holding.accounts.some(({ frozen, amount }) => frozen && amount >= wanted)) {
    throw refusedAsFrozen(token.mint);
  }
  const movable = usable(holding).reduce((sum, { amount }) => sum + amount, 0n);
  const available = best?.units ?? 0n;
  throw new AppError('INSUFFICIENT_TOKENS', {
    needed: wanted,
    available,
    ...scaleOfToken(token),
    ...(movable > available ? { together: movable } : {}),
  });
}
