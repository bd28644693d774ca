import { type Address, type ChainAccount, readTokenAccount, SYSTEM_PROGRAM } from '@tradepost/solana';
import type { Token } from '../../tokens/rules/token.ts';

/** Why a swap cannot be built for the other parties that its caller named. */
export type PartyProblem =
  | {
      readonly code: 'DESTINATION_INVALID';
      readonly reason: 'not-a-wallet' | 'no-token-account' | 'another-mint' | 'frozen' | 'another-owner';
      readonly address: Address;
    }
  | { readonly code: 'FEE_PAYER_INVALID'; readonly reason: 'not-a-wallet'; readonly address: Address }
  | {
      readonly code: 'FEE_PAYER_INVALID';
      readonly reason: 'too-little';
      readonly address: Address;
      readonly available: bigint;
      readonly needed: bigint;
    };

/** Whether the state at an address is a wallet's: nothing yet, or lamports alone. */
export const isPlain = (state: ChainAccount | null): boolean =>
  state === null || (state.owner === SYSTEM_PROGRAM && state.data.length === 0 && !state.executable);

/**
 * Null when `token` can be brought to `account`. `owner` is the wallet whose associated account that is, with its state: then the account
 * may be missing. Null for an account that the caller named itself: then any owner will do, and it must be there.
 */
export function destinationProblem(input: {
  readonly token: Pick<Token, 'mint' | 'tokenProgram'>;
  readonly account: Address;
  readonly state: ChainAccount | null;
  readonly owner: { readonly address: Address; readonly state: ChainAccount | null } | null;
}): PartyProblem | null {
  const { token, account, state, owner } = input;
  const code = 'DESTINATION_INVALID';
  if (owner !== null && !isPlain(owner.state))
    return { code, reason: 'not-a-wallet', address: owner.address };
  if (state === null && owner !== null) return null;
  const held = state === null || state.owner !== token.tokenProgram ? null : readTokenAccount(state);
  if (held === null) return { code, reason: 'no-token-account', address: account };
  if (held.mint !== token.mint) return { code, reason: 'another-mint', address: account };
  if (held.frozen) return { code, reason: 'frozen', address: account };
  return owner !== null && held.owner !== owner.address
    ? { code, reason: 'another-owner', address: account }
    : null;
}

/**
 * Null when the wallet can pay the network: it holds the highest fee, in lamports, and what a wallet keeps at least besides. The chain lets
 * none keep less.
 */
export function feePayerProblem(
  address: Address,
  state: ChainAccount | null,
  needs: { readonly fee: bigint; readonly minimum: bigint },
): PartyProblem | null {
  const code = 'FEE_PAYER_INVALID';
  if (!isPlain(state)) return { code, reason: 'not-a-wallet', address };
  const available = state?.lamports ?? 0n;
  const needed = needs.fee + needs.minimum;
  return available < needed ? { code, reason: 'too-little', address, available, needed } : null;
}
