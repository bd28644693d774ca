import { toBase58 } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { firstUlid } from '../../../src/core/time/ulid.ts';
import { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import type { ServerTruth } from '../../../src/engine/signing/store/signing-books-port.ts';
import { createPinTries } from '../../../src/engine/signing/use/pin-tries.ts';
import { readJournal } from '../../../src/engine/signing/use/read-journal.ts';
import {
  createSigningJournal,
  type Pays,
  type Signing,
  type SigningJournalDeps,
} from '../../../src/engine/signing/use/signing-journal.ts';
import type { SignatureStatus } from '../../../src/platform/ports/chain.ts';
import type { ChainWitness, WitnessProbe } from '../../../src/platform/ports/chain-witness.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { type FakeJournal, fakeDisk, fakeJournal } from '../../support/fakes/journal.ts';
import { booksOver, fakeQuarantines, testSigning } from '../../support/fakes/signing.ts';
import { testSigner } from '../../support/signer.ts';

const INTENT = { id: 'intent-1', kind: 'withdraw-sol', walletId: 'wallet-1' } as const;
const bytesOf = (n: number): Uint8Array => new Uint8Array(64).fill(n);
const nameOf = (n: number): string => toBase58(bytesOf(n));

const LASTING: ServerTruth = { inRecovery: false, fsync: true, synchronousCommit: 'on' };

type Known = { readonly intents: Set<string>; readonly signatures: Set<string> };

function rig(given: Partial<SigningJournalDeps> = {}) {
  const clock = fakeClock();
  const db = fakeDatabase();
  const known: Known = { intents: new Set([INTENT.id]), signatures: new Set() };
  let server: ServerTruth = { inRecovery: false, fsync: true, synchronousCommit: 'on' };
  const statuses = new Map<string, SignatureStatus>();
  const chain = { height: 1_000n, finalized: 1_000n, reachable: true };
  /** Blockhashes that both nodes take, and those that they took and take no more. */
  const hashes = { taken: new Set<string>(), gone: new Set<string>() };
  const probe = async (
    signature: string,
    round: number,
    blockhash: string | null = null,
  ): Promise<WitnessProbe> => ({
    endpoint: `node-${round % 2}`,
    endpoints: 2,
    finalizedHeight: chain.finalized,
    finalizedSlot: chain.finalized,
    status: statuses.get(signature) ?? null,
    statusSlot: chain.finalized,
    firstAvailableBlock: 0n,
    goneAt: blockhash !== null && hashes.gone.has(blockhash) ? chain.finalized : null,
  });
  const quarantines = { ...fakeQuarantines(), newestWrite: async () => clock.now() };
  const reports: unknown[] = [];
  const disk = fakeDisk();
  const witness: ChainWitness = {
    newest: async () => ({ height: chain.height, slot: 900n }),
    probe,
    takers: async (blockhash) =>
      hashes.taken.has(blockhash) ? [0, 1].map((at) => ({ endpoint: `node-${at}`, slot: 950n })) : [],
  };
  const open = (
    journal: FakeJournal = fakeJournal(disk, () => clock.now()),
    book = createJournalBook(),
    asked: ChainWitness = witness,
  ) => {
    for (const record of journal.all()) book.apply(record);
    const deps = testSigning(
      { db, clock },
      {
        journal,
        book,
        books: {
          ...booksOver(db),
          known: async () => ({ ...known, server }),
          reportsSince: async () => reports,
        },
        witness: asked,
        quarantines,
        blockhashOf: ([first]) => `hash-${first}`,
        ...given,
      },
    ).deps;
    const signing = createSigningJournal(deps);
    let made = 0;
    const sign = async (
      n: number,
      intent: Signing['intent'] = INTENT,
      pays?: Pays,
      share?: Signing['share'],
    ) => {
      await signing.assertSound();
      return signing.sign({
        intent,
        stored: known.signatures,
        message: new Uint8Array([n, n]),
        attempt: null,
        ...(pays === undefined ? {} : { pays }),
        ...(share === undefined ? {} : { share }),
        sign: async () => {
          made += 1;
          return bytesOf(n);
        },
      });
    };
    return { signing, journal, book, sign, made: () => made };
  };
  return {
    clock,
    db,
    known,
    statuses,
    chain,
    hashes,
    probe,
    quarantines,
    reports,
    disk,
    open,
    serve: (truth: Partial<ServerTruth>) => {
      server = { ...server, ...truth };
    },
  };
}
const finalized = (err: string | null): SignatureStatus => ({ slot: 1_000n, level: 'finalized', err });
const signed = (journal: FakeJournal) => journal.all().filter(({ entry }) => entry.kind === 'signed');

describe('the signing journal', () => {
  it('writes down what is signed before it is given away, with the height at which it dies', async () => {
    const { open } = rig();
    const { sign, journal } = open();
    expect(await sign(1)).toEqual(bytesOf(1));
    expect(signed(journal).map(({ entry }) => entry)).toMatchObject([
      {
        intentId: INTENT.id,
        walletId: INTENT.walletId,
        signature: nameOf(1),
        diesAfter: 1_400n,
        signedSlot: 900n,
      },
    ]);
  });

  it('gives nothing away while the journal is full', async () => {
    const { open } = rig();
    const { sign, journal } = open();
    journal.full = true;
    await expect(sign(1)).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
    journal.full = false;
    await sign(2);
    expect(signed(journal).map(({ entry }) => entry)).toMatchObject([{ signature: nameOf(2) }]);
  });

  it('signs the same bytes again and writes nothing', async () => {
    const { open } = rig();
    const first = open();
    await first.sign(1);
    // Also after a restart.
    const { sign, journal } = open();
    expect(await sign(1)).toEqual(bytesOf(1));
    expect(signed(journal)).toHaveLength(1);
  });

  it('hands back the row of the transaction that was thrown away, with its signature, until a restart', async () => {
    const { open, known } = rig();
    const { signing, sign, journal } = open();
    const message = new Uint8Array([1, 1]);
    const row = {
      id: 'attempt-1',
      intentId: INTENT.id,
      n: 1,
      signedTransaction: new Uint8Array([1, ...new Uint8Array(64), 1, 1]),
    } as unknown as NonNullable<Parameters<typeof signing.sign>[0]['attempt']>;
    await signing.sign({
      intent: INTENT,
      stored: new Set(),
      message,
      attempt: row,
      sign: async () => bytesOf(1),
    });
    await expect(sign(2)).rejects.toMatchObject({
      code: 'ATTEMPT_UNDECIDED',
      details: {
        attempt: {
          ...row,
          signature: nameOf(1),
          signedTransaction: new Uint8Array([1, ...bytesOf(1), 1, 1]),
        },
      },
    });
    const again = open();
    await expect(again.sign(2)).rejects.toMatchObject({
      code: 'ATTEMPT_UNDECIDED',
      details: { attempt: null },
    });
    expect(signed(journal)).toHaveLength(1);
    expect(known.signatures.size).toBe(0);
  });

  it('keeps no row whose wire bytes are of another message', async () => {
    const { open } = rig();
    const { signing, sign } = open();
    const foreign = {
      id: 'a',
      intentId: INTENT.id,
      n: 1,
      signedTransaction: new Uint8Array([1, ...new Uint8Array(64), 9, 9]),
    };
    await signing.sign({
      intent: INTENT,
      stored: new Set(),
      message: new Uint8Array([1, 1]),
      attempt: foreign as unknown as NonNullable<Parameters<typeof signing.sign>[0]['attempt']>,
      sign: async () => bytesOf(1),
    });
    await expect(sign(2)).rejects.toMatchObject({ code: 'ATTEMPT_UNDECIDED', details: { attempt: null } });
  });

  it.each<[string, { readonly height?: bigint; readonly status?: SignatureStatus }, string]>([
    ['dead', { height: 1_401n }, 'signs'],
    ['not dead at its last height', { height: 1_400n }, 'ATTEMPT_UNDECIDED'],
    ['failed', { status: finalized('"E"') }, 'signs'],
    ['landed and known', { status: finalized(null) }, 'POLICY_DENIED'],
    ['confirmed and not final', { status: { ...finalized(null), level: 'confirmed' } }, 'ATTEMPT_UNDECIDED'],
  ])(
    'signs another message beside one that is %s as the chain says, whatever the row says',
    async (_, { height, status }, what) => {
      const world = rig();
      const { sign, journal } = world.open();
      await sign(1);
      world.known.signatures.add(nameOf(1));
      if (height !== undefined) world.chain.finalized = height;
      if (status !== undefined) world.statuses.set(nameOf(1), status);
      const signing = sign(2);
      if (what === 'signs') expect(await signing).toEqual(bytesOf(2));
      else await expect(signing).rejects.toMatchObject({ code: what });
      expect(signed(journal)).toHaveLength(what === 'signs' ? 2 : 1);
    },
  );

  it('signs another message as soon as two nodes saw the end of the blockhash of the one before', async () => {
    const world = rig();
    world.hashes.taken.add('hash-1');
    const { sign, journal } = world.open();
    await sign(1);
    world.chain.finalized = 1_080n;
    await expect(sign(2)).rejects.toMatchObject({ code: 'ATTEMPT_UNDECIDED' });
    world.hashes.gone.add('hash-1');
    expect(await sign(2)).toEqual(bytesOf(2));
    expect(journal.all().map(({ entry }) => entry)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ kind: 'ended', how: 'dead', signature: nameOf(1) })]),
    );
  });

  it.each<[string, { readonly taken: readonly string[]; readonly restarts: boolean }]>([
    ['no node took that blockhash while it was young', { taken: [], restarts: false }],
    ['they took another one', { taken: ['hash-2'], restarts: false }],
    ['the signer was started anew', { taken: ['hash-1'], restarts: true }],
  ])('waits for the height of the journal where %s', async (_, { taken, restarts }) => {
    const world = rig();
    for (const hash of taken) world.hashes.taken.add(hash);
    world.hashes.gone.add('hash-1').add('hash-2');
    const first = world.open();
    await first.sign(1);
    world.chain.finalized = 1_400n;
    const { sign } = restarts ? world.open() : first;
    await expect(sign(2)).rejects.toMatchObject({ code: 'ATTEMPT_UNDECIDED' });
    world.chain.finalized = 1_401n;
    expect(await sign(2)).toEqual(bytesOf(2));
  });

  it('fences when another message of the intent has landed and no row knows it', async () => {
    const { open, statuses, quarantines } = rig();
    const { sign, journal, made } = open();
    await sign(1);
    statuses.set(nameOf(1), finalized(null));
    await expect(sign(2)).rejects.toMatchObject({ code: 'SIGNING_FENCED' });
    expect(made()).toBe(1);
    expect(journal.all().at(-1)?.entry).toMatchObject({ kind: 'fence' });
    expect(await quarantines.current()).toMatchObject({ reason: expect.stringContaining(nameOf(1)) });
  });

  it('fences when the newest stored attempt is gone, and stays shut over a restart', async () => {
    const { open, known, quarantines } = rig();
    const first = open();
    await first.sign(1);
    known.signatures.add(nameOf(1));
    await first.signing.beat();
    await first.sign(1);
    known.signatures.clear();
    await expect(first.signing.beat()).resolves.toBeUndefined();
    await expect(first.sign(1)).rejects.toMatchObject({ code: 'SIGNING_FENCED' });
    expect(await quarantines.current()).not.toBeNull();
    known.signatures.add(nameOf(1));
    const again = open();
    await expect(again.sign(1)).rejects.toMatchObject({ code: 'SIGNING_FENCED' });
  });

  it('fences from the newest write of the database where that lies before the lost signature', async () => {
    const at = fakeClock().now() - 60_000;
    const quarantines = { ...fakeQuarantines(), newestWrite: async () => at };
    const { open, known } = rig({ quarantines });
    const { sign, journal } = open();
    await sign(1);
    known.intents.clear();
    await expect(sign(1)).rejects.toMatchObject({ code: 'SIGNING_FENCED' });
    expect(journal.all().at(-1)?.entry).toMatchObject({ kind: 'fence', dataAsOf: at });
    expect(await quarantines.current()).toMatchObject({ dataAsOf: at });
  });

  it('gives no signature away when the fence went up while it was made', async () => {
    const { open, known } = rig();
    const { signing, sign, journal } = open();
    await sign(1);
    const other = { id: 'intent-2', kind: 'withdraw-sol', walletId: 'wallet-2' } as const;
    const made = signing.sign({
      intent: other,
      stored: new Set(),
      message: new Uint8Array([2, 2]),
      attempt: null,
      sign: async () => {
        known.intents.clear();
        await signing.beat();
        return bytesOf(2);
      },
    });
    await expect(made).rejects.toMatchObject({ code: 'SIGNING_FENCED' });
    expect(signed(journal)).toHaveLength(1);
  });

  it('fences when the intent of an open record is unknown', async () => {
    const { open, known } = rig();
    const { sign } = open();
    await sign(1);
    known.intents.clear();
    await expect(sign(1)).rejects.toMatchObject({ code: 'SIGNING_FENCED' });
  });

  it('ends an orphan that is dead and fences for one that landed', async () => {
    const world = rig();
    const { sign, signing, journal } = world.open();
    await sign(1);
    world.clock.advance(5_000);
    world.chain.finalized = 2_000n;
    await signing.beat();
    expect(journal.all().at(-1)?.entry).toMatchObject({ kind: 'ended', how: 'dead', signature: nameOf(1) });
    await sign(2);
    world.clock.advance(5_000);
    world.statuses.set(nameOf(2), finalized(null));
    await signing.beat();
    await expect(signing.assertSound()).rejects.toMatchObject({ code: 'SIGNING_FENCED' });
  });

  it('looks for an undecided orphan at once, and then ever more seldom, up to three times a minute', async () => {
    const world = rig();
    let asked = 0;
    const { sign, signing } = world.open(undefined, undefined, {
      newest: async () => ({ height: 1_000n, slot: 900n }),
      probe: async (signature, round) => {
        asked += round % 2 === 0 ? 1 : 0;
        return world.probe(signature, round);
      },
      takers: async () => [],
    });
    await sign(1);
    const seen: number[] = [];
    for (let second = 1; second <= 60; second += 1) {
      world.clock.advance(1_000);
      const before = asked;
      await signing.beat();
      if (asked > before) seen.push(second);
    }
    expect(seen).toEqual([5, 10, 20, 40, 60]);
    // It is found then: nothing is put off for good.
    world.chain.finalized = 2_000n;
    world.clock.advance(20_000);
    await signing.beat();
    expect(signing.isBusy()).toBe(false);
  });

  it('lets a wallet wait for its own undecided signature, and no other wallet', async () => {
    const { open, clock, known } = rig();
    const { sign } = open();
    await sign(1);
    known.intents.add('intent-2').add('intent-3');
    const next = { id: 'intent-2', kind: 'payout', walletId: INTENT.walletId } as const;
    clock.advance(1_000);
    await expect(sign(2, next)).rejects.toMatchObject({ code: 'ATTEMPT_UNDECIDED' });
    await sign(3, { ...next, id: 'intent-3', walletId: 'wallet-2' });
    known.signatures.add(nameOf(1));
    await sign(2, next);
  });

  it('opens again when the quarantine was lifted and every signature is known, dead or in the report', async () => {
    const world = rig();
    const { sign, signing, journal } = world.open();
    await sign(1);
    world.known.signatures.add(nameOf(1));
    await signing.beat();
    await sign(1);
    await sign(2, { id: 'intent-2', kind: 'payout', walletId: 'wallet-2' }).catch(() => undefined);
    world.known.signatures.clear();
    await signing.beat();
    const lift = async (report: unknown): Promise<void> => {
      world.reports.push(report);
      await world.quarantines.lift('q', world.clock.now(), report);
      await signing.beat();
    };
    await lift({ findings: [] });
    // Not accounted for: shut again, and the operator gets a line again.
    await expect(signing.assertSound()).rejects.toMatchObject({ code: 'SIGNING_FENCED' });
    expect(await world.quarantines.current()).not.toBeNull();
    world.known.signatures.add(nameOf(1));
    await lift({ findings: [], mismatches: [{ rule: 'x', subject: nameOf(2), detail: '' }] });
    expect(journal.all().at(-1)?.entry).toMatchObject({ kind: 'unfence' });
    await signing.assertSound();
  });

  it.each([
    [{ inRecovery: true }, /standby/],
    [{ fsync: false }, /fsync/],
    [{ synchronousCommit: 'off' }, /synchronous_commit/],
  ] as const)('signs nothing on the word of a database that may forget: %o', async (truth, cause) => {
    const { open, serve } = rig();
    serve(truth);
    await expect(open().sign(1)).rejects.toMatchObject({
      code: 'DATABASE_FORGETFUL',
      details: { cause: expect.stringMatching(cause) },
    });
  });

  it('signs no intent that is older than it remembers, and none whose name tells no age', async () => {
    const { open, clock } = rig({ oldestMs: 31 * 86_400_000 });
    const { signing } = open();
    signing.assertRemembered(firstUlid(clock.now() - 31 * 86_400_000));
    for (const id of [firstUlid(clock.now() - 31 * 86_400_000 - 1), 'intent-1'])
      expect(() => signing.assertRemembered(id)).toThrow(expect.objectContaining({ code: 'INTENT_TOO_OLD' }));
  });

  it('signs two messages of one intent that come at once one after the other, and the second not at all', async () => {
    const { open } = rig();
    const { sign, journal } = open();
    const both = await Promise.allSettled([sign(1), sign(2)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(signed(journal)).toHaveLength(1);
  });
});

describe('reading a journal', () => {
  const read = async (
    disk: ReturnType<typeof fakeDisk>,
    heads: { seq: number; hash: string; journalId?: string }[],
    adopts = false,
  ) => {
    const journal = fakeJournal(disk);
    const books = booksOver(fakeDatabase());
    for (const head of heads) await books.saveHead({ journalId: disk.id, ...head });
    return readJournal({ journal, books, clock: fakeClock(0), adopts });
  };
  const written = async () => {
    const disk = fakeDisk();
    const journal = fakeJournal(disk);
    for (const user of ['a', 'b', 'c']) await journal.append({ kind: 'pin-wrong', user });
    return { disk, journal };
  };

  it('refuses one that is older than what the database has seen of it', async () => {
    const { disk, journal } = await written();
    const { hash } = journal.head();
    disk.lines.pop();
    await expect(read(disk, [{ seq: 3, hash }])).rejects.toMatchObject({
      code: 'JOURNAL_BEHIND',
      details: { journal: 2, database: 3 },
    });
  });

  it('refuses one with another line than the database has seen', async () => {
    const { disk } = await written();
    await expect(read(disk, [{ seq: 2, hash: 'another' }])).rejects.toMatchObject({ code: 'JOURNAL_BROKEN' });
  });

  it('refuses one that the database does not know beside one that it knows, unless it is adopted', async () => {
    const { disk } = await written();
    const heads = [{ journalId: 'journal-9', seq: 2, hash: 'x' }];
    await expect(read(disk, heads)).rejects.toMatchObject({ code: 'JOURNAL_MISSING' });
    await read(disk, heads, true);
  });

  it('counts wrong PINs over a restart', async () => {
    const clock = fakeClock();
    const disk = fakeDisk();
    const before = fakeJournal(disk, () => clock.now());
    const tries = createPinTries({ clock, write: (entry) => before.append(entry) });
    for (let n = 0; n < 20; n += 1) await tries.take('u');
    await tries.take('v');
    await tries.wasRight('v');
    const after = fakeJournal(disk, () => clock.now());
    const again = createPinTries({ clock, write: (entry) => after.append(entry) });
    for (const record of after.all()) again.apply(record);
    await expect(again.take('u')).rejects.toMatchObject({ code: 'PIN_LOCKED' });
    await again.take('v');
    clock.advance(3_600_000);
    await again.take('u');
  });

  it('compares no PIN that it cannot write down', async () => {
    const clock = fakeClock();
    const journal = fakeJournal();
    journal.full = true;
    const tries = createPinTries({ clock, write: (entry) => journal.append(entry) });
    await expect(tries.take('u')).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
  });
});

describe('the keybook', () => {
  it('holds a new wallet’s sealed key before its address is known, and none is made that it cannot hold', async () => {
    const world = { db: fakeDatabase(), clock: fakeClock() };
    const keybook = fakeJournal();
    const signer = testSigner(world, { keybook });
    const secret = await signer.create({ walletId: 'w', userId: 'u' });
    const [record] = keybook.all();
    expect(record?.entry).toEqual({
      kind: 'key',
      walletId: 'w',
      userId: 'u',
      telegramId: null,
      publicKey: secret.publicKey,
      version: 1,
      kekId: secret.kekId,
      wrappedDek: Buffer.from(secret.wrappedDek).toString('base64'),
      sealedSeed: Buffer.from(secret.sealedSeed).toString('base64'),
    });
    keybook.full = true;
    await expect(signer.create({ walletId: 'v', userId: 'u' })).rejects.toMatchObject({
      code: 'JOURNAL_FULL',
    });
  });
});

describe('payouts of a day', () => {
  const DAY = 86_400_000;
  const pay = (id: string, walletId: string) => ({ id, kind: 'payout', walletId }) as const;
  const of = (lamports: bigint): Pays => ({
    items: [{ userId: 'u', lamports }],
    mostLamports: 5_000n,
    mostUnproved: 10n ** 18n,
  });
  const WAITS = { code: 'SIGNING_PAUSED' };

  function paying() {
    const all = rig();
    for (const id of ['p1', 'p2', 'p3', 'p4']) all.known.intents.add(id);
    return all;
  }

  it('are signed up to the cap to the lamport, and the next one waits until the first is a day old', async () => {
    const { open, clock, known } = paying();
    const { sign, made } = open();
    await sign(1, pay('p1', 'w1'), of(3_000n));
    known.signatures.add(nameOf(1));
    await expect(sign(2, pay('p2', 'w2'), of(2_001n))).rejects.toMatchObject(WAITS);
    expect(made()).toBe(1);
    await sign(3, pay('p3', 'w3'), of(2_000n));
    known.signatures.add(nameOf(3));
    await expect(sign(4, pay('p4', 'w4'), of(1n))).rejects.toMatchObject(WAITS);
    clock.advance(DAY);
    await expect(sign(4, pay('p4', 'w4'), of(5_000n))).rejects.toMatchObject(WAITS);
    clock.advance(1);
    expect(await sign(4, pay('p4', 'w4'), of(5_000n))).toEqual(bytesOf(4));
  });

  it('count after the signer started anew, whatever the database says, and one of another kind never', async () => {
    const { open, known } = paying();
    await open().sign(1, pay('p1', 'w1'), of(4_000n));
    known.signatures.add(nameOf(1));
    const again = open();
    await expect(again.sign(2, pay('p2', 'w2'), of(1_001n))).rejects.toMatchObject(WAITS);
    expect(await again.sign(3)).toEqual(bytesOf(3));
  });

  it('count a repeat once, refuse one of another sum, and one whose every signature had no effect counts not at all', async () => {
    const { open } = paying();
    const { sign, journal, book } = open();
    const dies = async (n: number): Promise<void> =>
      book.apply(await journal.append({ kind: 'ended', signature: nameOf(n), how: 'dead', looks: [] }));
    await sign(1, pay('p1', 'w1'), of(3_000n));
    expect(await sign(1, pay('p1', 'w1'), of(3_000n))).toEqual(bytesOf(1));
    await dies(1);
    await expect(sign(3, pay('p1', 'w1'), of(4_000n))).rejects.toMatchObject({
      details: { rule: 'payout-books' },
    });
    expect(await sign(3, pay('p1', 'w1'), of(3_000n))).toEqual(bytesOf(3));
    await expect(sign(2, pay('p2', 'w2'), of(2_001n))).rejects.toMatchObject(WAITS);
    await dies(3);
    expect(await sign(2, pay('p2', 'w2'), of(5_000n))).toEqual(bytesOf(2));
  });

  it('are counted one after the other: of two at once that are too much together one waits', async () => {
    const { open } = paying();
    const { sign } = open();
    const both = await Promise.allSettled([
      sign(1, pay('p1', 'w1'), of(3_000n)),
      sign(2, pay('p2', 'w2'), of(3_000n)),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('debts of a payout', () => {
  const DAY = 86_400_000;
  const WAITS = { code: 'SIGNING_PAUSED' };
  const pay = (id: string) => ({ id, kind: 'payout', walletId: id }) as const;
  const to = (lamports: bigint, userId = 'inviter'): Pays => ({
    items: [{ userId, lamports }],
    mostLamports: 10n ** 18n,
    mostUnproved: 100n,
  });
  const share = (lamports: bigint) => ({ inviterId: 'inviter', lamports });

  function trading() {
    const all = rig();
    for (const id of ['p1', 'p2', 'p3', 'p4', 't1', 't2']) all.known.intents.add(id);
    const trade = (id: string) => ({ ...INTENT, id, walletId: `of-${id}` });
    const lands = (n: number, err: string | null = null): void =>
      void all.statuses.set(nameOf(n), { level: 'finalized', slot: 950n, err });
    const opened = all.open();
    const pays = (n: number, id: string, what: Pays) => opened.sign(n, pay(id), what);
    const trades = async (n: number, id: string, lamports: bigint): Promise<void> => {
      await opened.sign(n, trade(id), undefined, share(lamports));
      all.known.signatures.add(nameOf(n));
    };
    return { ...all, ...opened, lands, pays, trades };
  }

  it('are paid as far as shares of trades that landed prove them, to the lamport and once', async () => {
    const { trades, lands, pays, known, book } = trading();
    await trades(1, 't1', 600n);
    lands(1);
    expect(await pays(2, 'p1', to(600n))).toEqual(bytesOf(2));
    known.signatures.add(nameOf(2));
    expect(book.debts.credit('inviter')).toBe(600n);
    // Unproved debts have a day's sum of their own, for all people together.
    await expect(pays(3, 'p2', to(101n))).rejects.toMatchObject(WAITS);
    await expect(pays(3, 'p2', to(101n, 'other'))).rejects.toMatchObject(WAITS);
    expect(await pays(3, 'p2', to(100n, 'other'))).toEqual(bytesOf(3));
    known.signatures.add(nameOf(3));
    await expect(pays(4, 'p3', to(1n))).rejects.toMatchObject(WAITS);
  });

  it.each([
    ['was never seen on the chain', null],
    ['failed there', 'error'],
  ])('are proved by no trade that %s', async (_, err) => {
    const { trades, lands, pays } = trading();
    await trades(1, 't1', 600n);
    if (err !== null) lands(1, err);
    await expect(pays(2, 'p1', to(600n))).rejects.toMatchObject(WAITS);
    lands(1);
    if (err === null) expect(await pays(2, 'p1', to(600n))).toEqual(bytesOf(2));
    // Its end was written down: a node that says otherwise later is not believed.
    else await expect(pays(2, 'p1', to(600n))).rejects.toMatchObject(WAITS);
  });

  it('are proved again after a payout that had no effect, and by the journal alone after a new start', async () => {
    const { trades, lands, pays, known, open } = trading();
    await trades(1, 't1', 600n);
    lands(1);
    await pays(2, 'p1', to(600n));
    known.signatures.add(nameOf(2));
    await expect(pays(3, 'p2', to(600n))).rejects.toMatchObject(WAITS);
    lands(2, 'error');
    expect(await pays(3, 'p2', to(600n))).toEqual(bytesOf(3));
    known.signatures.add(nameOf(3));
    lands(3);
    const again = open();
    await expect(again.sign(4, pay('p3'), to(600n))).rejects.toMatchObject(WAITS);
  });

  it('stay proved and paid for ever, also when the signatures are forgotten', async () => {
    const { trades, lands, pays, known, signing, clock, book, journal } = trading();
    await trades(1, 't1', 600n);
    await trades(2, 't2', 50n);
    lands(1);
    lands(2);
    await pays(3, 'p1', to(600n));
    known.signatures.add(nameOf(3));
    for (let days = 0; days < 3; days += 1) {
      clock.advance(20 * DAY + 1);
      await signing.beat();
    }
    const used = () => book.debts.used('inviter', book.isVoid);
    expect([book.debts.credit('inviter'), used()]).toEqual([650n, 600n]);
    // The start of the journal is gone.
    const late = createJournalBook();
    for (const record of journal.all().filter(({ at }) => at >= clock.now() - 31 * DAY)) late.apply(record);
    expect([late.debts.credit('inviter'), late.debts.used('inviter', late.isVoid)]).toEqual([650n, 600n]);
    await expect(pays(5, 'p2', to(151n))).rejects.toMatchObject(WAITS);
    expect(await pays(5, 'p2', to(50n))).toEqual(bytesOf(5));
  });
});

describe('two signers with copies of one journal', () => {
  it('never go on side by side: the one with fewer lines signs nothing any more, and does not start', async () => {
    const db = fakeDatabase();
    const clock = fakeClock();
    const books = {
      ...booksOver(db),
      known: async () => ({ intents: new Set([INTENT.id]), signatures: new Set<string>(), server: LASTING }),
    };
    const disk = fakeDisk();
    await fakeJournal(disk).append({ kind: 'pin-wrong', user: 'u' });
    const copied = { ...fakeDisk(disk.id), lines: [...disk.lines] };
    const [first, second] = [disk, copied].map((one) => {
      const journal = fakeJournal(one, () => clock.now());
      return { journal, signing: testSigning({ db, clock }, { journal, books }).signing };
    });
    if (first === undefined || second === undefined) throw new Error('two');
    for (const { signing } of [first, second]) {
      await signing.beat();
      await signing.assertSound();
    }
    await first.journal.append({ kind: 'pin-wrong', user: 'v' });
    await first.signing.beat();
    await expect(second.signing.beat()).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    // Its own lines do not make it the right one.
    for (const user of ['a', 'b', 'c']) await second.journal.append({ kind: 'pin-wrong', user });
    await expect(second.signing.assertSound()).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    await expect(second.signing.beat()).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    await first.signing.assertSound();
    await expect(readJournal({ journal: second.journal, books, clock, adopts: false })).rejects.toMatchObject(
      {
        code: 'JOURNAL_BROKEN',
      },
    );
  });

  it('are noticed at the same number of lines, too', async () => {
    const db = fakeDatabase();
    const clock = fakeClock();
    const books = booksOver(db);
    const disk = fakeDisk();
    const journal = fakeJournal(disk, () => clock.now());
    await journal.append({ kind: 'pin-wrong', user: 'u' });
    const { signing } = testSigning({ db, clock }, { journal, books });
    await signing.beat();
    await books.saveHead({ ...journal.head(), seq: 2, hash: 'of another line' });
    await journal.append({ kind: 'pin-wrong', user: 'v' });
    await expect(signing.beat()).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
  });
});
