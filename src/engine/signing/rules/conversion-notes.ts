import type { IsVoid } from './debt-notes.ts';
import type { WritableEntry } from './line.ts';
import type { ConvertedEntry, ConvertedSumEntry, JournalEntry } from './record.ts';

/** A part of a payout that goes to one person from the budget of one period. */
export type ConvertedNote = Omit<ConvertedEntry, 'kind'> & { readonly at: number };

/** Payouts from the budgets of conversions, in lamports, by the journal's lines. A period is named by its opening. Lines are taken in their order. */
export type ConversionNotes = {
  /** Another line of the same intent, person and period counts in place of the earlier one. */
  apply(entry: JournalEntry, at: number): void;
  /** Paid from the period, without the intents that `skips` names. */
  paid(opensAt: number, skips: IsVoid): bigint;
  /** The intents of that sum that were not added up yet, the oldest first. */
  intents(opensAt: number): readonly string[];
  /** The parts of one payout. */
  paidBy(intentId: string): readonly ConvertedNote[];
  /** Certificates of up to this moment pay nothing, for the operator took the period back; 0 = all of them pay. */
  cancelledUntil(opensAt: number): number;
  /** When this journal began, by the newest line that says so; null without one, or where that is from before `before`. */
  since(before?: number): number | null;
  /** Openings of the periods whose oldest line is from before `before`. */
  due(before: number): readonly number[];
  /** The lines that say all of a period again: its sum before `before`, as `isVoid` counts it, and whether it was taken back. */
  renewed(opensAt: number, before: number, isVoid: IsVoid): readonly WritableEntry[];
};

type Period = {
  /** By intent and person, in the order of signing. */
  readonly parts: Map<string, ConvertedNote>;
  sum: (Pick<ConvertedSumEntry, 'lamports'> & { readonly at: number }) | null;
  cancelled: { readonly until: number; readonly at: number } | null;
};

export function createConversionNotes(): ConversionNotes {
  const periods = new Map<number, Period>();
  let since: { readonly moment: number; readonly at: number } | null = null;
  const open = (opensAt: number): Period => {
    const known = periods.get(opensAt) ?? { parts: new Map(), sum: null, cancelled: null };
    periods.set(opensAt, known);
    return known;
  };
  const partsOf = (opensAt: number): readonly ConvertedNote[] => [
    ...(periods.get(opensAt)?.parts.values() ?? []),
  ];
  const sumOf = (notes: readonly ConvertedNote[], skips: IsVoid): bigint =>
    notes.reduce((sum, { intentId, lamports }) => (skips(intentId) ? sum : sum + lamports), 0n);
  return {
    apply: (entry, at) => {
      if (entry.kind === 'converted') {
        const { kind: _kind, ...note } = entry;
        open(entry.opensAt).parts.set(`${entry.intentId} ${entry.userId}`, { ...note, at });
      }
      if (entry.kind === 'converted-sum') {
        const period = open(entry.opensAt);
        period.sum = { lamports: entry.lamports, at };
        for (const [name, part] of period.parts) if (part.at < entry.before) period.parts.delete(name);
      }
      if (entry.kind === 'counted-since') since = { moment: entry.since, at };
      if (entry.kind === 'period-cancelled') {
        const period = open(entry.opensAt);
        period.cancelled = { until: Math.max(entry.until, period.cancelled?.until ?? 0), at };
      }
    },
    since: (before = 0) => (since === null || since.at < before ? null : since.moment),
    paid: (opensAt, skips) => (periods.get(opensAt)?.sum?.lamports ?? 0n) + sumOf(partsOf(opensAt), skips),
    intents: (opensAt) => [...new Set(partsOf(opensAt).map(({ intentId }) => intentId))],
    paidBy: (intentId) =>
      [...periods.keys()].flatMap((opensAt) => partsOf(opensAt).filter((part) => part.intentId === intentId)),
    cancelledUntil: (opensAt) => periods.get(opensAt)?.cancelled?.until ?? 0,
    due: (before) =>
      [...periods].flatMap(([opensAt, { parts, sum, cancelled }]) => {
        const times = [...parts.values(), sum, cancelled].flatMap((one) => one?.at ?? []);
        return times.some((at) => at < before) ? [opensAt] : [];
      }),
    renewed: (opensAt, before, isVoid) => {
      const period = periods.get(opensAt);
      if (period === undefined) return [];
      const old = partsOf(opensAt).filter(({ at }) => at < before);
      const lamports = (period.sum?.lamports ?? 0n) + sumOf(old, isVoid);
      const sum = { kind: 'converted-sum', opensAt, before, lamports } as const;
      const { cancelled } = period;
      return cancelled === null
        ? [sum]
        : [sum, { kind: 'period-cancelled', opensAt, until: cancelled.until }];
    },
  };
}
