import type { Address } from '../../core/address/address.ts';
import { TOKEN_PROGRAM } from '../../core/address/programs.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { Programs } from '../../core/ports/programs.ts';
import { legMinimums } from '../../core/swap/leg-minimums.ts';
import type { Route } from '../../core/swap/route.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { PriorityTier } from '../../core/users/settings.ts';
import { networkFeeCap } from '../transactions/network-fee.ts';
import type { MiddleAccount } from './middle-accounts.ts';
import { nameSource, type RouteAccounts, routeInstructions } from './route-instructions.ts';

type Assembly = {
  readonly wallet: Address;
  readonly token: Token;
  /** The wallet's account of the token. */
  readonly account: Address;
  readonly route: Route;
  readonly middles: readonly MiddleAccount[];
  /** The least the route itself must bring; a platform fee on a sale is already on top. */
  readonly minOut: bigint;
  readonly feeLamports: bigint;
  readonly treasury: Address;
  /**
   * Makes the wrapped-SOL account's address; the attempt's id, so that two trades never share one. Derived from the intent's,
   * which every attempt shows in its memo, a stranger could send lamports there and make each further attempt fail.
   */
  readonly seed: string;
  readonly wrappedRentLamports: bigint;
};

/** Account for the token, fee to the treasury, wrap, swap, unwrap: all or nothing in one transaction. */
export function assembleBuy(
  programs: Programs,
  /** `held`: units in `account` before the transaction. */
  input: Assembly & { readonly held: bigint },
): readonly Instruction[] {
  const { wallet, token, account, route } = input;
  const wrapped = programs.openWrappedSol({
    owner: wallet,
    seed: input.seed,
    lamports: route.amountIn,
    rentLamports: input.wrappedRentLamports,
  });
  return [
    programs.createAssociatedTokenAccount({
      payer: wallet,
      owner: wallet,
      mint: token.mint,
      tokenProgram: token.tokenProgram,
    }),
    ...platformFeeTransfer(programs, input),
    ...wrapped.instructions,
    ...swapRoute(programs, input, {
      source: wrapped.account,
      destination: account,
      destinationHolds: input.held,
    }),
    programs.closeTokenAccount({ account: wrapped.account, owner: wallet, tokenProgram: TOKEN_PROGRAM }),
  ];
}

/** Wrapped-SOL account, swap into it, unwrap, fee to the treasury out of what came in. */
export function assembleSell(
  programs: Programs,
  /** `held`: units in `account` before the transaction. */
  input: Assembly & { readonly held: bigint },
): readonly Instruction[] {
  const wrapped = programs.openWrappedSol({
    owner: input.wallet,
    seed: input.seed,
    lamports: 0n,
    rentLamports: input.wrappedRentLamports,
  });
  return [
    ...wrapped.instructions,
    ...nameSource(programs, {
      owner: input.wallet,
      token: input.token,
      source: input.account,
      amountIn: input.route.amountIn,
    }),
    ...swapRoute(programs, input, {
      source: input.account,
      sourceHolds: input.held,
      destination: wrapped.account,
      destinationHolds: 0n,
    }),
    programs.closeTokenAccount({
      account: wrapped.account,
      owner: input.wallet,
      tokenProgram: TOKEN_PROGRAM,
    }),
    ...platformFeeTransfer(programs, input),
  ];
}

/** The most the network may charge for these instructions: every signature, and the tier's cap on priority. */
export function networkFeeUpTo(
  payer: Address,
  instructions: readonly Instruction[],
  tier: PriorityTier,
): bigint {
  const signers = new Set<Address>([payer]);
  for (const { accounts } of instructions) {
    for (const meta of accounts) if (meta.signer) signers.add(meta.address);
  }
  return networkFeeCap(tier, signers.size);
}

function swapRoute(
  programs: Programs,
  { route, minOut, wallet, middles }: Assembly,
  ends: Pick<RouteAccounts, 'source' | 'sourceHolds' | 'destination' | 'destinationHolds'>,
): readonly Instruction[] {
  const minimums = legMinimums(route, minOut);
  // One end of a trade is SOL, so it is never in the middle.
  const accounts = { owner: wallet, ...ends, wrapped: null, middles };
  return routeInstructions(programs, { route, minimums }, accounts);
}

function platformFeeTransfer(programs: Programs, input: Assembly): readonly Instruction[] {
  if (input.feeLamports === 0n) return [];
  return [programs.transferSol({ from: input.wallet, to: input.treasury, lamports: input.feeLamports })];
}
