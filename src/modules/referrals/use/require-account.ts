import { AppError } from '../../../core/errors/app-error.ts';
import type { ReferralStore } from '../store/referral-store-port.ts';

/** Throws REFERRAL_REQUIRED when the operator asks for a referral account before this and the person has none. */
export async function requireReferralAccount(
  deps: {
    readonly db: { readonly referrals: Pick<ReferralStore, 'account'> };
    readonly needsReferralAccount: boolean;
  },
  userId: string,
): Promise<void> {
  if (deps.needsReferralAccount && (await deps.db.referrals.account(userId)) === null) {
    throw new AppError('REFERRAL_REQUIRED', {});
  }
}
