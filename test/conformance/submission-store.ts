import { toBase58 } from '@tradepost/solana';
import { beforeAll, expect, it } from 'vitest';
import type { Submission } from '../../src/modules/submissions/rules/submission.ts';
import type { SubmissionStore } from '../../src/modules/submissions/store-port.ts';
import { BY_NODES } from '../support/send-way.ts';
import { freshAddress } from '../support/tape-rows.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
let count = 0;

/** A submission under way, with a signature of its own. */
export function submissionRow(change: Partial<Submission> = {}): Submission {
  count += 1;
  const signature = new Uint8Array(64).fill(7);
  new DataView(signature.buffer).setUint32(0, count);
  return {
    signature: toBase58(signature),
    transaction: Uint8Array.of(1, 2, 3),
    feePayer: freshAddress(),
    account: null,
    reference: null,
    blockhash: freshAddress(),
    lastValidBlockHeight: null,
    slotFloor: 12n,
    way: BY_NODES,
    status: 'received',
    version: 1,
    sends: 0,
    lastSentAt: null,
    slot: null,
    err: null,
    deaths: [],
    landings: [],
    receivedAt: NOW,
    changedAt: NOW,
    ...change,
  };
}

/** The rules of a store of submissions. */
export function describeSubmissionStore(make: () => Promise<SubmissionStore>): void {
  let store: SubmissionStore;
  beforeAll(async () => {
    store = await make();
  });
  const found = async ({ signature }: Submission) => {
    const row = await store.find(signature);
    if (row === null) return null;
    return { ...row, transaction: row.transaction === null ? null : Uint8Array.from(row.transaction) };
  };

  it('keeps one of a signature, however many come at once', async () => {
    const row = submissionRow({ reference: 'order 17', account: 'acme' });
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, index) => store.insert({ ...row, reference: `try ${index}` })),
    );
    expect(taken.filter((isNew) => isNew)).toHaveLength(1);
    expect(await store.insert({ ...row, slotFloor: 99n })).toBe(false);
    expect(await found(row)).toMatchObject({ slotFloor: 12n, account: 'acme' });
    expect(await found(submissionRow())).toBeNull();
  });

  it('keeps where the bytes go, for as long as it lives', async () => {
    const ways = [
      BY_NODES,
      { senders: ['jito', 'sender'], alone: false },
      { senders: ['jito'], alone: true },
    ];
    for (const way of ways) {
      const row = submissionRow({ way });
      await store.insert(row);
      expect((await found(row))?.way).toEqual(way);
      expect(await store.replace({ ...row, way: BY_NODES, version: 2, status: 'sent' })).toBe(true);
      const open = (await store.open(NOW, 10_000)).find(({ signature }) => signature === row.signature);
      expect(open?.way).toEqual(way);
    }
  });

  it('finds several at once, and leaves out those that it does not know', async () => {
    const [one, two, unknown] = [submissionRow(), submissionRow(), submissionRow()];
    for (const row of [one, two]) await store.insert(row);
    const all = await store.findAll([one, two, unknown].map(({ signature }) => signature));
    expect(all.map(({ signature }) => signature).toSorted()).toEqual(
      [one, two].map(({ signature }) => signature).toSorted(),
    );
    expect(await store.findAll([])).toEqual([]);
  });

  it('writes a later state of what was read, whole, and no other', async () => {
    const row = submissionRow();
    await store.insert(row);
    const next: Submission = {
      ...row,
      version: 2,
      status: 'finalized',
      transaction: null,
      sends: 3,
      lastSentAt: NOW + 1,
      lastValidBlockHeight: 2n ** 62n,
      slot: 2n ** 61n,
      err: '{"InstructionError":[0,"Custom"]}',
      changedAt: NOW + 2,
      landings: [
        {
          endpoint: 'a',
          endpoints: 2,
          at: NOW,
          slot: 7n,
          err: null,
          priceMoved: false,
          effect: 'shown',
          sums: '5000',
        },
      ],
      deaths: [
        {
          endpoint: 'b',
          endpoints: 2,
          at: NOW,
          finalizedHeight: 1n,
          finalizedSlot: 2n,
          statusSlot: 3n,
          firstAvailableBlock: 0n,
        },
      ],
    };
    expect(await store.replace({ ...next, version: 3 })).toBe(false);
    expect(await store.replace({ ...row, version: 1 })).toBe(false);
    expect(await found(row)).toEqual(row);
    // Whose it is and what the chain was when it came are written once, with the row.
    const other = { account: 'other', reference: 'other', slotFloor: 99n, receivedAt: NOW + 9 };
    const written = await Promise.all([next, next].map((one) => store.replace({ ...one, ...other })));
    expect(written.filter((isWritten) => isWritten)).toHaveLength(1);
    expect(await found(row)).toEqual(next);
  });

  it('lists what is under way, the oldest first, and disputed ones for a day', async () => {
    const young = submissionRow({ receivedAt: NOW + 2 });
    const old = submissionRow({ receivedAt: NOW + 1, status: 'confirmed' });
    const disputed = submissionRow({ receivedAt: NOW + 3, status: 'disputed', changedAt: NOW });
    const ended = submissionRow({ receivedAt: NOW, status: 'expired', transaction: null });
    for (const row of [young, old, disputed, ended]) await store.insert(row);
    const own = new Set([young, old, disputed, ended].map(({ signature }) => signature));
    const listed = async (now: number) =>
      (await store.open(now, 1_000)).map(({ signature }) => signature).filter((one) => own.has(one));
    const signatures = [old, young, disputed].map(({ signature }) => signature);
    expect(await listed(NOW + DAY - 1)).toEqual(signatures);
    expect(await listed(NOW + DAY)).toEqual(signatures.slice(0, 2));
    expect(await store.open(NOW, 1)).toHaveLength(1);
  });

  it('counts what is under way, of a fee payer and of an account', async () => {
    const feePayer = freshAddress();
    const before = await store.underWay({ feePayer, account: 'counted' });
    await store.insert(submissionRow({ feePayer, account: 'counted' }));
    await store.insert(submissionRow({ feePayer }));
    await store.insert(submissionRow({ account: 'counted' }));
    await store.insert(submissionRow({ feePayer, status: 'failed', transaction: null }));
    await store.insert(submissionRow({ feePayer, status: 'disputed' }));
    const after = await store.underWay({ feePayer, account: 'counted' });
    expect([after.all - before.all, after.ofPayer, after.ofAccount]).toEqual([3, 2, 2]);
    expect((await store.underWay({ feePayer, account: null })).ofAccount).toBe(0);
  });
}
