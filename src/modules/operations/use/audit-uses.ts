import { windowStart } from '../../../core/time/age.ts';
import { ulidTime } from '../../../core/time/ulid.ts';
import { INTENT_KINDS, rulesOf } from '../../../engine/intents/kinds/rules.ts';
import type { JournalRecord, SignedUse } from '../../../engine/signing/rules/record.ts';
import type { UseRow, UseRows, UseWithIntent } from '../../../engine/signing/store/use-rows-port.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Mismatch } from '../../../platform/ports/operations.ts';
import { FLOOR_FEES } from '../../guard/use/at-floor.ts';

export type UseAudit = {
  readonly signed: number;
  readonly rows: number;
  readonly mismatches: readonly Mismatch[];
};

/** A day less than the rows are kept. */
const KEPT_MS = 29 * 86_400_000;
/** Between the name of an intent, its row and its signature: clocks of three processes, and slow exchanges. */
const MARGIN_MS = 15 * 60_000;
/** A withdrawal of everything counts the remainder that stays in an empty account, and the signature does not. Lamports. */
const MOST_REMAINDER = 1_000_000n;
const PAGE = 1_000;

type Signed = {
  readonly intentId: string;
  readonly kind: string;
  readonly use: SignedUse;
  readonly at: number;
};

/**
 * Compares the rows of people's days with the signer's journal (`misfit-use`): a row of a signed intent that is gone, of another person, sum or
 * time, and one that belongs to no such intent. Caps that the chat shows rest on these rows; the signer counts by itself. Rows that are
 * older than their keeping are left out, and those of signatures that a fence found missing in the database. Changes nothing.
 */
export async function auditUses(
  { rows, clock }: { readonly rows: UseRows; readonly clock: Clock },
  journal: { readonly records: (since: number) => AsyncIterable<Pick<JournalRecord, 'at' | 'entry'>> },
): Promise<UseAudit> {
  const since = windowStart(KEPT_MS, clock);
  const mismatches: Mismatch[] = [];
  const say = (intentId: string, detail: string): void =>
    void mismatches.push({ rule: 'misfit-use', subject: intentId, detail });
  // Lines first: a row is written before its line, so each line that is read here had its row by then.
  const { signed, lost } = await readSigned(journal.records(since), since);
  for (let start = 0; start < signed.length; start += PAGE) {
    const page = signed.slice(start, start + PAGE);
    const found = await rows.ofIntents(page.map(({ intentId }) => intentId));
    const byIntent = new Map<string, UseRow[]>();
    for (const row of found) byIntent.set(row.intentId, [...(byIntent.get(row.intentId) ?? []), row]);
    for (const one of page)
      for (const detail of misfits(one, byIntent.get(one.intentId) ?? [], lost)) say(one.intentId, detail);
  }
  let count = 0;
  for (let after = ''; ; ) {
    const page = await rows.since(since, after, PAGE);
    count += page.length;
    for (const row of page) {
      const detail = inventedBy(row);
      if (detail !== null) say(row.intentId, detail);
    }
    const last = page.at(-1);
    if (last === undefined) return { signed: signed.length, rows: count, mismatches };
    after = last.intentId;
  }
}

type Span = { readonly from: number; readonly to: number };

/** The intents that count, each by its last line, and the spans whose signatures the database may have lost. */
async function readSigned(
  records: AsyncIterable<Pick<JournalRecord, 'at' | 'entry'>>,
  since: number,
): Promise<{ readonly signed: readonly Signed[]; readonly lost: readonly Span[] }> {
  const signed = new Map<string, Signed>();
  const lost: Span[] = [];
  for await (const { at, entry } of records) {
    if (entry.kind === 'fence') lost.push({ from: entry.dataAsOf - MARGIN_MS, to: at });
    if (entry.kind !== 'signed' || entry.use === undefined) continue;
    const { intentId, intentKind: kind, use } = entry;
    if ((ulidTime(intentId) ?? at) >= since) signed.set(intentId, { intentId, kind, use, at });
  }
  return { signed: [...signed.values()], lost };
}

/** The differences between a signed intent and its rows. */
function misfits(signed: Signed, rows: readonly UseRow[], lost: readonly Span[]): readonly string[] {
  const { use, at } = signed;
  const wanted = [
    ...(use.withdrawn > 0n || use.unpriced === true ? (['withdrawal_uses'] as const) : []),
    ...(use.spent > 0n ? (['spending_uses'] as const) : []),
  ];
  return wanted.flatMap((table) => {
    const row = rows.find((one) => one.table === table);
    if (row !== undefined) return misfitOf(signed, row);
    if (lost.some(({ from, to }) => at >= from && at <= to)) return [];
    return [`the signer counted ${saying(table, use)}, and its row in ${table} is gone`];
  });
}

function misfitOf({ intentId, kind, use, at }: Signed, row: UseRow): readonly string[] {
  const { table, userId, lamports, fees, countsAt } = row;
  const isSum =
    table === 'withdrawal_uses'
      ? isWithdrawn(use, lamports)
      : isSpent(use, { kind, lamports: lamports ?? 0n, fees });
  const named = ulidTime(intentId);
  const isInTime = countsAt <= at + MARGIN_MS && (named === null || countsAt >= named - MARGIN_MS);
  return [
    ...(userId === use.userId
      ? []
      : [`its row in ${table} is of person ${userId}, and ${use.userId} signed`]),
    ...(isSum
      ? []
      : [
          `its row in ${table} says ${lamports ?? 'an unknown worth'}, the signer counted ${saying(table, use)}`,
        ]),
    ...(isInTime
      ? []
      : [
          `its row in ${table} counts at ${new Date(countsAt).toISOString()}, and it was signed then: ${new Date(at).toISOString()}`,
        ]),
  ];
}

function isWithdrawn({ withdrawn, unpriced }: SignedUse, lamports: bigint | null): boolean {
  if (unpriced === true || lamports === null) return unpriced === true && lamports === null;
  return lamports >= withdrawn && lamports <= withdrawn + MOST_REMAINDER;
}

/** A sale that used-up limits would stop counts the fees of the lowest priority, and not its own. */
function isSpent(
  { spent }: SignedUse,
  { kind, lamports, fees }: { readonly kind: string; readonly lamports: bigint; readonly fees: bigint },
): boolean {
  return (
    lamports === spent || (rulesOfNamed(kind)?.act === 'sell' && fees === spent && lamports === FLOOR_FEES)
  );
}

function saying(table: UseRow['table'], { withdrawn, spent, unpriced }: SignedUse): string {
  if (table === 'spending_uses') return `${spent} lamports spent`;
  return unpriced === true ? 'tokens of unknown worth' : `${withdrawn} lamports withdrawn`;
}

/** Undefined for a kind that this release does not know. */
function rulesOfNamed(name: string): ReturnType<typeof rulesOf> | undefined {
  const kind = INTENT_KINDS.find((one) => one === name);
  return kind === undefined ? undefined : rulesOf(kind);
}

/** Why a row cannot be of the intent that it names; null where it can. */
function inventedBy({ table, userId, intent }: UseWithIntent): string | null {
  if (intent === null) return `a row in ${table} of person ${userId} names it, and there is no such intent`;
  if (intent.userId !== userId)
    return `a row in ${table} says person ${userId}, and the intent is of ${intent.userId ?? 'no person'}`;
  const isWithdrawal = rulesOfNamed(intent.kind)?.withdraws !== undefined;
  return table === 'withdrawal_uses' && !isWithdrawal ? `a row in ${table} is of a ${intent.kind}` : null;
}
