import { toBase58 } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import { ensureTreasury } from '../../../src/engine/fees/use/ensure-treasury.ts';
import type { ConfirmedIntent } from '../../../src/engine/intents/rules/confirmation.ts';
import { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import { COPY_DEFAULTS, type Copy, copyFacts } from '../../../src/modules/copying/rules/copy.ts';
import { copyKey, legOf } from '../../../src/modules/copying/rules/copy-trade.ts';
import { NO_EXITS } from '../../../src/modules/settings/rules/exit-set.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import type { KeyHolder } from '../../../src/platform/ports/key-holder.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { copyRow } from '../../conformance/copy-store.ts';
import { intentRow, newId, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeDisk, fakeJournal } from '../../support/fakes/journal.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { booksOver, emptyWitness, testSigning } from '../../support/fakes/signing.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';
import { MINT, PARAMS } from '../intents/build.ts';

/** Purchases of a copy whose rows in `copy_trades` a writer of the database took away: none is ever there in these tests. */
const SOL = 1_000_000_000n;
const DAY = 86_400_000;
const DENIED = { code: 'POLICY_DENIED', details: { rule: 'copy-mandate' } };

/** Signs everything: what the policy says of the bytes is not asked here. Each message has a signature of its own. */
const sign = ({ message }: { readonly message: Uint8Array }): Uint8Array =>
  Uint8Array.from({ length: 64 }, (_, at) => message[at % message.length] ?? 0);
const KEYS = { sign: async (asked: never) => sign(asked), holds: async () => true } as unknown as KeyHolder;
const messageOf = (intentId: string): Uint8Array => Buffer.from(intentId.repeat(3));

let db: Database;
let clock: ReturnType<typeof fakeClock>;
let disk: ReturnType<typeof fakeDisk>;
let wallet: Wallet;
let copy: Copy;
let failed: Set<string>;

beforeEach(async () => {
  [db, clock, disk, failed] = [fakeDatabase(), fakeClock(), fakeDisk(), new Set()];
  const pins = fakePins();
  await ensureTreasury({
    db,
    vault: testSigner({ db, clock }),
    clock,
    ids: { ulid: newId, uuid: newId } as never,
  });
  const person = await storedPerson(db);
  wallet = person.wallet;
  await givePin(db, pins, person.user.id);
  copy = await agree(clock.now() + 20 * DAY);
  await db.copies.insert(PASSED, copy);
});

/** A copy as its person agreed to it: 1 SOL at once, 2 in a day, 3 in all. */
async function agree(until: number, more: Partial<Copy> = {}): Promise<Copy> {
  const rules = {
    ...COPY_DEFAULTS,
    tradeLamports: SOL,
    dayLamports: 2n * SOL,
    totalLamports: 3n * SOL,
    exits: NO_EXITS,
  };
  const of = { userId: wallet.userId ?? '', walletId: wallet.id };
  const row = copyRow(of, { rules, lockEpoch: 0, until, certificate: null, ...more });
  return { ...row, certificate: await open().vault.mandateCopy({ copy: copyFacts(row), pin: TEST_PIN }) };
}

/** A signer as it starts: all that it knows comes from the lines on its disk. */
function open() {
  const journal = fakeJournal(disk, () => clock.now());
  const book = createJournalBook();
  for (const record of journal.all()) book.apply(record);
  const books: ReturnType<typeof booksOver> = {
    ...booksOver(db),
    known: async ({ intentIds }) => ({
      intents: new Set(intentIds),
      signatures: { has: () => true } as never,
      server: { inRecovery: false, fsync: true, synchronousCommit: 'on' },
    }),
  };
  const witness = {
    ...emptyWitness(),
    probe: async (signature: string, round: number) => {
      const err = failed.has(signature) ? '{"InstructionError":[0,{}]}' : null;
      return {
        ...(await emptyWitness().probe(signature, round)),
        finalizedHeight: 1n,
        status: { level: 'finalized', slot: 1n, err } as const,
      };
    },
  };
  const { signing, tries } = testSigning({ db, clock }, { journal, book, books, witness });
  const vault = testSigner({ db, clock }, { signing, tries, keys: KEYS, pins: fakePins() });
  /** A purchase as an honest worker confirms and stores it, but for its row of the copy. */
  const buys = async (lamports: bigint): Promise<string> => {
    const leg = legOf({ side: 'buy', mint: MINT });
    const request: ConfirmedIntent = {
      id: newId(),
      idemKey: copyKey({ copyId: copy.id, signature: newId(), leg }),
      userId: copy.userId,
      walletId: copy.walletId,
      params: {
        ...PARAMS.buy,
        mint: MINT,
        lamportsIn: lamports,
        terms: { ...PARAMS.buy.terms, amountIn: lamports, quotedOut: 1_000n, minOut: 900n },
      },
    };
    const { confirmation } = await vault.confirmCopy({ request, orders: [] });
    const { id, idemKey, params } = request;
    const row = intentRow(wallet, { id, idemKey, params, kind: params.kind, createdAt: clock.now() });
    await db.intents.insert({ ...row, confirmation });
    return id;
  };
  const signs = (intentId: string): Promise<Uint8Array> =>
    vault.sign({ intentId, message: messageOf(intentId) });
  return { vault, buys, signs };
}

describe('purchases of a copy, by the journal', () => {
  it('are confirmed and signed up to the cap of a day, also after the signer was started again', async () => {
    const before = open();
    // Confirmed while nothing was signed: the signature counts, not the confirmation.
    const ids = await Promise.all([SOL, SOL, 10_000_000n].map((lamports) => before.buys(lamports)));
    const [one = '', two = '', three = ''] = ids;
    await before.signs(one);
    await before.signs(two);
    for (const isNew of [false, true]) {
      const signer = isNew ? open() : before;
      await expect(signer.signs(three)).rejects.toMatchObject(DENIED);
      await expect(signer.buys(10_000_000n)).rejects.toMatchObject(DENIED);
      // Another transaction of the same intent is the same purchase.
      expect(await signer.signs(two)).toHaveLength(64);
    }
  });

  it('are signed up to the cap in all, over the days and new starts of a mandate', async () => {
    for (const _ of [1, 2]) await signOne();
    clock.advance(DAY + 1);
    await signOne();
    clock.advance(5 * DAY);
    await expect(open().buys(10_000_000n)).rejects.toMatchObject(DENIED);
  });

  it('that failed on the chain give their part back, and no others do', async () => {
    const signer = open();
    const [one = '', two = '', three = '', four = ''] = await Promise.all(
      [SOL, SOL, SOL, 10_000_000n].map((lamports) => signer.buys(lamports)),
    );
    await signer.signs(one);
    await signer.signs(two);
    failed.add(toBase58(sign({ message: messageOf(one) })));
    expect(await open().signs(three)).toHaveLength(64);
    await expect(open().signs(four)).rejects.toMatchObject(DENIED);
  });

  it('begin anew with a mandate that has another end', async () => {
    for (const _ of [1, 2]) await signOne();
    await expect(open().buys(SOL)).rejects.toMatchObject(DENIED);
    const { id, leader, version } = copy;
    copy = await agree(clock.now() + 21 * DAY, { id, leader, version });
    expect(await db.copies.save(PASSED, copy)).toBe(true);
    await signOne();
  });
});

async function signOne(): Promise<string> {
  const signer = open();
  const id = await signer.buys(SOL);
  await signer.signs(id);
  return id;
}
