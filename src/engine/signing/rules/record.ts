import type { Address } from '@tradepost/solana';
import { EXPORT_STOPPERS, type ExportStopper } from '../../../modules/guard/rules/key-export.ts';
import { CorruptRowError, type JsonReader, jsonReader } from '../../intents/rules/json-reader.ts';

/**
 * One line of the signer's journal. `seq` counts from 1 without gaps over all segments. `prev` is the hash of the line before ('' at the
 * first). `at` is epoch milliseconds by the signer's own clock. `epoch` is the lease's, 0 without one.
 */
export type JournalRecord<E extends JournalEntry = JournalEntry> = {
  readonly v: typeof JOURNAL_VERSION;
  readonly seq: number;
  readonly epoch: number;
  readonly at: number;
  readonly prev: string;
  /** Hash of the whole line, which the next line carries as `prev`. */
  readonly hash: string;
  readonly entry: E;
};

export const JOURNAL_VERSION = 1;

/** The last line of a journal, as the database remembers it. */
export type JournalHead = { readonly journalId: string; readonly seq: number; readonly hash: string };

/** The entries that a journal can hold. `kind` names the event; a later release adds kinds and an older one passes over them. */
export type JournalEntry =
  | OpenEntry
  | SignedEntry
  | StoredEntry
  | EndedEntry
  | PinEntry
  | FenceEntry
  | UnfenceEntry
  | KeyEntry
  | OwnedEntry
  | TrailEntry
  | PaidEntry
  | FireEntry
  | FireVoidEntry
  | OrderEntry
  | ShareEntry
  | ShareProvedEntry
  | OwedEntry
  | AccountEntry
  | ExportAskedEntry
  | ExportTakenEntry
  | ExportStoppedEntry
  | GuardEntry
  | KeyedEntry
  | KeyEndedEntry
  | CopiedEntry
  | ConvertedEntry
  | ConvertedSumEntry
  | PeriodCancelledEntry
  | CountedSinceEntry
  | OtherEntry;

/** The first line of each segment. */
export type OpenEntry = {
  readonly kind: 'open';
  readonly journalId: string;
  /** Of the secrets that this installation was made with: a journal of another one is refused. */
  readonly installId: string;
  /** As Postgres says it; for the reader of the journal, and no fence. Null where no database was asked. */
  readonly database: { readonly systemIdentifier: string; readonly timeline: number } | null;
  /** The journal's MAC key, wrapped by the key-encryption key of this id. Base64. */
  readonly kekId: string;
  readonly wrappedKey: string;
};

/** Flushed before the signature leaves. */
export type SignedEntry = {
  readonly kind: 'signed';
  readonly intentId: string;
  readonly intentKind: string;
  readonly walletId: string;
  /** SHA-256 of the message, base64url. */
  readonly messageHash: string;
  /** Base58: the transaction's own name where the wallet pays, as it always does. */
  readonly signature: string;
  /** No block above this height can hold the transaction. */
  readonly diesAfter: bigint;
  /** A slot not later than the signing: how far back a history must reach to say that nothing landed. */
  readonly signedSlot: bigint;
  /** Absent: nothing of it counts, or an earlier release wrote the line. */
  readonly use?: SignedUse;
};

/**
 * The part of an intent in its person's day, in lamports: SOL and the worth of tokens that leave, and all spending with its network fees.
 * `unpriced`: tokens leave whose worth is not known.
 */
export type SignedUse = {
  readonly userId: string;
  readonly withdrawn: bigint;
  readonly spent: bigint;
  readonly unpriced?: true;
};

/** These signatures were seen in `attempts`. Batched, and not flushed by itself. */
export type StoredEntry = { readonly kind: 'stored'; readonly signatures: readonly string[] };

/** How a signature ended, by the signer's own look at the chain. */
export type EndedEntry = {
  readonly kind: 'ended';
  readonly signature: string;
  readonly how: SignatureEnd;
  readonly looks: readonly JournalLook[];
};
export type SignatureEnd = 'dead' | 'landed' | 'failed';
export type JournalLook = { readonly endpoint: string; readonly at: number; readonly slot: bigint };

/** A compared PIN. Before the answer; `pin-wrong` is written before the comparison and `pin-right` takes it back. */
export type PinEntry = { readonly kind: 'pin-wrong' | 'pin-right'; readonly user: string };

/** Nothing is signed from here on. `dataAsOf` = everything signed after that moment may be missing in the database. */
export type FenceEntry = {
  readonly kind: 'fence';
  readonly fenceId: string;
  readonly reason: string;
  readonly dataAsOf: number;
};
/** The books were compared with the chain. `accepted` = signatures that the report names and the database does not know. */
export type UnfenceEntry = {
  readonly kind: 'unfence';
  readonly fenceId: string;
  readonly accepted: readonly string[];
};

/** A line of the keybook: a wallet's sealed key, of no use without the key-encryption key. Boxes in base64. */
export type KeyEntry = {
  readonly kind: 'key';
  readonly walletId: string;
  readonly userId: string | null;
  readonly telegramId: string | null;
  readonly publicKey: Address;
  readonly version: 1;
  readonly kekId: string;
  readonly wrappedDek: string;
  readonly sealedSeed: string;
};
/** The wallet's committed row was seen, with its person. */
export type OwnedEntry = { readonly kind: 'owned'; readonly walletId: string; readonly telegramId: string };

/** The audit log up to this act was one chain, and this was its last link. `hash` is of the act's row. */
export type TrailEntry = { readonly kind: 'trail'; readonly act: bigint; readonly hash: string };

/** The treasury is about to pay this much for a payout. Before the `signed` line of it; a repeat of the same payout counts once. */
export type PaidEntry = { readonly kind: 'paid'; readonly intentId: string; readonly lamports: bigint };

/**
 * A fire of an order is about to be signed: its number and its units belong to this intent. Before the `signed` line. `until`: when
 * nothing of the order can be signed any more, epoch milliseconds.
 */
export type FireEntry = {
  readonly kind: 'fire';
  readonly orderId: string;
  readonly n: number;
  readonly intentId: string;
  readonly units: bigint;
  readonly until: number;
};

/** Nothing of this fire has landed or can: its number and its units are free again. */
export type FireVoidEntry = {
  readonly kind: 'fire-void';
  readonly orderId: string;
  readonly intentId: string;
};

/**
 * The signer's sight of an order: an agreement before `agreedAt` is void, and with `stopped` that of `agreedAt`, too. 0 = as it was
 * placed.
 */
export type OrderEntry = {
  readonly kind: 'order';
  readonly orderId: string;
  readonly agreedAt: number;
  readonly stopped: boolean;
  readonly until: number;
};

/** A transaction with a fee is about to be signed, and its payer was invited: the inviter's share at most. Before the `signed` line. */
export type ShareEntry = {
  readonly kind: 'share';
  readonly intentId: string;
  readonly inviterId: string;
  readonly lamports: bigint;
};

/** The transaction behind the share has landed, by the signer's own look at the chain. */
export type ShareProvedEntry = { readonly kind: 'share-proved'; readonly intentId: string };

/** A payout is about to pay a person: `proved` by shares of fees, `unproved` beyond them. Before the `signed` line. */
export type OwedEntry = {
  readonly kind: 'owed';
  readonly intentId: string;
  readonly userId: string;
  readonly proved: bigint;
  readonly unproved: bigint;
};

/** All lines about a person's debts before this one, added up: the proved shares, and the part of them that was paid. */
export type AccountEntry = {
  readonly kind: 'account';
  readonly userId: string;
  readonly credit: bigint;
  readonly used: bigint;
};

/** A key file was asked for with a PIN. Before its row. Times are epoch milliseconds. */
export type ExportAskedEntry = {
  readonly kind: 'export-asked';
  readonly exportId: string;
  readonly userId: string;
  readonly walletId: string;
  readonly askedAt: number;
  readonly readyAt: number;
  readonly endsAt: number;
};

/** The file is about to leave. Before its row, and before the file. */
export type ExportTakenEntry = {
  readonly kind: 'export-taken';
  readonly exportId: string;
  readonly overAt: number;
};

/** The file does not leave any more, even where its row says otherwise. */
export type ExportStoppedEntry = {
  readonly kind: 'export-stopped';
  readonly exportId: string;
  readonly overAt: number;
  readonly by: ExportStopper;
};

/**
 * The version of a person's guard that counts, and the next one (0 = none), whose certificate goes to the transaction of this name ('' =
 * none). Before the certificate leaves.
 */
export type GuardEntry = {
  readonly kind: 'guard';
  readonly userId: string;
  readonly version: number;
  readonly next: number;
  readonly transactionId: string;
};

/**
 * A request that a personal key signed was confirmed. Before the code leaves. `intentId` is the intent's, or the order's; `idemKey` is the
 * intent's, or the place key of the order; `lamports` are those that count for the key's caps.
 */
export type KeyedEntry = {
  readonly kind: 'keyed';
  readonly keyId: string;
  readonly nonce: string;
  readonly intentId: string;
  readonly idemKey: string;
  readonly lamports: bigint;
};

/**
 * A personal key was ended by its person: no request of it is confirmed or signed any more. Its row has no say. `until`: when the key
 * would have ended by itself, epoch milliseconds.
 */
export type KeyEndedEntry = { readonly kind: 'key-ended'; readonly keyId: string; readonly until: number };

/**
 * A purchase of a copy is about to be signed: its lamports count in the mandate of this end, epoch milliseconds. Before the `signed` line,
 * once for all transactions of the intent.
 */
export type CopiedEntry = {
  readonly kind: 'copied';
  readonly copyId: string;
  readonly intentId: string;
  readonly until: number;
  readonly lamports: bigint;
};

/**
 * A payout is about to pay a person from the budget of a conversion's period, which its opening names (epoch milliseconds): a row's number
 * is a writer's to change. Before the `signed` line.
 */
export type ConvertedEntry = {
  readonly kind: 'converted';
  readonly opensAt: number;
  readonly intentId: string;
  readonly userId: string;
  readonly lamports: bigint;
};

/** All that was paid from a period's budget before `before`, epoch milliseconds, added up: the lines of before count no more. */
export type ConvertedSumEntry = {
  readonly kind: 'converted-sum';
  readonly opensAt: number;
  readonly before: number;
  readonly lamports: bigint;
};

/** The operator took a period back: its certificates of up to this moment, epoch milliseconds, pay nothing. */
export type PeriodCancelledEntry = {
  readonly kind: 'period-cancelled';
  readonly opensAt: number;
  readonly until: number;
};

/** When this journal began, epoch milliseconds: what periods of conversion paid since is in its lines, however many were dropped. */
export type CountedSinceEntry = {
  readonly kind: 'counted-since';
  readonly since: number;
};

/** A kind that this release does not know: kept in the chain and passed over. */
export type OtherEntry = { readonly kind: 'other'; readonly name: string };

/** The entry as the plain JSON of its line, bigints as decimal strings. */
export function encodeEntry(entry: Exclude<JournalEntry, OtherEntry>): Readonly<Record<string, unknown>> {
  switch (entry.kind) {
    case 'signed':
      return {
        ...entry,
        diesAfter: entry.diesAfter.toString(),
        signedSlot: entry.signedSlot.toString(),
        ...(entry.use === undefined ? {} : { use: encodeUse(entry.use) }),
      };
    case 'trail':
      return { ...entry, act: entry.act.toString() };
    case 'paid':
    case 'share':
    case 'keyed':
    case 'copied':
    case 'converted':
    case 'converted-sum':
      return { ...entry, lamports: entry.lamports.toString() };
    case 'owed':
      return { ...entry, proved: entry.proved.toString(), unproved: entry.unproved.toString() };
    case 'account':
      return { ...entry, credit: entry.credit.toString(), used: entry.used.toString() };
    case 'fire':
      return { ...entry, units: entry.units.toString() };
    case 'ended':
      return { ...entry, looks: entry.looks.map((look) => ({ ...look, slot: look.slot.toString() })) };
    case 'open':
    case 'stored':
    case 'pin-wrong':
    case 'pin-right':
    case 'fence':
    case 'unfence':
    case 'key':
    case 'owned':
    case 'fire-void':
    case 'order':
    case 'share-proved':
    case 'export-asked':
    case 'export-taken':
    case 'export-stopped':
    case 'guard':
    case 'key-ended':
    case 'period-cancelled':
    case 'counted-since':
      return { ...entry };
  }
}

function encodeUse(use: SignedUse): Readonly<Record<string, unknown>> {
  return { ...use, withdrawn: use.withdrawn.toString(), spent: use.spent.toString() };
}

/** The record of a line's JSON; `hash` is of the whole line. Throws CorruptRowError for a line that no release writes. */
export function decodeRecord(value: unknown, hash: string): JournalRecord {
  const line = jsonReader(value, 'journal');
  if (line.integer('v') !== JOURNAL_VERSION) throw new CorruptRowError('journal.v', `${JOURNAL_VERSION}`);
  return {
    v: JOURNAL_VERSION,
    seq: line.integer('seq'),
    epoch: line.integer('epoch'),
    at: line.integer('at'),
    prev: line.text('prev'),
    hash,
    entry: decodeEntry(line),
  };
}

function decodeEntry(line: JsonReader): JournalEntry {
  const kind = line.text('kind');
  const read = READERS.get(kind);
  return read === undefined ? { kind: 'other', name: kind } : read(line);
}

const READERS: ReadonlyMap<string, (line: JsonReader) => JournalEntry> = new Map<
  string,
  (line: JsonReader) => JournalEntry
>([
  ['open', readOpen],
  ['signed', readSigned],
  ['stored', (line) => ({ kind: 'stored', signatures: texts(line, 'signatures') })],
  [
    'ended',
    (line) => ({
      kind: 'ended',
      signature: line.text('signature'),
      how: line.oneOf('how', ['dead', 'landed', 'failed']),
      looks: line.list('looks', (look) => ({
        endpoint: look.text('endpoint'),
        at: look.integer('at'),
        slot: look.amount('slot'),
      })),
    }),
  ],
  ['pin-wrong', (line) => ({ kind: 'pin-wrong', user: line.text('user') })],
  ['pin-right', (line) => ({ kind: 'pin-right', user: line.text('user') })],
  [
    'fence',
    (line) => ({
      kind: 'fence',
      fenceId: line.text('fenceId'),
      reason: line.text('reason'),
      dataAsOf: line.integer('dataAsOf'),
    }),
  ],
  [
    'unfence',
    (line) => ({ kind: 'unfence', fenceId: line.text('fenceId'), accepted: texts(line, 'accepted') }),
  ],
  ['key', readKey],
  ['paid', (line) => ({ kind: 'paid', intentId: line.text('intentId'), lamports: line.amount('lamports') })],
  [
    'share',
    (line) => ({
      kind: 'share',
      intentId: line.text('intentId'),
      inviterId: line.text('inviterId'),
      lamports: line.amount('lamports'),
    }),
  ],
  ['share-proved', (line) => ({ kind: 'share-proved', intentId: line.text('intentId') })],
  [
    'owed',
    (line) => ({
      kind: 'owed',
      intentId: line.text('intentId'),
      userId: line.text('userId'),
      proved: line.amount('proved'),
      unproved: line.amount('unproved'),
    }),
  ],
  [
    'account',
    (line) => ({
      kind: 'account',
      userId: line.text('userId'),
      credit: line.amount('credit'),
      used: line.amount('used'),
    }),
  ],
  [
    'fire',
    (line) => ({
      kind: 'fire',
      orderId: line.text('orderId'),
      n: line.integer('n'),
      intentId: line.text('intentId'),
      units: line.amount('units'),
      until: line.integer('until'),
    }),
  ],
  [
    'fire-void',
    (line) => ({ kind: 'fire-void', orderId: line.text('orderId'), intentId: line.text('intentId') }),
  ],
  [
    'order',
    (line) => ({
      kind: 'order',
      orderId: line.text('orderId'),
      agreedAt: line.integer('agreedAt'),
      stopped: line.raw('stopped') === true,
      until: line.integer('until'),
    }),
  ],
  [
    'export-asked',
    (line) => ({
      kind: 'export-asked',
      exportId: line.text('exportId'),
      userId: line.text('userId'),
      walletId: line.text('walletId'),
      askedAt: line.integer('askedAt'),
      readyAt: line.integer('readyAt'),
      endsAt: line.integer('endsAt'),
    }),
  ],
  [
    'export-taken',
    (line) => ({ kind: 'export-taken', exportId: line.text('exportId'), overAt: line.integer('overAt') }),
  ],
  [
    'export-stopped',
    (line) => ({
      kind: 'export-stopped',
      exportId: line.text('exportId'),
      overAt: line.integer('overAt'),
      by: line.oneOf('by', EXPORT_STOPPERS),
    }),
  ],
  [
    'guard',
    (line) => ({
      kind: 'guard',
      userId: line.text('userId'),
      version: line.integer('version'),
      next: line.integer('next'),
      transactionId: line.text('transactionId'),
    }),
  ],
  [
    'keyed',
    (line) => ({
      kind: 'keyed',
      keyId: line.text('keyId'),
      nonce: line.text('nonce'),
      intentId: line.text('intentId'),
      idemKey: line.text('idemKey'),
      lamports: line.amount('lamports'),
    }),
  ],
  ['key-ended', (line) => ({ kind: 'key-ended', keyId: line.text('keyId'), until: line.integer('until') })],
  [
    'copied',
    (line) => ({
      kind: 'copied',
      copyId: line.text('copyId'),
      intentId: line.text('intentId'),
      until: line.integer('until'),
      lamports: line.amount('lamports'),
    }),
  ],
  [
    'converted',
    (line) => ({
      kind: 'converted',
      opensAt: line.integer('opensAt'),
      intentId: line.text('intentId'),
      userId: line.text('userId'),
      lamports: line.amount('lamports'),
    }),
  ],
  [
    'converted-sum',
    (line) => ({
      kind: 'converted-sum',
      opensAt: line.integer('opensAt'),
      before: line.integer('before'),
      lamports: line.amount('lamports'),
    }),
  ],
  [
    'period-cancelled',
    (line) => ({
      kind: 'period-cancelled',
      opensAt: line.integer('opensAt'),
      until: line.integer('until'),
    }),
  ],
  ['counted-since', (line) => ({ kind: 'counted-since', since: line.integer('since') })],
  ['trail', (line) => ({ kind: 'trail', act: line.amount('act'), hash: line.text('hash') })],
  [
    'owned',
    (line) => ({ kind: 'owned', walletId: line.text('walletId'), telegramId: line.text('telegramId') }),
  ],
]);

function readOpen(line: JsonReader): OpenEntry {
  const database = line.objectOrNull('database');
  return {
    kind: 'open',
    journalId: line.text('journalId'),
    installId: line.text('installId'),
    database:
      database === null
        ? null
        : { systemIdentifier: database.text('systemIdentifier'), timeline: database.integer('timeline') },
    kekId: line.text('kekId'),
    wrappedKey: line.text('wrappedKey'),
  };
}

function readSigned(line: JsonReader): SignedEntry {
  const use = line.raw('use') === undefined ? null : line.object('use');
  return {
    kind: 'signed',
    intentId: line.text('intentId'),
    intentKind: line.text('intentKind'),
    walletId: line.text('walletId'),
    messageHash: line.text('messageHash'),
    signature: line.text('signature'),
    diesAfter: line.amount('diesAfter'),
    signedSlot: line.amount('signedSlot'),
    ...(use === null
      ? {}
      : {
          use: {
            userId: use.text('userId'),
            withdrawn: use.amount('withdrawn'),
            spent: use.amount('spent'),
            ...(use.raw('unpriced') === true ? { unpriced: true as const } : {}),
          },
        }),
  };
}

function readKey(line: JsonReader): KeyEntry {
  if (line.integer('version') !== 1) throw new CorruptRowError('journal.version', '1');
  return {
    kind: 'key',
    walletId: line.text('walletId'),
    userId: line.textOrNull('userId'),
    telegramId: line.textOrNull('telegramId'),
    publicKey: line.address('publicKey'),
    version: 1,
    kekId: line.text('kekId'),
    wrappedDek: line.text('wrappedDek'),
    sealedSeed: line.text('sealedSeed'),
  };
}

function texts(line: JsonReader, key: string): readonly string[] {
  const found = line.raw(key);
  if (!Array.isArray(found) || !found.every((item): item is string => typeof item === 'string')) {
    throw new CorruptRowError(`journal.${key}`, 'a list of texts');
  }
  return found;
}
