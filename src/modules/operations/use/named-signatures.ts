import type { JournalRecord } from '../../../engine/signing/rules/record.ts';
import type { Named } from './reconcile.ts';

/** Clocks differ, and a commit may be younger than its signature: a signature this long before counts as after. */
const MARGIN_MS = 15 * 60_000;

/** How far back the records must go for `namedSince`. */
export const namedFrom = (dataAsOf: number): number => Math.max(0, dataAsOf - MARGIN_MS);

/**
 * The signatures that a journal's lines name since a database's moment (`dataAsOf`, epoch milliseconds), and all that were still on their
 * way into the database then, the oldest first. Signatures that the signer saw die are left out: they are on no chain.
 */
export async function namedSince(
  records: AsyncIterable<Pick<JournalRecord, 'at' | 'entry'>>,
  dataAsOf: number,
): Promise<readonly Named[]> {
  const named = new Map<string, Named>();
  for await (const { at, entry } of records) {
    if (entry.kind === 'signed' && at >= namedFrom(dataAsOf)) {
      const { signature, intentId } = entry;
      named.set(signature, { signature, intentId });
    }
    if (entry.kind === 'ended' && entry.how === 'dead') named.delete(entry.signature);
  }
  return [...named.values()];
}
