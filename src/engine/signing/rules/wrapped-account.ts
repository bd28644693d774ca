import { type Address, TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { WalletAction } from './decode-instruction.ts';

/** Whether a seeded account is one that `wallet` pays, derives and can use for wrapped SOL only after it is initialized. */
export function opensForWrapping(
  action: Extract<WalletAction, { kind: 'create-seeded' }>,
  wallet: Address,
): boolean {
  return (
    action.payer === wallet &&
    action.base === wallet &&
    action.owner === TOKEN_PROGRAM &&
    action.space === BigInt(TOKEN_ACCOUNT_BYTES)
  );
}

/** Whether an account becomes the wallet's own account of wrapped SOL, no other owner's. */
export function wrapsInto(
  action: Extract<WalletAction, { kind: 'open-token-account' }>,
  wallet: Address,
): boolean {
  return action.owner === wallet && action.mint === WSOL_MINT;
}
