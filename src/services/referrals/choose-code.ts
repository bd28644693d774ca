import { AppError } from '../../core/errors/app-error.ts';
import { countOf } from '../../core/points/holdings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Database, Stores } from '../../core/ports/stores.ts';
import { readReferralCode } from '../../core/referrals/referral-code.ts';
import type { ReferralAccount } from '../../core/referrals/reward.ts';

export type ChooseCodeDeps = {
  readonly db: Pick<Database, 'transact'>;
  readonly clock: Clock;
  /** Whether each choice takes a voucher of the shop; otherwise anybody may choose at any time. */
  readonly needsVoucher: boolean;
};

/**
 * A typed code in the form in which it would be kept, for the confirm screen. Throws REFERRAL_CODE_REFUSED for one that cannot be
 * had, REFERRAL_REQUIRED without an account, REFERRAL_CODE_VOUCHER when the person has no voucher left.
 */
export async function checkCode(
  deps: { readonly db: Pick<Stores, 'referrals' | 'shop'>; readonly needsVoucher: boolean },
  userId: string,
  text: string,
): Promise<{ readonly account: ReferralAccount; readonly code: string }> {
  const { code, problem } = readReferralCode(text);
  if (problem !== null) throw new AppError('REFERRAL_CODE_REFUSED', { reason: problem });
  const account = await mayChoose(deps, deps.db, userId);
  if (account.code === code) throw new AppError('REFERRAL_CODE_REFUSED', { reason: 'same' });
  const owner = await deps.db.referrals.codeOwner(code);
  if (owner !== null && owner !== userId) throw new AppError('REFERRAL_CODE_REFUSED', { reason: 'taken' });
  return { account, code };
}

/** The account, when its owner may choose a code now. Throws REFERRAL_REQUIRED, REFERRAL_CODE_VOUCHER. */
export async function mayChoose(
  deps: { readonly needsVoucher: boolean },
  stores: Pick<Stores, 'referrals' | 'shop'>,
  userId: string,
): Promise<ReferralAccount> {
  const account = await stores.referrals.account(userId);
  if (account === null) throw new AppError('REFERRAL_REQUIRED', {});
  if (deps.needsVoucher) {
    const vouchers = countOf(await stores.shop.listByUser(userId), 'custom-code');
    if (vouchers <= account.codesChosen) throw new AppError('REFERRAL_CODE_VOUCHER', {});
  }
  return account;
}

/**
 * Gives the person the code they agreed to; the old one leads nowhere from then on and stays theirs. A repeat after the same
 * choice changes nothing. Throws as `checkCode`.
 */
export async function chooseCode(
  deps: ChooseCodeDeps,
  userId: string,
  text: string,
): Promise<ReferralAccount> {
  return deps.db.transact(async (stores) => {
    // Two choices at once must not both find the same voucher unused.
    await stores.users.lock(userId);
    const standing = await stores.referrals.account(userId);
    if (standing !== null && standing.code === readReferralCode(text).code) return standing;
    const { code } = await checkCode({ ...deps, db: stores }, userId, text);
    if (!(await stores.referrals.rename(userId, code, deps.clock.now()))) {
      throw new AppError('REFERRAL_CODE_REFUSED', { reason: 'taken' });
    }
    const account = await stores.referrals.account(userId);
    if (account === null) throw new AppError('REFERRAL_REQUIRED', {});
    return account;
  });
}
