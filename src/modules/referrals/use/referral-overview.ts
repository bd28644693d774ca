import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { ReferralAccount, ReferralTotals } from '../rules/reward.ts';
import type { ReferralStore } from '../store/referral-store-port.ts';
import { openReferralAccount } from './open-referral-account.ts';

export type ReferralOverview = {
  readonly account: ReferralAccount;
  readonly created: boolean;
  readonly totals: ReferralTotals;
  /** The trades of invitees in thirty days. */
  readonly volumeLamports: bigint;
};

const VOLUME_MS = 30 * 86_400_000;

/** The account (created on first use) with its counts and lamports, all from booked rewards. */
export async function referralOverview(
  deps: {
    readonly referrals: Pick<ReferralStore, 'account' | 'codeOwner' | 'open' | 'totals' | 'volume'>;
    readonly ids: Ids;
    readonly clock: Clock;
  },
  userId: string,
): Promise<ReferralOverview> {
  const { account, created } = await openReferralAccount(deps, userId);
  const [totals, volumeLamports] = await Promise.all([
    deps.referrals.totals(userId),
    deps.referrals.volume(userId, deps.clock.now() - VOLUME_MS),
  ]);
  return { account, created, totals, volumeLamports };
}
