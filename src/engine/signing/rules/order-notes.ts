import { hasAged } from '../../../core/time/age.ts';
import type { WritableEntry } from './line.ts';
import type { FireEntry, JournalEntry } from './record.ts';

/** A fire that was signed, unless it was found to have had no effect. */
export type FireNote = Pick<FireEntry, 'n' | 'intentId' | 'units'>;

/** The signer's memory of an order, beside its row. */
export type OrderNote = {
  /** An earlier agreement is void; 0 = none is. */
  readonly agreedAt: number;
  /** An agreement of that time or before is stopped; -1 = none is. */
  readonly stoppedAt: number;
  readonly fires: readonly FireNote[];
};

const NO_NOTE: OrderNote = { agreedAt: 0, stoppedAt: -1, fires: [] };

type Kept = OrderNote & { readonly until: number /** Of its oldest line. */; readonly at: number };

/** What the journal says of orders. Lines are taken in their order. */
export type OrderNotes = {
  apply(entry: JournalEntry, at: number): void;
  of(orderId: string): OrderNote;
  /** The lines of orders whose oldest one is from before `before`, to be written again, so that the journal's start may be forgotten. */
  due(before: number, now: number): readonly WritableEntry[];
  /** Forgets orders of which nothing can be signed any more. */
  forget(now: number): void;
};

/** Longer than a fire that was agreed is on its way. */
const MARGIN_MS = 2 * 86_400_000;

export function createOrderNotes(): OrderNotes {
  const notes = new Map<string, Kept>();
  const put = (orderId: string, until: number, at: number, patch: Partial<OrderNote>): void => {
    const before = notes.get(orderId) ?? { ...NO_NOTE, until, at };
    notes.set(orderId, { ...before, ...patch, until: Math.max(before.until, until) });
  };
  return {
    of: (orderId) => notes.get(orderId) ?? NO_NOTE,
    apply: (entry, at) => {
      if (entry.kind === 'fire') {
        const { orderId, n, intentId, units, until } = entry;
        const others = (notes.get(orderId)?.fires ?? []).filter((one) => one.intentId !== intentId);
        put(orderId, until, at, { fires: [...others, { n, intentId, units }] });
      }
      if (entry.kind === 'fire-void') {
        const known = notes.get(entry.orderId);
        if (known === undefined) return;
        const fires = known.fires.filter(({ intentId }) => intentId !== entry.intentId);
        put(entry.orderId, known.until, at, { fires });
      }
      if (entry.kind === 'order') {
        const { orderId, until, stopped } = entry;
        const known = notes.get(orderId) ?? NO_NOTE;
        const agreedAt = Math.max(known.agreedAt, entry.agreedAt);
        const stoppedAt = stopped ? Math.max(known.stoppedAt, entry.agreedAt) : known.stoppedAt;
        put(orderId, until, at, { agreedAt, stoppedAt });
      }
    },
    due: (before, now) => {
      const lines: WritableEntry[] = [];
      for (const [orderId, note] of notes) {
        if (note.at >= before) continue;
        lines.push(...linesOf(orderId, note));
        notes.set(orderId, { ...note, at: now });
      }
      return lines;
    },
    forget: (now) => {
      for (const [orderId, { until }] of notes) if (hasAged(until, MARGIN_MS, now)) notes.delete(orderId);
    },
  };
}

/** What a journal without its start must say again. */
function linesOf(orderId: string, { agreedAt, stoppedAt, fires, until }: Kept): readonly WritableEntry[] {
  return [
    { kind: 'order', orderId, agreedAt, stopped: false, until },
    ...(stoppedAt < 0
      ? []
      : [{ kind: 'order', orderId, agreedAt: stoppedAt, stopped: true, until } as const]),
    ...fires.map((fire) => ({ kind: 'fire', orderId, ...fire, until }) as const),
  ];
}
