import { maxBigint } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { User } from '../../settings/rules/user.ts';
import { payoutWallet } from '../../wallets/rules/receiving-wallet.ts';

/** The unpaid debt and the reason of its wait; null = nothing waits. */
export type PayoutWait = {
  /** Payable and in a payout that is not final yet. */
  readonly lamports: bigint;
  readonly inFlightLamports: bigint;
  readonly reason:
    | { readonly kind: 'no-wallet' }
    /** Every wallet of theirs was imported. */
    | { readonly kind: 'imported-only' }
    /** The wallet would end below the rent-exempt minimum: so much is missing. */
    | { readonly kind: 'below-rent'; readonly missing: bigint }
    | { readonly kind: 'below-minimum'; readonly minimum: bigint }
    /** More than all payouts of a day may pay: the operator decides. */
    | { readonly kind: 'above-cap'; readonly cap: bigint }
    | { readonly kind: 'paused' }
    /** The next payout takes it along. */
    | { readonly kind: 'next' }
    /** Sent, and not final yet. */
    | { readonly kind: 'in-flight' };
};

/** Why an inviter's rewards have not been paid yet, by the rules that `collectPayouts` pays by. */
export async function payoutWait(
  deps: {
    readonly db: Pick<Stores, 'ledger' | 'wallets' | 'flags'>;
    readonly chain: Pick<Chain, 'balance' | 'rentExemption'>;
    readonly clock: Clock;
    readonly minimumLamports: bigint;
    /** Absent: any sum. */
    readonly capLamports?: bigint;
  },
  user: Pick<User, 'id'>,
): Promise<PayoutWait | null> {
  const { db, chain, clock, minimumLamports, capLamports } = deps;
  const [payable, inFlightLamports] = await Promise.all([
    db.ledger.balance({ kind: 'referral-payable', owner: user.id }),
    db.ledger.balance({ kind: 'referral-in-flight', owner: user.id }),
  ]);
  const lamports = payable + inFlightLamports;
  if (lamports === 0n) return null;
  const waits = (reason: PayoutWait['reason']): PayoutWait => ({ lamports, inFlightLamports, reason });
  if (payable === 0n) return waits({ kind: 'in-flight' });
  if ((await db.flags.isSet('payouts-paused')) || (await db.flags.isSet('quarantined'))) {
    return waits({ kind: 'paused' });
  }
  const wallets = await db.wallets.listByUser(user.id);
  const wallet = payoutWallet(wallets, clock.now());
  if (wallet === null) return waits({ kind: wallets.length === 0 ? 'no-wallet' : 'imported-only' });
  if (payable < maxBigint(1n, minimumLamports)) {
    return waits({ kind: 'below-minimum', minimum: minimumLamports });
  }
  if (capLamports !== undefined && payable > capLamports)
    return waits({ kind: 'above-cap', cap: capLamports });
  const [minimum, held] = await Promise.all([chain.rentExemption(0), chain.balance(wallet.address)]);
  const missing = minimum - held - payable;
  return waits(missing > 0n ? { kind: 'below-rent', missing } : { kind: 'next' });
}
