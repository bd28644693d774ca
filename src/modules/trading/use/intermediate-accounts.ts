import { type Address, associatedAccountBytes, unitsHeld, WSOL_MINT } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Route } from '../rules/route.ts';

/** The trader's account of a token that a route passes through. SOL needs none: it passes through the wrapped-SOL account. */
export type IntermediateAccount = {
  readonly token: Token;
  readonly account: Address;
  /** Units in it before the transaction. */
  readonly held: bigint;
  /** True when the transaction opens it. */
  readonly opens: boolean;
  /** True when the transaction closes it again: it opened the account and nothing stays in it, no withheld fee either. */
  readonly closes: boolean;
  /** The cost of opening it, 0 when it exists. Comes back within the transaction when it `closes`. */
  readonly rentLamports: bigint;
};

/**
 * The accounts that the route passes through, by the chain's present state. An account that existed is never closed: the trader opened it.
 * Throws TOKEN_NOT_FOUND for a mint that is none, which no venue that decodes its pools lets happen.
 */
export async function loadIntermediateAccounts(
  { chain, programs }: { readonly chain: Chain; readonly programs: Programs },
  owner: Address,
  route: Route,
): Promise<readonly IntermediateAccount[]> {
  const mints = route.intermediates.filter((mint) => mint !== WSOL_MINT);
  if (mints.length === 0) return [];
  const tokens = await Promise.all(
    mints.map(async (mint) => {
      const token = await chain.token(mint);
      if (token === null) throw new AppError('TOKEN_NOT_FOUND', { address: mint });
      return token;
    }),
  );
  const addresses = tokens.map(({ mint, tokenProgram }) =>
    programs.associatedTokenAddress(owner, mint, tokenProgram),
  );
  const [{ accounts }, rents] = await Promise.all([
    chain.accounts(addresses),
    Promise.all(tokens.map((token) => chain.rentExemption(associatedAccountBytes(token)))),
  ]);
  return tokens.flatMap((token, index): readonly IntermediateAccount[] => {
    const account = addresses[index];
    if (account === undefined) return [];
    const held = unitsHeld(accounts[index] ?? null);
    const opens = (accounts[index] ?? null) === null;
    const keeps = route.remainders.some((remainder) => remainder.mint === token.mint);
    return [
      {
        token,
        account,
        held,
        opens,
        // Token-2022 refuses to close an account in which the mint's fee was withheld.
        closes: opens && !keeps && token.extensions.transferFee === null,
        rentLamports: opens ? (rents[index] ?? 0n) : 0n,
      },
    ];
  });
}

/** Rent that must be in the wallet when the transaction runs, whether it comes back or not. */
export const rentNeeded = (intermediates: readonly IntermediateAccount[]): bigint =>
  intermediates.reduce((sum, { rentLamports }) => sum + rentLamports, 0n);

/** Rent of accounts that stay open with a remainder in them. */
export const rentKept = (intermediates: readonly IntermediateAccount[]): bigint =>
  intermediates.reduce((sum, { rentLamports, closes }) => (closes ? sum : sum + rentLamports), 0n);

/** The simulation's limits for them: units from before the trade are not the trade's to spend. */
export const untouched = (
  intermediates: readonly IntermediateAccount[],
): readonly { readonly account: Address; readonly mint: Address; readonly minDelta: bigint }[] =>
  intermediates.map(({ account, token }) => ({ account, mint: token.mint, minDelta: 0n }));

/** Whether the route needs a wrapped-SOL account: SOL on a side or in the middle. */
export const passesSol = ({ mintIn, mintOut, intermediates }: Route): boolean =>
  [mintIn, mintOut, ...intermediates].includes(WSOL_MINT);
