import type { JournalEntry, OwedEntry, ShareEntry } from './record.ts';

/** A share whose transaction was signed and is not known to have landed. */
export type ShareNote = Omit<ShareEntry, 'kind'>;
/** The part of a payout that goes to one person. */
export type OwedNote = Omit<OwedEntry, 'kind'> & { readonly at: number };

/** Whether nothing of an intent can have landed. */
export type IsVoid = (intentId: string) => boolean;

/** Debts as the journal proves them, in lamports. Lines are taken in their order. */
export type DebtNotes = {
  apply(entry: JournalEntry, at: number): void;
  /** Shares of the person that are not known to have landed. */
  shares(userId: string): readonly ShareNote[];
  hasShare(intentId: string): boolean;
  /** Shares that landed, for good. */
  credit(userId: string): bigint;
  /** The part of the credit that payouts use. */
  used(userId: string, isVoid: IsVoid): bigint;
  /** The payouts of the person that were not added up yet, and those of an intent. */
  paidTo(userId: string): readonly OwedNote[];
  paidBy(intentId: string): readonly OwedNote[];
  /** Paid without a proof at `since` or later, epoch milliseconds. */
  unprovedSince(since: number, isVoid: IsVoid): bigint;
  /** Shares from before `before` that are not known to have landed, and people whose oldest line is from before it. */
  due(before: number): { readonly shares: readonly ShareNote[]; readonly people: readonly string[] };
  /** Forgets shares from before `before` that did not land, and payouts that were added up. */
  forget(before: number): void;
};

/** `at`: of the oldest line. */
type Account = { readonly credit: bigint; readonly used: bigint; readonly at: number };

export function createDebtNotes(): DebtNotes {
  const shares = new Map<string, ShareNote & { readonly at: number }>();
  const accounts = new Map<string, Account>();
  let owed: readonly OwedNote[] = [];
  const add = (userId: string, credit: bigint, at: number): void => {
    const before = accounts.get(userId) ?? { credit: 0n, used: 0n, at };
    accounts.set(userId, { ...before, credit: before.credit + credit });
  };
  return {
    apply: (entry, at) => {
      if (entry.kind === 'share') {
        const { kind: _kind, ...share } = entry;
        shares.set(share.intentId, { ...share, at });
      }
      if (entry.kind === 'share-proved') {
        const share = shares.get(entry.intentId);
        if (share === undefined) return;
        shares.delete(entry.intentId);
        add(share.inviterId, share.lamports, at);
      }
      if (entry.kind === 'owed') {
        const { kind: _kind, ...note } = entry;
        owed = [...owed, { ...note, at }];
        add(note.userId, 0n, at);
      }
      if (entry.kind === 'account') {
        const { userId, credit, used } = entry;
        accounts.set(userId, { credit, used, at });
        // A sum paid without a proof still counts in its day.
        owed = owed.map((note) => (note.userId === userId ? { ...note, proved: 0n } : note));
      }
    },
    shares: (userId) => [...shares.values()].filter(({ inviterId }) => inviterId === userId),
    hasShare: (intentId) => shares.has(intentId),
    credit: (userId) => accounts.get(userId)?.credit ?? 0n,
    used: (userId, isVoid) =>
      owed.reduce(
        (sum, note) => (note.userId === userId && !isVoid(note.intentId) ? sum + note.proved : sum),
        accounts.get(userId)?.used ?? 0n,
      ),
    paidTo: (userId) => owed.filter((note) => note.userId === userId && note.proved > 0n),
    paidBy: (intentId) => owed.filter((note) => note.intentId === intentId),
    unprovedSince: (since, isVoid) =>
      owed.reduce(
        (sum, { at, intentId, unproved }) => (at >= since && !isVoid(intentId) ? sum + unproved : sum),
        0n,
      ),
    due: (before) => ({
      shares: [...shares.values()].filter(({ at }) => at < before),
      people: [...accounts].flatMap(([userId, { at }]) => (at < before ? [userId] : [])),
    }),
    forget: (before) => {
      for (const [intentId, { at }] of shares) if (at < before) shares.delete(intentId);
      owed = owed.filter(({ at, proved }) => at >= before || proved > 0n);
    },
  };
}
