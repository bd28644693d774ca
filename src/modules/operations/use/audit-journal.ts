import { hasAged } from '../../../core/time/age.ts';
import type { JournalRecord } from '../../../engine/signing/rules/record.ts';
import type { SignatureBooks } from '../../../engine/signing/store/signature-books-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Mismatch } from '../../../platform/ports/operations.ts';

export type JournalAudit = {
  readonly signed: number;
  readonly attempts: number;
  readonly mismatches: readonly Mismatch[];
};

/** A signature is on its way into the database this long at most; a missing one is reported then. */
const ON_ITS_WAY_MS = 10 * 60_000;
/** The first attempts after the journal began may be those of a signer without one. */
const MARGIN_MS = 15 * 60_000;
const PAGE = 1_000;

/**
 * Compares the signer's journal with the attempts, by signature. A signature in the journal that the chain shows must be in an attempt
 * (`journal-unknown`). Each attempt since the journal began must be one that the signer signed (`journal-missing`). Signatures that never
 * landed are left out: a signature that is thrown away is normal. `begunAt`, `since`: epoch milliseconds. Throws CHAIN_UNREACHABLE and the
 * journal's errors.
 */
export async function auditJournal(
  deps: {
    readonly signatures: Pick<SignatureBooks, 'known' | 'signedSince'>;
    readonly chain: Pick<Chain, 'landed'>;
    readonly clock: Clock;
  },
  journal: {
    readonly begunAt: number;
    readonly since: number;
    readonly records: (since: number) => AsyncIterable<Pick<JournalRecord, 'at' | 'entry'>>;
  },
): Promise<JournalAudit> {
  const from = Math.max(journal.since, journal.begunAt) + MARGIN_MS;
  // Attempts first: a line is written before its attempt, so each that is read here has its line by then.
  const attempts = await attemptsSince(deps.signatures, from);
  const signed = new Map<
    string,
    { readonly intentId: string; readonly at: number; readonly isDead: boolean }
  >();
  for await (const { at, entry } of journal.records(journal.since)) {
    if (entry.kind === 'signed') signed.set(entry.signature, { intentId: entry.intentId, at, isDead: false });
    const known = entry.kind === 'ended' && entry.how === 'dead' ? signed.get(entry.signature) : undefined;
    if (known !== undefined && entry.kind === 'ended')
      signed.set(entry.signature, { ...known, isDead: true });
  }
  const missing = attempts
    .filter(({ signature }) => !signed.has(signature))
    .map(({ signature, intentId }) => ({
      rule: 'journal-missing',
      subject: signature,
      detail: `an attempt of intent ${intentId} holds it and the journal does not: it is an older copy, or another signer has the keys`,
    }));
  return {
    signed: signed.size,
    attempts: attempts.length,
    mismatches: [...missing, ...(await unknownOf(deps, signed))],
  };
}

async function attemptsSince(books: Pick<SignatureBooks, 'signedSince'>, since: number) {
  const attempts: Awaited<ReturnType<SignatureBooks['signedSince']>>[number][] = [];
  for (let after = ''; ; ) {
    const page = await books.signedSince(since, after, PAGE);
    attempts.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return attempts;
    after = last.id;
  }
}

/** Signed, on the chain, and in no attempt. */
async function unknownOf(
  { signatures, chain, clock }: Parameters<typeof auditJournal>[0],
  signed: ReadonlyMap<string, { readonly intentId: string; readonly at: number; readonly isDead: boolean }>,
): Promise<readonly Mismatch[]> {
  const due = [...signed].filter(([, { at, isDead }]) => !isDead && hasAged(at, ON_ITS_WAY_MS, clock));
  const mismatches: Mismatch[] = [];
  for (let start = 0; start < due.length; start += PAGE) {
    const page = due.slice(start, start + PAGE);
    const known = await signatures.known(page.map(([signature]) => signature));
    for (const [signature, { intentId }] of page) {
      if (known.has(signature) || (await chain.landed(signature)) === null) continue;
      const detail = `the journal signed it for intent ${intentId}, it landed, and no attempt holds it: the database is older. Run reconcile`;
      mismatches.push({ rule: 'journal-unknown', subject: signature, detail });
    }
  }
  return mismatches;
}
