import { windowStart } from '../../../core/time/age.ts';
import { COPY_LIMITS } from '../../../modules/copying/rules/copy.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { MandateName } from '../rules/copy-notes.ts';
import type { CopiedEntry } from '../rules/record.ts';
import { denySignature } from './deny-signature.ts';
import { type EndDeps, endOfIntent } from './end-of-intent.ts';

/** The part of a copied purchase in its mandate, and the most of a day and in all, in lamports. */
export type CopiedUse = MandateName & {
  readonly lamports: bigint;
  readonly dayLamports: bigint;
  readonly totalLamports: bigint;
};

/**
 * Throws POLICY_DENIED (`copy-mandate`) where a purchase passes the caps of its mandate beside the others that the journal knows. Those
 * that came to nothing give their part back; they are looked for where that decides. Rows have no say.
 */
export async function assertWithinMandate(
  deps: EndDeps & { readonly clock: Clock },
  intentId: string,
  use: CopiedUse,
): Promise<void> {
  const { book, clock } = deps;
  const since = windowStart(COPY_LIMITS.dayMs, clock);
  const isOver = (): boolean => {
    const { today, inAll } = book.copies.sums(use, since, (id) => id === intentId || book.isVoid(id));
    return today + use.lamports > use.dayLamports || inAll + use.lamports > use.totalLamports;
  };
  for (const other of book.copies.intents(use)) {
    if (!isOver()) return;
    if (other !== intentId && !book.isVoid(other)) await endOfIntent(deps, other);
  }
  if (isOver()) denySignature('copy-mandate');
}

/** The line that a purchase leaves before its signature. */
export const copiedLine = (intentId: string, { copyId, until, lamports }: CopiedUse): CopiedEntry => ({
  kind: 'copied',
  copyId,
  intentId,
  until,
  lamports,
});
