import { AppError } from '../../../core/errors/app-error.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { ReferralAccount } from '../rules/reward.ts';
import type { ReferralStore } from '../store/referral-store-port.ts';

const CODE_LENGTH = 8;
const TRIES = 5;

/**
 * The person's referral account, created on first use. The code is random, never a user id: a link must not tell who
 * shares it, and codes must not be guessable in a row.
 */
export async function openReferralAccount(
  deps: {
    readonly referrals: Pick<ReferralStore, 'account' | 'codeOwner' | 'open'>;
    readonly ids: Ids;
    readonly clock: Clock;
  },
  userId: string,
): Promise<{ readonly account: ReferralAccount; readonly created: boolean }> {
  const standing = await deps.referrals.account(userId);
  if (standing !== null) return { account: standing, created: false };
  for (let i = 0; i < TRIES; i += 1) {
    const code = deps.ids.code(CODE_LENGTH);
    if ((await deps.referrals.codeOwner(code)) !== null) continue;
    const account = await deps.referrals.open({ userId, code, createdAt: deps.clock.now(), codesChosen: 0 });
    return { account, created: account.code === code };
  }
  throw new AppError('DATABASE_UNREACHABLE', { cause: 'no free referral code was found' });
}
