import { shortEmail } from '../../../core/text/email-address.ts';
import { windowStart } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { OVERTAKEN } from '../../mail/store-port.ts';
import { waitsToReceive } from '../../wallets/rules/receiving-wallet.ts';
import { CAP_WINDOW_MS, capNow, nextCap } from '../rules/cap.ts';
import { endOfFreeze, isFrozen, thawWaitMs } from '../rules/freeze.ts';
import type { Guard, GuardRules } from '../rules/guard.ts';
import { nextMail, noticeMailNow } from '../rules/notice-mail.ts';
import { secondFactor } from '../rules/second-factor.ts';
import { leftWithoutPin } from '../rules/spent.ts';
import { isUnlocked } from '../rules/unlock.ts';
import { hasChanges } from './stop-changes.ts';

/** The facts of the security screen. Lamports; epoch milliseconds. */
export type GuardOverview = {
  readonly hasPin: boolean;
  readonly frozen: boolean;
  /** When an unlocking that was asked for takes effect. */
  readonly unfreezesAt: number | null;
  readonly cap: bigint;
  readonly capLeft: bigint;
  readonly nextCap: { readonly lamports: bigint; readonly at: number } | null;
  /** The most that may be spent without the PIN, and its rest now. */
  readonly spendCap: bigint;
  readonly spendLeft: bigint;
  readonly nextSpendCap: { readonly lamports: bigint; readonly at: number } | null;
  /** Until when a PIN has unlocked trades; null while they are locked. */
  readonly unlockedUntil: number | null;
  /** Orders rest on a PIN that was typed; a lock pauses them. */
  readonly hasGrantedOrders: boolean;
  /** From when on the present PIN unlocks trades; null = now. */
  readonly unlocksFrom: number | null;
  readonly delayMs: number;
  readonly longDelayMs: number;
  /** Whether a proof needs the authenticator's code too. */
  readonly hasSecondFactor: boolean;
  /** When that ends, because the operator was asked. */
  readonly secondFactorEndsAt: number | null;
  readonly recoveryCodesLeft: number;
  /** Whether the end of the freeze takes the PIN. Without, it waits longer. */
  readonly thawsWithPin: boolean;
  /** How long the end of the freeze waits once it is asked for. */
  readonly thawWaitMs: number;
  /** Where notices with Stop go beside the chat, shortened; null = nowhere else. */
  readonly noticeMail: string | null;
  /** The last notice to it did not arrive. */
  readonly noticeMailFails: boolean;
  /** The change of it that waits; null there = no mail from then on. */
  readonly nextNoticeMail: { readonly mail: string | null; readonly at: number } | null;
  /** A change of the guard, or a wallet that is to receive, has not had its effect yet: Stop takes it back. */
  readonly stoppable: boolean;
};

export async function guardOverview(
  deps: {
    readonly db: Pick<Stores, 'guards' | 'orders' | 'wallets' | 'mails'>;
    readonly clock: Clock;
    readonly guardRules: GuardRules;
  },
  input: { readonly userId: string },
): Promise<GuardOverview> {
  const { guardRules, clock } = deps;
  const now = clock.now();
  const since = windowStart(CAP_WINDOW_MS, clock);
  const [{ guard, spent }, used, hasGrantedOrders, wallets] = await Promise.all([
    deps.db.guards.findWithSums(input.userId, since),
    deps.db.guards.usedSince(input.userId, since),
    deps.db.orders.hasGranted(input.userId),
    deps.db.wallets.listByUser(input.userId),
  ]);
  const cap = capNow(guard, now, guardRules);
  const frozen = isFrozen(guard, now);
  const spendCap = capNow(guard, now, guardRules, 'spending');
  // No PIN is too young before there is one.
  const unlocksFrom = guard.pinHash === null ? null : guard.unlocksFrom;
  return {
    hasPin: guard.pinHash !== null,
    frozen,
    unfreezesAt: frozen ? guard.unfreezeAt : null,
    cap,
    capLeft: cap > used.lamports ? cap - used.lamports : 0n,
    nextCap: nextCap(guard, now, 'withdrawals'),
    spendCap,
    spendLeft: leftWithoutPin(guard, spent, now, guardRules),
    nextSpendCap: nextCap(guard, now, 'spending'),
    hasGrantedOrders,
    unlockedUntil: isUnlocked(guard, now) ? guard.unlockedUntil : null,
    unlocksFrom: unlocksFrom !== null && unlocksFrom > now ? unlocksFrom : null,
    delayMs: guardRules.delayMs,
    longDelayMs: guardRules.longDelayMs,
    hasSecondFactor: secondFactor(guard, now) !== null,
    secondFactorEndsAt: secondFactor(guard, now) === null ? null : guard.totpEndsAt,
    recoveryCodesLeft: secondFactor(guard, now) === null ? 0 : guard.recoveryCodes.length,
    thawsWithPin: endOfFreeze(guard) === 'freeze-end',
    thawWaitMs: thawWaitMs(guard, guardRules),
    ...mailsOf(guard, clock),
    noticeMailFails: await fails(deps.db, noticeMailNow(guard, clock)),
    stoppable: hasChanges(guard, now, guardRules) || wallets.some((wallet) => waitsToReceive(wallet, now)),
  };
}

function mailsOf(guard: Guard, clock: Clock): Pick<GuardOverview, 'noticeMail' | 'nextNoticeMail'> {
  const short = (address: string | null): string | null => (address === null ? null : shortEmail(address));
  const next = nextMail(guard, clock);
  return {
    noticeMail: short(noticeMailNow(guard, clock)),
    nextNoticeMail: next === null ? null : { mail: short(next.address), at: next.at },
  };
}

async function fails({ mails }: Pick<Stores, 'mails'>, address: string | null): Promise<boolean> {
  const last = address === null ? null : await mails.newestTo(address, 'notice');
  return (
    last !== null && (last.status === 'bounced' || (last.status === 'failed' && last.lastError !== OVERTAKEN))
  );
}
