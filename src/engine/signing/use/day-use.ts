import { windowStart } from '../../../core/time/age.ts';
import { CAP_WINDOW_MS, UNPRICED_PER_DAY } from '../../../modules/guard/rules/cap.ts';
import { withdrawalCap } from '../../../modules/guard/rules/judge-withdrawal.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import { feesUpTo, rulesOf, withdrawnBy } from '../../intents/kinds/rules.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import type { SignedUse } from '../rules/record.ts';
import type { SignerDeps } from './deps.ts';
import { type EndDeps, endOfIntent } from './end-of-intent.ts';

/** The part of a signature in its person's day, and the most that the signatures of a day take together. Lamports. */
export type DayUse = SignedUse & { readonly mostWithdrawn: bigint; readonly mostSpent: bigint };

/**
 * The part of an intent in its person's day, by its confirmed params and by the certified guard: no row has a say. SOL that leaves, also as
 * wrapped SOL, and the worth of other tokens as it was when it was confirmed; and all spending with its network fees. The second half of a
 * creation was counted with the first. Null where nothing counts.
 */
export async function dayUseOf(
  { db, clock, guardRules }: Pick<SignerDeps, 'db' | 'clock' | 'guardRules'>,
  { params, userId, confirmation }: Pick<Intent, 'params' | 'userId' | 'confirmation'>,
): Promise<DayUse | null> {
  if (userId === null || confirmation === null) return null;
  const { lamports: withdrawn, unpriced } = withdrawnBy(params);
  const cap = withdrawn === 0n ? 0n : withdrawalCap(await db.guards.find(userId), clock.now(), guardRules);
  return {
    userId,
    withdrawn,
    spent: rulesOf(params.kind).spends(params) + feesUpTo(params),
    ...(unpriced > 0 ? { unpriced: true as const } : {}),
    mostWithdrawn: cap,
    mostSpent: guardRules.allSpendingLamports + guardRules.floorFeesLamports,
  };
}

/**
 * Whether the signature passes a sum of its person's day beside the others that the journal knows. The first withdrawal of a day passes
 * none: it was compared with the person's cap as it was then. Signatures that came to nothing give their part back; they are looked for where that decides.
 */
export async function passesDay(
  { book, look, write, clock }: EndDeps & { readonly clock: Clock },
  intentId: string,
  use: DayUse,
): Promise<boolean> {
  const since = windowStart(CAP_WINDOW_MS, clock);
  const isOver = (): boolean => {
    const used = book.uses.since(use.userId, since, (id) => id === intentId || book.isVoid(id));
    const leaves = use.withdrawn > 0n && used.withdrawn > 0n;
    return (
      (leaves && used.withdrawn + use.withdrawn > use.mostWithdrawn) ||
      (use.unpriced === true && used.unpriced >= UNPRICED_PER_DAY) ||
      (use.spent > 0n && used.spent + use.spent > use.mostSpent)
    );
  };
  for (const other of book.uses.intents(use.userId, since)) {
    if (!isOver()) return false;
    if (other !== intentId && !book.isVoid(other)) await endOfIntent({ book, look, write }, other);
  }
  return isOver();
}
