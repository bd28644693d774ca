import { minBigint } from '@tradepost/solana';
import type { WritableEntry } from '../rules/line.ts';
import { type EndDeps, endOfIntent } from './end-of-intent.ts';

/** A person and the lamports that a payout is about to pay them. */
export type Paying = { readonly userId: string; readonly lamports: bigint };

/**
 * The part of a payout that the signer itself can prove: shares of fees whose transactions it signed and saw landed on the chain, less
 * what earlier payouts used of them. Each share counts once, for ever. Shares are looked for only as far as they are needed. Rows have no
 * say. Returns the lines that the payout leaves in the journal.
 */
export async function proveDebts(
  deps: EndDeps,
  intentId: string,
  items: readonly Paying[],
): Promise<readonly Extract<WritableEntry, { kind: 'owed' }>[]> {
  const { debts } = deps.book;
  const lines: Extract<WritableEntry, { kind: 'owed' }>[] = [];
  const before = new Map<string, bigint>();
  for (const { userId, lamports } of items) {
    const taken = before.get(userId) ?? 0n;
    const left = (): bigint =>
      debts.credit(userId) - debts.used(userId, (id) => id === intentId || deps.book.isVoid(id)) - taken;
    if (left() < lamports) await freeDeadPayouts(deps, intentId, userId);
    for (const share of debts.shares(userId)) {
      if (left() >= lamports) break;
      await proveShare(deps, share.intentId);
    }
    const has = left();
    const proved = has > 0n ? minBigint(has, lamports) : 0n;
    lines.push({ kind: 'owed', intentId, userId, proved, unproved: lamports - proved });
    before.set(userId, taken + proved);
  }
  return lines;
}

/** A payout that never landed gives back what it used. */
async function freeDeadPayouts(deps: EndDeps, intentId: string, userId: string): Promise<void> {
  for (const { intentId: other } of deps.book.debts.paidTo(userId))
    if (other !== intentId && !deps.book.isVoid(other)) await endOfIntent(deps, other);
}

async function proveShare(deps: EndDeps, intentId: string): Promise<void> {
  if ((await endOfIntent(deps, intentId)) === 'landed') await deps.write({ kind: 'share-proved', intentId });
}

/**
 * Writes again all that would be forgotten with the journal's start: shares from before `before` are looked for, and a person's lines
 * from before it are added up.
 */
export async function renewDebts(deps: EndDeps, before: number): Promise<void> {
  const { debts, isVoid } = deps.book;
  const due = debts.due(before);
  for (const { intentId } of due.shares) await proveShare(deps, intentId);
  for (const userId of due.people) {
    await freeDeadPayouts(deps, '', userId);
    const [credit, used] = [debts.credit(userId), debts.used(userId, isVoid)];
    await deps.write({ kind: 'account', userId, credit, used });
  }
}
