import { AppError } from '../../../core/errors/app-error.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import { type GateDeps, passGate } from '../../guard/use/pass-gate.ts';
import { countOf } from '../../points/rules/holdings.ts';
import { readReferralCode } from '../rules/referral-code.ts';
import type { ReferralAccount } from '../rules/reward.ts';

export type ChooseCodeDeps = GateDeps & {
  readonly db: Pick<Database, 'transact'>;
  readonly ids: Ids;
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
 * Gives the person the code they agreed to; the old one leads nowhere from then on and stays theirs. A repeat after the same choice
 * changes nothing. Throws as `checkCode`, and the errors of the gate for `referral-code`.
 */
export async function chooseCode(
  deps: ChooseCodeDeps,
  input: {
    readonly userId: string;
    readonly text: string;
    /** Whether each choice takes a voucher of the shop; otherwise anybody may choose at any time. */
    readonly needsVoucher: boolean;
  },
): Promise<ReferralAccount> {
  const { userId, text, needsVoucher } = input;
  return deps.db.transact(async (stores) => {
    // Two choices at once must not both find the same voucher unused.
    await stores.users.lock(userId);
    const standing = await stores.referrals.account(userId);
    if (standing !== null && standing.code === readReferralCode(text).code) return standing;
    const { code } = await checkCode({ needsVoucher, db: stores }, userId, text);
    const passed = await passGate(stores, deps, { act: 'referral-code', userId });
    if (!(await stores.referrals.rename(passed, userId, code, deps.clock.now()))) {
      throw new AppError('REFERRAL_CODE_REFUSED', { reason: 'taken' });
    }
    const account = await stores.referrals.account(userId);
    if (account === null) throw new AppError('REFERRAL_REQUIRED', {});
    return account;
  });
}
