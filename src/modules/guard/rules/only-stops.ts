import type { GuardFacts } from './certified-guard.ts';

/**
 * Whether a change of a guard freezes it and permits nothing that was not permitted before: what a Stop link in a mail may do. A PIN may
 * go, for a frozen account needs the operator or a week without one.
 */
export function onlyStops(from: GuardFacts, to: GuardFacts): boolean {
  const isFrozen = to.frozenAt !== null && to.unfreezeAt === null;
  const same = (keys: readonly (keyof GuardFacts)[]): boolean => keys.every((key) => to[key] === from[key]);
  const sameOrNone = (keys: readonly (keyof GuardFacts)[]): boolean =>
    keys.every((key) => to[key] === from[key] || to[key] === null);
  const pin =
    same(['pinHash', 'pinSetAt', 'pinIsFirst', 'unlocksFrom']) ||
    (to.pinHash === null && to.pinSetAt === null && !to.pinIsFirst && to.unlocksFrom === null);
  const mail =
    same(['noticeMail', 'nextNoticeMail', 'nextNoticeMailAt']) ||
    (same(['noticeMail']) && to.nextNoticeMail === null && to.nextNoticeMailAt === null);
  return (
    isFrozen &&
    pin &&
    mail &&
    to.userId === from.userId &&
    to.lockEpoch >= from.lockEpoch &&
    same(['delayFrom', 'capLamports', 'spendCapLamports', 'totpBox']) &&
    sameOrNone(['nextCapLamports', 'nextCapAt', 'nextSpendCapLamports', 'nextSpendCapAt']) &&
    sameOrNone(['totpEndsAt', 'nextTotpBox', 'unlockedUntil']) &&
    to.recoveryCodes.length === from.recoveryCodes.length &&
    to.recoveryCodes.every((code, index) => code === from.recoveryCodes[index])
  );
}
