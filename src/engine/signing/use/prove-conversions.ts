import { isOver } from '../../../core/time/due.ts';
import { conversionName, type PeriodFacts, periodFacts } from '../../../modules/convert/rules.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { ConvertedEntry } from '../rules/record.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';
import { type EndDeps, endOfIntent } from './end-of-intent.ts';
import type { Paying } from './prove-debts.ts';

/** Lamports that a payout is about to pay a person from the budget of a period. */
export type Converting = Paying & { readonly period: PeriodFacts };

/**
 * The shares of conversions in a payout, by its rewards, each with the facts that its period's certificate covers. Rewards name them; what
 * they may pay in all is `proveConversions`'s to say. Throws POLICY_DENIED (`payout-conversion`) for a period that there is not, that has
 * not closed, or that was cancelled. Throws ROW_FORGED for one that was not certified as its row is.
 */
export async function conversionsOf(
  { db, certifier, clock }: Pick<SignerDeps, 'db' | 'certifier' | 'clock'>,
  intentId: Intent['id'],
): Promise<readonly Converting[]> {
  const found: Converting[] = [];
  for (const { userId, name, lamports } of await db.referrals.payoutConversions(intentId)) {
    const number = Number(name.split('.')[0]);
    if (!Number.isSafeInteger(number) || name !== conversionName(number, userId) || lamports <= 0n)
      denySignature('payout-conversion');
    const row = await db.convert.find(number);
    const period = row === null ? null : periodFacts(row);
    if (row === null || period === null) denySignature('payout-conversion');
    const isCertified = row.seal?.certificate === certifier.period(period);
    if (!isCertified || period.isCancelled || !isOver(period.closesAt, clock))
      denySignature('payout-conversion');
    found.push({ userId, lamports, period });
  }
  return found;
}

/**
 * The lines that these shares leave in the journal. The journal counts all that it paid from a period, by the opening; what its payouts that came to
 * nothing took is free again, and is looked for where that decides. Rows have no say. Throws POLICY_DENIED (`payout-conversion`) where a
 * share is not within its certified budget, where the certificate is older than the journal, and where the operator took the period back.
 */
export async function proveConversions(
  deps: EndDeps & { readonly begunAt: () => Promise<number> },
  intentId: string,
  shares: readonly Converting[],
): Promise<readonly ConvertedEntry[]> {
  const { conversions, isVoid } = deps.book;
  const lines: ConvertedEntry[] = [];
  const taken = new Map<number, bigint>();
  for (const { userId, lamports, period } of shares) {
    const { opensAt, budgetLamports, uncountedLamports, at } = period;
    // What an earlier journal paid is in no line of this one.
    if (at <= conversions.cancelledUntil(opensAt) || at < (await deps.begunAt()))
      denySignature('payout-conversion');
    const before = taken.get(opensAt) ?? 0n;
    const isOver = (): boolean =>
      uncountedLamports +
        conversions.paid(opensAt, (id) => id === intentId || isVoid(id)) +
        before +
        lamports >
      budgetLamports;
    for (const other of conversions.intents(opensAt)) {
      if (!isOver()) break;
      if (other !== intentId && !isVoid(other)) await endOfIntent(deps, other);
    }
    if (isOver()) denySignature('payout-conversion');
    taken.set(opensAt, before + lamports);
    lines.push({ kind: 'converted', opensAt, intentId, userId, lamports });
  }
  return lines;
}

/**
 * The items of a payout without its shares of conversions, in the same order: what trades must prove. Throws POLICY_DENIED
 * (`payout-conversion`) where a person's shares are more than the payout pays them.
 */
export function withoutConversions(items: readonly Paying[], shares: readonly Paying[]): readonly Paying[] {
  const left = new Map<string, bigint>();
  for (const { userId, lamports } of shares) left.set(userId, (left.get(userId) ?? 0n) + lamports);
  const rest = items.map(({ userId, lamports }) => {
    const converted = left.get(userId) ?? 0n;
    const part = converted < lamports ? converted : lamports;
    left.set(userId, converted - part);
    return { userId, lamports: lamports - part };
  });
  if ([...left.values()].some((lamports) => lamports > 0n)) denySignature('payout-conversion');
  return rest;
}

/** Payouts of a day may still be tried again. */
const SETTLED_MS = 86_400_000;

/** Writes again all that would be forgotten with the journal's start: lines from before `before` are added up, each payout at its end. */
export async function renewConversions(
  deps: EndDeps & { readonly begunAt: () => Promise<number> },
  before: number,
  now: number,
): Promise<void> {
  const { conversions, isVoid } = deps.book;
  // Segments are dropped, and the oldest line that is left says no more when the journal began.
  const since = await deps.begunAt();
  if (since < before && conversions.since(before) === null)
    await deps.write({ kind: 'counted-since', since });
  for (const opensAt of conversions.due(before)) {
    for (const intentId of conversions.intents(opensAt))
      if (!isVoid(intentId)) await endOfIntent(deps, intentId);
    const lines: readonly WritableEntry[] = conversions.renewed(opensAt, now - SETTLED_MS, isVoid);
    for (const line of lines) await deps.write(line);
  }
}
