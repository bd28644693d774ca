import { toBase58 } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import { createUseNotes } from '../../../src/engine/signing/rules/use-notes.ts';
import type { DayUse } from '../../../src/engine/signing/use/day-use.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeDisk, fakeJournal } from '../../support/fakes/journal.ts';
import { booksOver, emptyWitness, testSigning } from '../../support/fakes/signing.ts';

const DAY = 86_400_000;
const WAITS = { code: 'SIGNING_PAUSED' };
const bytesOf = (n: number): Uint8Array => new Uint8Array(64).fill(n);
const nameOf = (n: number): string => toBase58(bytesOf(n));

/** A signer whose every signature is stored at once, and the end of each as the test says; undecided otherwise. */
function rig() {
  const [clock, db, disk] = [fakeClock(), fakeDatabase(), fakeDisk()];
  const ends = new Map<string, 'landed' | 'failed'>();
  const witness = {
    ...emptyWitness(),
    probe: async (signature: string, round: number) => {
      const end = ends.get(signature);
      const err = end === 'failed' ? '{"InstructionError":[0,{}]}' : null;
      return {
        endpoint: `node-${round % 2}`,
        endpoints: 2,
        finalizedHeight: 1n,
        finalizedSlot: 1n,
        status: end === undefined ? null : ({ level: 'finalized', slot: 1n, err } as const),
        statusSlot: 2n,
        firstAvailableBlock: 0n,
        goneAt: null,
      };
    },
  };
  const open = () => {
    const journal = fakeJournal(disk, () => clock.now());
    const book = createJournalBook();
    for (const record of journal.all()) book.apply(record);
    const books: ReturnType<typeof booksOver> = {
      ...booksOver(db),
      known: async ({ intentIds }) => ({
        intents: new Set(intentIds),
        signatures: new Set(Array.from({ length: 40 }, (_, n) => nameOf(n))),
        server: { inRecovery: false, fsync: true, synchronousCommit: 'on' },
      }),
    };
    const { signing } = testSigning({ db, clock }, { journal, book, books, witness });
    const sign = async (n: number, use: DayUse, id = `intent-${n}`): Promise<Uint8Array> => {
      await signing.assertSound();
      return signing.sign({
        intent: { id, kind: 'withdraw-sol', walletId: `wallet-${id}` },
        stored: new Set([nameOf(n)]),
        message: new Uint8Array([n, n]),
        attempt: null,
        use,
        sign: async () => bytesOf(n),
      });
    };
    return { signing, book, sign };
  };
  return { clock, ends, open };
}

const MOST = { mostWithdrawn: 5_000n, mostSpent: 50_000n };
const leaves = (withdrawn: bigint, userId = 'ann'): DayUse => ({ userId, withdrawn, spent: 0n, ...MOST });
const spends = (spent: bigint, userId = 'ann'): DayUse => ({ userId, withdrawn: 0n, spent, ...MOST });

describe.each([
  ['withdrawals', leaves, 5_000n],
  ['spending', spends, 50_000n],
] as const)('the %s of a person, by the journal', (_, of, most) => {
  it('are signed up to the cap to the lamport, and the next one waits until the first is a day old', async () => {
    const { clock, open } = rig();
    const { sign } = open();
    await sign(1, of(most - 100n));
    await expect(sign(2, of(101n))).rejects.toMatchObject(WAITS);
    await sign(3, of(100n));
    await expect(sign(4, of(1n))).rejects.toMatchObject(WAITS);
    // Those of another person are another sum.
    await sign(5, of(most, 'bob'));
    clock.advance(DAY);
    await expect(sign(4, of(1n))).rejects.toMatchObject(WAITS);
    clock.advance(1);
    expect(await sign(4, of(most))).toEqual(bytesOf(4));
  });

  it('count after the signer was started again', async () => {
    const { open } = rig();
    await open().sign(1, of(most));
    await expect(open().sign(2, of(1n))).rejects.toMatchObject(WAITS);
  });

  it('are counted one after the other: of two at once that are too much together one waits', async () => {
    const { sign } = rig().open();
    const both = await Promise.allSettled([sign(1, of(most - 1n)), sign(2, of(most - 1n))]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('count an intent once, however many of its transactions were signed', async () => {
    const { ends, open } = rig();
    const { sign } = open();
    await sign(1, of(most - 1n), 'one');
    ends.set(nameOf(1), 'failed');
    await sign(2, of(most - 1n), 'one');
    await sign(2, of(most - 1n), 'one');
    await sign(3, of(1n));
    await expect(sign(4, of(1n))).rejects.toMatchObject(WAITS);
  });

  it('give back what failed, and neither what landed nor what is undecided', async () => {
    const { ends, open } = rig();
    const { sign } = open();
    await sign(1, of(most));
    await expect(sign(2, of(1n))).rejects.toMatchObject(WAITS);
    ends.set(nameOf(1), 'failed');
    expect(await sign(2, of(most))).toEqual(bytesOf(2));
    ends.set(nameOf(2), 'landed');
    await expect(sign(3, of(1n))).rejects.toMatchObject(WAITS);
    // Its end was written down: a node that says otherwise later is not believed.
    ends.set(nameOf(2), 'failed');
    await expect(sign(3, of(1n))).rejects.toMatchObject(WAITS);
  });

  it('stop nothing that takes nothing of the sum', async () => {
    const { sign } = rig().open();
    await sign(1, of(most));
    expect(await sign(2, of(0n))).toEqual(bytesOf(2));
  });
});

it('the first withdrawal of a day is signed after the cap was lowered, and no second one', async () => {
  const { sign } = rig().open();
  await sign(1, leaves(5_001n));
  await expect(sign(2, leaves(1n))).rejects.toMatchObject(WAITS);
});

it('spending above the cap of all people is not signed, not even alone', async () => {
  const { sign } = rig().open();
  await expect(sign(1, spends(50_001n))).rejects.toMatchObject(WAITS);
  expect(await sign(2, spends(50_000n))).toEqual(bytesOf(2));
});

it('withdrawals of unknown worth are signed five times a day, after a new start too, and what failed is given back', async () => {
  const { clock, ends, open } = rig();
  const unpriced: DayUse = { ...leaves(0n), unpriced: true };
  const { sign } = open();
  for (const n of [1, 2, 3, 4, 5]) expect(await sign(n, unpriced)).toEqual(bytesOf(n));
  await expect(sign(6, unpriced)).rejects.toMatchObject(WAITS);
  const again = open();
  await expect(again.sign(6, unpriced)).rejects.toMatchObject(WAITS);
  expect(await again.sign(7, leaves(1n))).toEqual(bytesOf(7));
  ends.set(nameOf(3), 'failed');
  expect(await again.sign(6, unpriced)).toEqual(bytesOf(6));
  await expect(again.sign(8, unpriced)).rejects.toMatchObject(WAITS);
  clock.advance(DAY + 1);
  expect(await again.sign(8, unpriced)).toEqual(bytesOf(8));
});

it('parts of a day are forgotten after it, and their people with them', () => {
  const notes = createUseNotes();
  const line = (intentId: string, userId: string) =>
    ({ kind: 'signed', intentId, use: { userId, withdrawn: 7n, spent: 1n } }) as never;
  notes.apply(line('a', 'ann'), 10);
  notes.apply(line('b', 'ann'), 20);
  notes.apply(line('a', 'ann'), 30);
  const all = (userId: string) => notes.since(userId, 0, () => false);
  expect(all('ann')).toEqual({ withdrawn: 14n, spent: 2n, unpriced: 0 });
  expect(notes.intents('ann', 0)).toEqual(['b', 'a']);
  notes.forget(30);
  expect(all('ann')).toEqual({ withdrawn: 7n, spent: 1n, unpriced: 0 });
  notes.forget(31);
  expect(all('ann')).toEqual({ withdrawn: 0n, spent: 0n, unpriced: 0 });
  expect(notes.intents('ann', 0)).toEqual([]);
});
