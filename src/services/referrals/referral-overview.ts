import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { ReferralStore } from '../../core/ports/referral-store.ts';
import type { ReferralAccount, ReferralTotals } from '../../core/referrals/reward.ts';
import { openReferralAccount } from './open-referral-account.ts';

export type ReferralOverview = {
  readonly account: ReferralAccount;
  readonly created: boolean;
  readonly totals: ReferralTotals;
};

/** The account (created on first use) with its counts and lamports, all from booked rewards. */
export async function referralOverview(
  deps: {
    readonly referrals: Pick<ReferralStore, 'account' | 'codeOwner' | 'open' | 'totals'>;
    readonly ids: Ids;
    readonly clock: Clock;
  },
  userId: string,
): Promise<ReferralOverview> {
  const { account, created } = await openReferralAccount(deps, userId);
  return { account, created, totals: await deps.referrals.totals(userId) };
}
