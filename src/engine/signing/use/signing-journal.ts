import { toBase58 } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import { ulidTime } from '../../../core/time/ulid.ts';
import { CAP_WINDOW_MS } from '../../../modules/guard/rules/cap.ts';
import { KEY_LIMITS } from '../../../modules/personal-keys/rules/personal-key.ts';
import type { ChainWitness } from '../../../platform/ports/chain-witness.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Journal } from '../../../platform/ports/journal.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { QuarantineStore } from '../../../platform/ports/operations.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { UnsignedAttempt } from '../../../platform/ports/vault.ts';
import type { DeathRule } from '../../intents/rules/death.ts';
import type { Attempt, Intent } from '../../intents/rules/intent.ts';
import { blockhashOf } from '../rules/blockhash-end.ts';
import { type JournalBook, REMEMBERED_DAYS, REMEMBERED_MS } from '../rules/book.ts';
import type { ExportNotes } from '../rules/export-notes.ts';
import { DIES_AFTER_BLOCKS, FENCE_RULES, type FenceRules, heldBy, judgeOther } from '../rules/fence.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { OrderNote } from '../rules/order-notes.ts';
import type { SignedUse } from '../rules/record.ts';
import type { SigningBooks } from '../store/signing-books-port.ts';
import { compareBooks, judgeOrphans } from './compare-books.ts';
import { assertWithinMandate, type CopiedUse, copiedLine } from './copied-uses.ts';
import { createCopyWatch } from './copy-watch.ts';
import { type DayUse, passesDay } from './day-use.ts';
import { denySignature } from './deny-signature.ts';
import type { EndDeps } from './end-of-intent.ts';
import { createFence, type Fence } from './fence.ts';
import { createGuardVersions, type GuardVersions } from './guard-versions.ts';
import { type AskedUse, assertOnlyOfRequest, takeUse } from './keyed-uses.ts';
import { createChainLook, type LookAtChain } from './look-at-chain.ts';
import { createOrphanPace } from './orphan-pace.ts';
import {
  type Converting,
  proveConversions,
  renewConversions,
  withoutConversions,
} from './prove-conversions.ts';
import { type Paying, proveDebts, renewDebts } from './prove-debts.ts';
import { assertFitsSigned, type SigningFire } from './signed-fires.ts';
import { createTakenBlockhashes, type TakenBlockhashes } from './taken-blockhashes.ts';

export type SigningJournalDeps = {
  readonly db: Pick<Database, 'auditLog'>;
  readonly journal: Journal;
  /** The journal's lines so far, taken in. */
  readonly book: JournalBook;
  readonly books: SigningBooks;
  readonly quarantines: Pick<QuarantineStore, 'current' | 'enter' | 'newestWrite'>;
  readonly witness: ChainWitness;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'ulid'>;
  /** SHA-256, base64url. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Absent: what the chain reads. */
  readonly blockhashOf?: (message: Uint8Array) => string | null;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** Absent: the rule of production. */
  readonly death?: DeathRule;
  /** How old an intent may be that is signed. Absent: as long as it is remembered. */
  readonly oldestMs?: number;
  /** Absent: all of them; a test leaves one out to show its purpose. */
  readonly rules?: FenceRules;
};

/** The sums of a payout, and the most that payouts of a day may pay: all of them, and those that the signer cannot prove. Lamports. */
export type Pays = {
  readonly items: readonly Paying[];
  /** The parts of these sums that the budgets of conversions pay. Absent: none. */
  readonly conversions?: readonly Converting[];
  readonly mostLamports: bigint;
  readonly mostUnproved: bigint;
};

/** The message and its person. */
export type Signing = {
  readonly intent: Pick<Intent, 'id' | 'kind' | 'walletId'>;
  /** Signatures of the intent that its attempts hold, as they were read for this signing. */
  readonly stored: ReadonlySet<string>;
  readonly message: Uint8Array;
  /** The row that the caller stores the signature in; null where there is none. */
  readonly attempt: UnsignedAttempt | null;
  readonly pays?: Pays;
  /** Of a transaction with a fee, whose payer was invited: the inviter's share of it at most. */
  readonly share?: { readonly inviterId: string; readonly lamports: bigint };
  /** Of a person's intent: its part in the sums of their day. */
  readonly use?: DayUse;
  /** Of an order's fire: its place among the other fires. */
  readonly fire?: SigningFire;
  /** Of a purchase of a copy: its part of the mandate, and the caps of that. */
  readonly copied?: CopiedUse;
  /** Of a trade that a personal key asked for: the intent's idempotency key. */
  readonly keyed?: string;
  readonly sign: () => Promise<Uint8Array>;
};

export type SigningJournal = {
  /** Append and take in, flushed when it resolves. */
  write(entry: WritableEntry): Promise<void>;
  /**
   * Compares the journal with the database and puts up the fence where they differ. Throws SIGNING_FENCED, DATABASE_FORGETFUL, and the
   * errors of the database. Throws JOURNAL_TAKEN for good once another signer wrote a copy of this journal.
   */
  assertSound(): Promise<void>;
  /** Throws INTENT_TOO_OLD for an intent that the journal may have forgotten. */
  assertRemembered(intentId: string): void;
  /**
   * Signs a message without a rival: the line is flushed before this resolves. Two messages of one intent never overlap. Throws
   * ATTEMPT_UNDECIDED, SIGNING_FENCED, SIGNING_PAUSED (`pays`, `use`), POLICY_DENIED (`landed`), JOURNAL_FULL, JOURNAL_TAKEN,
   * CHAIN_UNREACHABLE, and the errors of `sign`.
   */
  sign(signing: Signing): Promise<Uint8Array>;
  /** Throws ROW_FORGED or ATTEMPT_UNDECIDED where another fire of the order was signed in this one's place, or has its units. */
  assertFireFits(intentId: string, fire: SigningFire): Promise<void>;
  /** A request of a personal key is confirmed from now on, those of one key one after the other. Throws KEY_REQUEST_REFUSED. */
  takeUse(use: AskedUse, mostLamports: bigint): Promise<void>;
  /** The key confirms and signs nothing from now on. `until`: when it would have ended by itself, epoch milliseconds. */
  endKey(end: { readonly keyId: string; readonly until: number }): Promise<void>;
  /** Throws POLICY_DENIED (`copy-mandate`) where a purchase passes its mandate beside the others that the journal knows. */
  assertCopied(intentId: string, use: CopiedUse): Promise<void>;
  /** What the journal says of an order, beside its row. */
  orderNote(orderId: string): OrderNote;
  /** Key files as the journal knows them; `write` adds to them. */
  readonly exports: Pick<ExportNotes, 'find' | 'of' | 'open'>;
  /** The newest guards of people. */
  readonly guards: Pick<GuardVersions, 'next' | 'isNewest'>;
  /** One beat: `assertSound`, orphans, heads, and the end of a fence. Throws the errors of the database and the journal. */
  beat(): Promise<void>;
  /** Whether signatures are on their way into the database: then beats are a second apart. */
  isBusy(): boolean;
};

const PAYOUTS_WINDOW_MS = 86_400_000;
/** No intent has this name. */
const PAYOUTS = 'payouts';
/** Lines of orders, key files and guards are written again before the journal's start is forgotten. */
const RENEWED_MS = 20 * 86_400_000;
/** Guards of one beat: those of a whole service were certified at one moment. */
const MOST_RENEWED = 500;

/** Payouts and the fires of an order one after the other: what one takes counts for the next. */
function turnOf({ intent, pays, fire }: Signing): string {
  if (pays !== undefined) return PAYOUTS;
  return fire === undefined ? intent.id : `order/${fire.order.id}`;
}

/** The parts that one signature passes. */
type Parts = {
  readonly deps: SigningJournalDeps;
  readonly rules: FenceRules;
  readonly fence: Fence;
  readonly look: LookAtChain;
  readonly write: (entry: WritableEntry) => Promise<void>;
  readonly taken: TakenBlockhashes;
  /** When the journal began, epoch milliseconds. */
  readonly begunAt: () => Promise<number>;
  /** Attempts that were signed and are not known to be stored. Lost with this process: the intent waits then. */
  readonly unstored: Map<string, Attempt>;
};

/** The signer's rule over its journal; see `engine/signing/rules/fence.ts`. */
export function createSigningJournal(deps: SigningJournalDeps): SigningJournal {
  const { journal, book, books, clock } = deps;
  const rules = deps.rules ?? FENCE_RULES;
  const taken = createTakenBlockhashes(deps.witness);
  const look = createChainLook({ ...deps, taken });
  const write = async (entry: WritableEntry): Promise<void> => book.apply(await journal.append(entry));
  const fence = createFence({ ...deps, write });
  const unstored = new Map<string, Attempt>();
  const onSettled = (signature: string): void => void unstored.delete(signature);
  const compare = () => compareBooks({ ...deps, rules, fence, onSettled });
  const inTurn = createTurns();
  const copy = createCopyWatch(deps);
  const pace = createOrphanPace();
  const guards = createGuardVersions({ ...deps, write });
  const begunAt = firstLine(deps);
  return {
    write,
    assertSound: async () => {
      copy.assertNone();
      await compare();
      if (book.fence() !== null) throw new AppError('SIGNING_FENCED', {});
    },
    assertRemembered: (intentId) =>
      assertRemembered(intentId, { now: clock.now(), oldestMs: deps.oldestMs ?? REMEMBERED_MS }),
    sign: (signing) =>
      inTurn(turnOf(signing), () => {
        const alone = () => signAlone({ deps, rules, fence, look, write, taken, begunAt, unstored }, signing);
        // What one signature of a person takes of the day counts for the next.
        return signing.use === undefined ? alone() : inTurn(`person/${signing.use.userId}`, alone);
      }),
    assertFireFits: (intentId, fire) => assertFitsSigned({ book, look, write }, intentId, fire),
    takeUse: (use, mostLamports) =>
      inTurn(`key/${use.keyId}`, () => takeUse({ book, write, clock }, use, mostLamports)),
    endKey: (end) =>
      inTurn(`key/${end.keyId}`, async () => {
        if (!book.keyed.isEnded(end.keyId)) await write({ kind: 'key-ended', ...end });
      }),
    assertCopied: (intentId, use) => assertWithinMandate({ book, look, write, clock }, intentId, use),
    orderNote: (orderId) => book.orders.of(orderId),
    exports: book.exports,
    guards,
    beat: async () => {
      const orphans = pace.due(await compare(), clock.now());
      await judgeOrphans({ fence, onSettled, look, write }, orphans);
      await fence.tend(look);
      forgetPast(book, clock);
      await renewDebts({ book, look, write }, windowStart(RENEWED_MS, clock));
      await renewConversions({ book, look, write, begunAt }, windowStart(RENEWED_MS, clock), clock.now());
      for (const notes of [book.orders, book.exports, book.keyed])
        for (const line of notes.due(windowStart(RENEWED_MS, clock), clock.now())) await write(line);
      for (const line of book.guards.due(windowStart(RENEWED_MS, clock), MOST_RENEWED)) await write(line);
      await guards.beat();
      await copy.look();
      await books.saveHead(journal.head());
      deps.witness.newest().catch(() => undefined);
    },
    isBusy: () => book.open().length > 0 || book.fence() !== null,
  };
}

/** When the journal began: as it says, else as its oldest line does, which is asked once. */
function firstLine({
  journal,
  book,
  clock,
}: Pick<SigningJournalDeps, 'journal' | 'book' | 'clock'>): () => Promise<number> {
  let known: number | null = null;
  return async () => {
    known ??= book.conversions.since();
    if (known !== null) return known;
    for await (const { at } of journal.records(0)) {
      known = at;
      return at;
    }
    return clock.now();
  };
}

/** Forgets all that decides nothing any more. */
function forgetPast(book: JournalBook, clock: Clock): void {
  const now = clock.now();
  book.forget(now - REMEMBERED_MS);
  book.debts.forget(now - REMEMBERED_MS);
  for (const notes of [book.orders, book.exports, book.copies]) notes.forget(now);
  book.uses.forget(windowStart(CAP_WINDOW_MS, clock));
  book.keyed.forget(windowStart(KEY_LIMITS.dayMs, clock), now);
}

/** Work of the same name runs one after the other, each also after a failure of the one before. */
function createTurns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const turns = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = turns.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    turns.set(name, turn);
    try {
      return await turn;
    } finally {
      if (turns.get(name) === turn) turns.delete(name);
    }
  };
}

async function signAlone(parts: Parts, signing: Signing): Promise<Uint8Array> {
  const { deps, rules, write, taken, unstored } = parts;
  const { book } = deps;
  const { intent, message, use } = signing;
  const messageHash = deps.hash(message);
  if (rules.otherMessage) await assertAlone({ ...parts, book }, { ...signing, messageHash });
  const asked = { intentId: intent.id, walletId: intent.walletId };
  if (rules.sameWallet && heldBy(book.open(), asked, deps.clock.now()) !== null)
    throw new AppError('ATTEMPT_UNDECIDED', { attempt: null });
  const isKnown = book.of(intent.id).some((note) => note.messageHash === messageHash);
  assertPayable(deps, signing);
  if (use !== undefined) await assertWithinDay({ ...parts, ...deps }, intent.id, use);
  if (signing.keyed !== undefined) await assertOnlyOfRequest({ ...parts, book }, intent.id, signing.keyed);
  const { copied } = signing;
  if (copied !== undefined) await assertWithinMandate({ ...parts, ...deps }, intent.id, copied);
  const owed = await owedBy({ ...parts, book }, signing);
  if (signing.fire !== undefined) await assertFitsSigned({ ...parts, book }, intent.id, signing.fire);
  const own = await signing.sign();
  // The same bytes have the same signature: nothing new leaves.
  if (isKnown) return own;
  const { height, slot: signedSlot } = await deps.witness.newest();
  // Put up while the checks ran, by a beat or by another signature.
  if (book.fence() !== null) throw new AppError('SIGNING_FENCED', {});
  const signature = toBase58(own);
  const attempt = signing.attempt === null ? null : completed(signing.attempt, message, own);
  const diesAfter = height + DIES_AFTER_BLOCKS;
  if (signing.pays !== undefined)
    await write({ kind: 'paid', intentId: intent.id, lamports: sumOf(signing.pays) });
  for (const line of owed) await write(line);
  if (signing.share !== undefined && !book.debts.hasShare(intent.id))
    await write({ kind: 'share', intentId: intent.id, ...signing.share });
  if (copied !== undefined && !book.copies.has(intent.id)) await write(copiedLine(intent.id, copied));
  if (signing.fire !== undefined) await writeFire(write, book, intent.id, signing.fire);
  const names = { intentId: intent.id, intentKind: intent.kind, walletId: intent.walletId };
  const counted = use === undefined ? {} : { use: useOf(use) };
  await write({ kind: 'signed', ...names, messageHash, signature, diesAfter, signedSlot, ...counted });
  // By the message itself: the row beside it is the caller's word.
  taken.note(signature, (deps.blockhashOf ?? blockhashOf)(message));
  if (attempt !== null) unstored.set(signature, attempt);
  return own;
}

const sumOf = ({ items }: Pays): bigint => items.reduce((sum, { lamports }) => sum + lamports, 0n);

type ConvertedName = Paying & { readonly opensAt: number };

/**
 * The lines of a payout's debts; none for another attempt of a payout that left them. Throws SIGNING_PAUSED where more of it than a day
 * allows is proved by nothing, POLICY_DENIED (`payout-books`) where the same payout paid something else before, and as
 * `proveConversions`.
 */
async function owedBy(
  parts: Parts & EndDeps,
  { intent, pays }: Pick<Signing, 'intent' | 'pays'>,
): Promise<readonly WritableEntry[]> {
  if (pays === undefined) return [];
  const { book, deps } = parts;
  const { conversions = [] } = pays;
  const before = book.debts.paidBy(intent.id);
  const items = withoutConversions(pays.items, conversions);
  if (before.length > 0) {
    const named = ({ userId, lamports, opensAt }: ConvertedName): string =>
      `${opensAt} ${userId} ${lamports}`;
    const paid = book.conversions.paidBy(intent.id).map(named);
    const asked = conversions.map((one) => named({ ...one, opensAt: one.period.opensAt }));
    const isSame =
      before.length === items.length &&
      items.every(
        ({ userId, lamports }, at) =>
          before[at]?.userId === userId && before[at].proved + before[at].unproved === lamports,
      ) &&
      paid.toSorted().join('\n') === asked.toSorted().join('\n');
    return isSame ? [] : denySignature('payout-books');
  }
  const converted = await proveConversions(parts, intent.id, conversions);
  const lines = await proveDebts(parts, intent.id, items);
  const unproved = lines.reduce((sum, line) => sum + line.unproved, 0n);
  const since = windowStart(PAYOUTS_WINDOW_MS, deps.clock);
  const paidLamports = book.debts.unprovedSince(since, book.isVoid);
  if (unproved === 0n || paidLamports + unproved <= pays.mostUnproved) return [...converted, ...lines];
  deps.log.warn(
    { intentId: intent.id, unproved, paidLamports, mostLamports: pays.mostUnproved },
    'a payout waits: no trade that was signed proves its debts, and a day pays PAYOUTS_UNPROVED_LAMPORTS of such',
  );
  throw new AppError('SIGNING_PAUSED', {});
}

/** Once for all attempts of the fire. */
async function writeFire(
  write: Parts['write'],
  book: JournalBook,
  intentId: string,
  { order, n, units }: SigningFire,
): Promise<void> {
  if (book.orders.of(order.id).fires.some((fire) => fire.intentId === intentId)) return;
  await write({ kind: 'fire', orderId: order.id, n, intentId, units, until: order.expiresAt });
}

/** Throws SIGNING_PAUSED, and the step is put off, where the payouts of the last 24 hours leave no room for this one. */
function assertPayable(
  { book, clock, log }: Pick<SigningJournalDeps, 'book' | 'clock' | 'log'>,
  { intent, pays }: Pick<Signing, 'intent' | 'pays'>,
): void {
  if (pays === undefined) return;
  const lamports = sumOf(pays);
  const { mostLamports } = pays;
  const paid = book.paidSince(windowStart(PAYOUTS_WINDOW_MS, clock), intent.id);
  if (paid + lamports <= mostLamports) return;
  log.warn(
    { intentId: intent.id, lamports, paidLamports: paid, mostLamports },
    'a payout waits: the payouts of 24 hours are at PAYOUTS_CAP_LAMPORTS',
  );
  throw new AppError('SIGNING_PAUSED', {});
}

const useOf = ({ userId, withdrawn, spent, unpriced }: DayUse): SignedUse => ({
  userId,
  withdrawn,
  spent,
  ...(unpriced === undefined ? {} : { unpriced }),
});

/** Throws SIGNING_PAUSED, and the step is put off, where the day of the intent's person has no room for it. */
async function assertWithinDay(
  deps: Parameters<typeof passesDay>[0] & Pick<SigningJournalDeps, 'log'>,
  intentId: string,
  use: DayUse,
): Promise<void> {
  if (!(await passesDay(deps, intentId, use))) return;
  deps.log.warn(
    { intentId, ...useOf(use), mostWithdrawn: use.mostWithdrawn, mostSpent: use.mostSpent },
    'a signature waits: with the others of 24 hours it passes the cap of its person',
  );
  throw new AppError('SIGNING_PAUSED', {});
}

/** The row with its wire bytes whole; null where they are not of this message, so that nothing foreign is ever handed back. */
function completed(row: UnsignedAttempt, message: Uint8Array, own: Uint8Array): Attempt | null {
  const wire = new Uint8Array(row.signedTransaction);
  const count = wire[0] ?? 0;
  const start = 1 + 64 * count;
  const isWhole = count > 0 && count < 128 && wire.length === start + message.length;
  if (!isWhole || !message.every((byte, index) => wire[start + index] === byte)) return null;
  wire.set(own, 1);
  return { ...row, signedTransaction: wire, signature: toBase58(own) };
}

/** Throws unless every other message of the intent can do no harm beside a new one. */
async function assertAlone(
  deps: {
    readonly book: JournalBook;
    readonly fence: Fence;
    readonly look: LookAtChain;
    readonly write: (entry: WritableEntry) => Promise<void>;
    readonly unstored: ReadonlyMap<string, Attempt>;
  },
  { intent, stored, messageHash }: Pick<Signing, 'intent' | 'stored'> & { readonly messageHash: string },
): Promise<void> {
  for (const note of deps.book.of(intent.id)) {
    if (note.messageHash === messageHash || note.end === 'dead' || note.end === 'failed') continue;
    const { word, looks } = note.end === 'landed' ? { word: note.end, looks: [] } : await deps.look(note);
    if (word !== 'undecided' && note.end === null)
      await deps.write({ kind: 'ended', signature: note.signature, how: word, looks });
    switch (judgeOther(word, stored.has(note.signature))) {
      case 'sign':
        continue;
      case 'refuse':
        return denySignature('landed');
      case 'fence':
        await deps.fence.raise('a signature that the database does not know has landed', note);
        throw new AppError('SIGNING_FENCED', {});
      case 'wait':
        throw new AppError('ATTEMPT_UNDECIDED', { attempt: deps.unstored.get(note.signature) ?? null });
    }
  }
}

function assertRemembered(
  intentId: string,
  { now, oldestMs }: { readonly now: number; readonly oldestMs: number },
): void {
  const madeAt = ulidTime(intentId) ?? Number.NEGATIVE_INFINITY;
  if (now > madeAt + oldestMs) throw new AppError('INTENT_TOO_OLD', { days: REMEMBERED_DAYS });
}
