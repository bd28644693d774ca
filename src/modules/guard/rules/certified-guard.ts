import { canonicalText } from '../../../core/canonical-text.ts';
import { emptyGuard, type Guard } from './guard.ts';

/**
 * What the signer certifies of a guard: all that permits or delays something. The traces of proofs are left out, which each try writes:
 * the signer's journal counts wrong PINs itself, and a code shown twice is refused by its step.
 */
export type GuardFacts = Omit<
  Guard,
  | 'pinFailures'
  | 'pinLocks'
  | 'pinLockedUntil'
  | 'pinTrying'
  | 'pinRightAt'
  | 'totpStep'
  | 'nextRecoveryCodes'
  | 'nextTotpLink'
  | 'nextTotpUntil'
  | 'certificate'
>;

/** The certified facts of a guard, and nothing else that the value has. */
export function guardFacts(guard: GuardFacts): GuardFacts {
  return {
    userId: guard.userId,
    version: guard.version,
    pinHash: guard.pinHash,
    pinSetAt: guard.pinSetAt,
    pinIsFirst: guard.pinIsFirst,
    delayFrom: guard.delayFrom,
    frozenAt: guard.frozenAt,
    unfreezeAt: guard.unfreezeAt,
    capLamports: guard.capLamports,
    nextCapLamports: guard.nextCapLamports,
    nextCapAt: guard.nextCapAt,
    totpBox: guard.totpBox,
    totpEndsAt: guard.totpEndsAt,
    recoveryCodes: guard.recoveryCodes,
    nextTotpBox: guard.nextTotpBox,
    spendCapLamports: guard.spendCapLamports,
    nextSpendCapLamports: guard.nextSpendCapLamports,
    nextSpendCapAt: guard.nextSpendCapAt,
    unlockedUntil: guard.unlockedUntil,
    unlocksFrom: guard.unlocksFrom,
    noticeMail: guard.noticeMail,
    nextNoticeMail: guard.nextNoticeMail,
    nextNoticeMailAt: guard.nextNoticeMailAt,
    lockEpoch: guard.lockEpoch,
  };
}

/** Whether nothing was ever set: such a guard has no certificate, and the signer's journal knows none of the person. */
export function isUntouched(guard: GuardFacts): boolean {
  const none = { ...emptyGuard(guard.userId), version: guard.version };
  return canonicalText(guardFacts(guard)) === canonicalText(guardFacts(none));
}
