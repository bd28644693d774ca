import { type ConversionNotes, createConversionNotes } from './conversion-notes.ts';
import { type CopyNotes, createCopyNotes } from './copy-notes.ts';
import { createDebtNotes, type DebtNotes } from './debt-notes.ts';
import { createExportNotes, type ExportNotes } from './export-notes.ts';
import { createGuardNotes, type GuardNotes } from './guard-notes.ts';
import { createKeyedNotes, type KeyedNotes } from './keyed-notes.ts';
import { createOrderNotes, type OrderNotes } from './order-notes.ts';
import type {
  FenceEntry,
  JournalRecord,
  PaidEntry,
  SignatureEnd,
  SignedEntry,
  TrailEntry,
} from './record.ts';
import { createUseNotes, type UseNotes } from './use-notes.ts';

/** A signature that left, as the signer remembers it. */
export type SignedNote = Omit<SignedEntry, 'kind'> & {
  readonly at: number;
  readonly seq: number;
  /** How it ended by the signer's own look; null while that is not known. */
  readonly end: SignatureEnd | null;
  readonly isStored: boolean;
};

/** How long an intent is remembered, and with it how old one may be that is signed. */
export const REMEMBERED_DAYS = 31;
export const REMEMBERED_MS = REMEMBERED_DAYS * 86_400_000;

/** A link of the audit log, and when it was written down (epoch milliseconds). */
export type SeenTrail = Pick<TrailEntry, 'act' | 'hash'> & { readonly at: number };

export type StandingFence = FenceEntry & { readonly at: number };

/** The state that the lines of a journal add up to. */
export type JournalBook = {
  /** Takes the next line in. */
  apply(record: Pick<JournalRecord, 'seq' | 'at' | 'entry'>): void;
  /** Signatures that are neither stored nor ended, the oldest first. */
  open(): readonly SignedNote[];
  /**
   * Those of the two newest `stored` lines. A rollback keeps a prefix of the commits: while all of these are there, nothing before
   * them was lost. Two lines, for two commits may become visible in the other order than they were written.
   */
  newestStored(): readonly SignedNote[];
  /** Everything signed for an intent, the oldest first. */
  of(intentId: string): readonly SignedNote[];
  /** Signed at `since` (epoch milliseconds) or later. */
  signedSince(since: number): readonly SignedNote[];
  /** Lamports of the payouts since `since` (epoch milliseconds), but for this one and for those whose every signature had no effect. */
  paidSince(since: number, except: string): bigint;
  /** The fence in force and when it was put up, or null. */
  fence(): StandingFence | null;
  /** The newest link of the audit log that was written down since the last fence came down, or null. */
  trail(): SeenTrail | null;
  /** The signed fires of orders, and the void agreements. */
  readonly orders: OrderNotes;
  /** Proved debts, and the payouts of them. */
  readonly debts: DebtNotes;
  /** Key files that were asked for, and their ends. */
  readonly exports: ExportNotes;
  /** The newest guards of people. */
  readonly guards: GuardNotes;
  /** The parts of signatures in their people's sums of a day. */
  readonly uses: UseNotes;
  /** The confirmed requests of personal keys, and the ends of keys. */
  readonly keyed: KeyedNotes;
  /** The purchases of copies. */
  readonly copies: CopyNotes;
  /** The sums that were paid from the budgets of conversions. */
  readonly conversions: ConversionNotes;
  /** Whether nothing that was signed for an intent has landed or can. */
  readonly isVoid: (intentId: string) => boolean;
  /** Forgets signatures from before `before` (epoch milliseconds) that are not open. */
  forget(before: number): void;
};

type BookState = {
  readonly notes: Map<string, SignedNote>;
  readonly open: Map<string, SignedNote>;
  readonly byIntent: Map<string, string[]>;
  /** What payouts pay, by their intents. */
  readonly paid: Map<string, { readonly at: number; readonly lamports: bigint }>;
  storedLines: readonly (readonly string[])[];
  fence: StandingFence | null;
  trail: SeenTrail | null;
  readonly orders: OrderNotes;
  readonly debts: DebtNotes;
  readonly exports: ExportNotes;
  readonly guards: GuardNotes;
  readonly uses: UseNotes;
  readonly keyed: KeyedNotes;
  readonly copies: CopyNotes;
  readonly conversions: ConversionNotes;
};

/** An empty book. Lines are taken in their order; a line about an unknown signature changes nothing. */
export function createJournalBook(): JournalBook {
  const state: BookState = {
    notes: new Map(),
    open: new Map(),
    byIntent: new Map(),
    paid: new Map(),
    storedLines: [],
    fence: null,
    trail: null,
    orders: createOrderNotes(),
    debts: createDebtNotes(),
    exports: createExportNotes(),
    guards: createGuardNotes(),
    uses: createUseNotes(),
    keyed: createKeyedNotes(),
    copies: createCopyNotes(),
    conversions: createConversionNotes(),
  };
  const noted = (signatures: readonly string[]): readonly SignedNote[] =>
    signatures.flatMap((signature) => state.notes.get(signature) ?? []);
  return {
    apply: (record) => applyTo(state, record),
    open: () => [...state.open.values()],
    newestStored: () => noted(state.storedLines.flat()),
    of: (intentId) => noted(state.byIntent.get(intentId) ?? []),
    signedSince: (since) => [...state.notes.values()].filter(({ at }) => at >= since),
    paidSince: (since, except) =>
      [...state.paid].reduce(
        (sum, [intentId, { at, lamports }]) =>
          at < since || intentId === except || hadNoEffect(noted(state.byIntent.get(intentId) ?? []))
            ? sum
            : sum + lamports,
        0n,
      ),
    fence: () => state.fence,
    trail: () => state.trail,
    orders: state.orders,
    debts: state.debts,
    exports: state.exports,
    guards: state.guards,
    uses: state.uses,
    keyed: state.keyed,
    copies: state.copies,
    conversions: state.conversions,
    isVoid: (intentId) => hadNoEffect(noted(state.byIntent.get(intentId) ?? [])),
    forget: (before) => forgetFrom(state, before),
  };
}

function applyTo(state: BookState, { seq, at, entry }: Pick<JournalRecord, 'seq' | 'at' | 'entry'>): void {
  switch (entry.kind) {
    case 'signed': {
      const { kind: _kind, ...signed } = entry;
      takeIn(state, { ...signed, at, seq, end: null, isStored: false });
      state.uses.apply(entry, at);
      return;
    }
    case 'stored':
      for (const signature of entry.signatures) close(state, signature, { isStored: true });
      state.storedLines = [...state.storedLines.slice(-1), entry.signatures];
      return;
    case 'ended':
      close(state, entry.signature, { end: entry.how });
      return;
    case 'fence':
      state.fence = { ...entry, at };
      return;
    case 'unfence':
      liftFence(state, entry.accepted);
      return;
    case 'trail':
      state.trail = { act: entry.act, hash: entry.hash, at };
      return;
    case 'paid':
      notePaid(state, entry, at);
      return;
    case 'fire':
    case 'fire-void':
    case 'order':
    case 'share':
    case 'share-proved':
    case 'owed':
    case 'account':
    case 'export-asked':
    case 'export-taken':
    case 'export-stopped':
    case 'guard':
    case 'keyed':
    case 'key-ended':
    case 'copied':
    case 'converted':
    case 'converted-sum':
    case 'period-cancelled':
    case 'counted-since':
      // Each of them takes in its own kinds.
      for (const notes of notesOf(state)) notes.apply(entry, at);
      return;
    case 'open':
    case 'pin-wrong':
    case 'pin-right':
    case 'key':
    case 'owned':
    case 'other':
      return;
  }
}

const notesOf = ({ orders, debts, exports, guards, keyed, copies, conversions }: BookState) => [
  conversions,
  orders,
  debts,
  exports,
  guards,
  keyed,
  copies,
];

function liftFence(state: BookState, accepted: readonly string[]): void {
  state.fence = null;
  // Accepted signatures are in no database: their absence proves nothing any more.
  for (const signature of accepted) state.open.delete(signature);
  state.storedLines = [];
  // The database is another one: its audit log may be shorter.
  state.trail = null;
}

/** A repeat of other amounts counts as the largest of them. */
function notePaid({ paid }: BookState, { intentId, lamports }: PaidEntry, at: number): void {
  const before = paid.get(intentId)?.lamports ?? 0n;
  paid.set(intentId, { at, lamports: lamports > before ? lamports : before });
}

/** One that was to be signed and never was may be under way. */
function hadNoEffect(notes: readonly SignedNote[]): boolean {
  return notes.length > 0 && notes.every(({ end }) => end === 'dead' || end === 'failed');
}

function takeIn({ notes, open, byIntent }: BookState, note: SignedNote): void {
  notes.set(note.signature, note);
  open.set(note.signature, note);
  const known = byIntent.get(note.intentId);
  if (known === undefined) byIntent.set(note.intentId, [note.signature]);
  else if (!known.includes(note.signature)) known.push(note.signature);
}

function close(
  { notes, open }: BookState,
  signature: string,
  patch: Partial<Pick<SignedNote, 'end' | 'isStored'>>,
): void {
  const note = notes.get(signature);
  if (note === undefined) return;
  notes.set(signature, { ...note, ...patch });
  open.delete(signature);
}

/** Notes are in the order of signing, so the young ones begin where the first of them is met. */
function forgetFrom({ notes, open, byIntent, paid }: BookState, before: number): void {
  for (const [intentId, { at }] of paid) if (at < before) paid.delete(intentId);
  for (const [signature, { at, intentId }] of notes) {
    if (at >= before) return;
    if (open.has(signature)) continue;
    notes.delete(signature);
    const left = (byIntent.get(intentId) ?? []).filter((one) => one !== signature);
    if (left.length === 0) byIntent.delete(intentId);
    else byIntent.set(intentId, left);
  }
}
