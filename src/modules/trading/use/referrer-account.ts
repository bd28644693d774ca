import {
  type Address,
  type ChainAccount,
  readTokenAccount,
  SYSTEM_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Token } from '../../tokens/rules/token.ts';

/** Why a referrer cannot be paid. The transaction would fail, or would pay for an account that the referrer could close. */
export type ReferrerProblem =
  | {
      readonly code: 'REFERRER_UNFUNDED';
      readonly reason: 'below-rent';
      readonly minimum: bigint;
      readonly wouldHold: bigint;
    }
  | {
      readonly code: 'REFERRER_UNFUNDED';
      readonly reason: 'no-token-account';
      readonly account: Address;
      readonly mint: Address;
    }
  | { readonly code: 'REFERRER_NOT_A_WALLET'; readonly address: Address };

/** The account that a fee in `token` goes to: the wallet itself for SOL of its own, else its associated token account. */
export function referrerAccount(
  programs: Programs,
  wallet: Address,
  token: Token,
  isNative = token.mint === WSOL_MINT,
): Address {
  return isNative ? wallet : programs.associatedTokenAddress(wallet, token.mint, token.tokenProgram);
}

/**
 * Null when `units` can be paid to the referrer. A fee goes to an account that exists: opening one at the trader's expense
 * would let a referrer close it and keep its rent, trade after trade.
 */
export function referrerProblem(input: {
  readonly wallet: Address;
  readonly walletState: ChainAccount | null;
  readonly token: Token;
  readonly account: Address;
  readonly accountState: ChainAccount | null;
  readonly units: bigint;
  /** True where it is paid in lamports. */
  readonly isNative: boolean;
  /** The rent-exempt minimum of a plain account. */
  readonly minimum: bigint;
}): ReferrerProblem | null {
  const { wallet, walletState, token, account, accountState, units, isNative, minimum } = input;
  if (walletState !== null && (walletState.owner !== SYSTEM_PROGRAM || walletState.executable)) {
    return { code: 'REFERRER_NOT_A_WALLET', address: wallet };
  }
  if (units === 0n) return null;
  if (isNative) {
    const wouldHold = (walletState?.lamports ?? 0n) + units;
    return wouldHold < minimum
      ? { code: 'REFERRER_UNFUNDED', reason: 'below-rent', minimum, wouldHold }
      : null;
  }
  const held = accountState === null ? null : readTokenAccount(accountState);
  return held === null || held.frozen || held.mint !== token.mint || held.owner !== wallet
    ? { code: 'REFERRER_UNFUNDED', reason: 'no-token-account', account, mint: token.mint }
    : null;
}
