import type { Address } from '@tradepost/solana';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import type { Landed } from '../kinds/kind.ts';
import type { LandedReceipt } from './intent.ts';

/** The changes that a landed transaction's record shows of one account or one mint. */

/** Signed change of an account's lamports; 0 for one that the transaction does not name. */
export function lamportsDelta(landed: LandedTransaction, account: Address): bigint {
  const found = landed.balances.find(({ address }) => address === account);
  return found === undefined ? 0n : found.after - found.before;
}

/** Signed change of an owner's units of a mint, in all accounts together. */
export function tokenDelta(landed: LandedTransaction, owner: Address, mint: Address): bigint {
  return landed.tokenBalances
    .filter((token) => token.owner === owner && token.mint === mint)
    .reduce((sum, { before, after }) => sum + after - before, 0n);
}

/** The mint came to be, or (a second half) an account holds more of it than before. */
export function showsCreation({ landed, createdMint: mint }: Omit<Landed<never>, 'params'>): boolean {
  if (mint === null) return false;
  const account = landed.balances.find(({ address }) => address === mint);
  if (account !== undefined && account.before === 0n && account.after > 0n) return true;
  return landed.tokenBalances.some((token) => token.mint === mint && token.after > token.before);
}

/** Lamports in every account that was empty before: a creation locks them in mint, holder's account and metadata record. */
export function filledLamports(landed: LandedTransaction, treasury: Address): bigint {
  return landed.balances
    .filter((balance) => balance.before === 0n && balance.address !== treasury)
    .reduce((sum, balance) => sum + balance.after, 0n);
}

/** The trade's change of the wallet, signed, network fee included: rent that comes back is no part of it. */
export const tradeFlow = (receipt: Pick<LandedReceipt, 'walletLamportsDelta' | 'rentLamports'>): bigint =>
  receipt.walletLamportsDelta + receipt.rentLamports;
