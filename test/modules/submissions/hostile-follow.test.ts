import { expect, it } from 'vitest';
import { judged } from '../../../src/modules/submissions/rules/advance.ts';
import { isFinal, type Submission } from '../../../src/modules/submissions/rules/submission.ts';
import { createSubmissionWatch } from '../../../src/modules/submissions/use/watch-submissions.ts';
import { fakeSubmissionStore } from '../../support/fakes/submission-store.ts';
import { BY_NODES } from '../../support/send-way.ts';
import { hostileWorld } from './hostile-world.ts';

/** `SUBMISSIONS_TRIED=10000` tries as many. */
const COUNT = Number(process.env['SUBMISSIONS_TRIED'] ?? 150);
const ROUNDS = 300;
/** Of 1: submissions that are sent again in a round. */
const AGAIN = 0.01;

/** Repeatable numbers of [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function follow(hostility: { readonly lost: number; readonly lies: number }) {
  const random = randomOf(7);
  const world = hostileWorld({ ...hostility, random });
  const store = fakeSubmissionStore();
  const signatures = Array.from({ length: COUNT }, (_, index) => `signature ${index}`);
  const first = new Map<string, Submission>();
  for (const signature of signatures) {
    world.bear(signature);
    const now = world.clock.now();
    const submission: Submission = {
      signature,
      transaction: Buffer.from(signature),
      feePayer: world.feePayer,
      account: null,
      reference: null,
      blockhash: 'h',
      lastValidBlockHeight: null,
      slotFloor: 0n,
      way: BY_NODES,
      status: 'received',
      version: 1,
      sends: 0,
      lastSentAt: null,
      slot: null,
      err: null,
      deaths: [],
      landings: [],
      receivedAt: now,
      changedAt: now,
    };
    first.set(signature, submission);
    expect(await store.insert(submission)).toBe(true);
  }
  // A process that dies between its look and its write loses both.
  const replace: typeof store.replace = async (next) => {
    if (random() < 0.05) throw new Error('killed');
    return store.replace(next);
  };
  const watch = createSubmissionWatch({
    ...world,
    submissions: { ...store, replace },
    log: { warn: () => undefined },
    owns: () => true,
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    await watch.round();
    world.clock.advance(1_000);
    // A caller whose answer was lost sends the same bytes again, also long after their end.
    let begun = 0;
    for (const submission of first.values())
      if (random() < AGAIN && (await store.insert(submission))) begun += 1;
    expect(begun).toBe(0);
  }
  return { world, store, signatures };
}

const HOSTILITIES = [
  ['two honest nodes', { lost: 0, lies: 0 }],
  ['lost answers and forks', { lost: 0.3, lies: 0 }],
  ['lost answers, forks and one node of two that lies half the time', { lost: 0.3, lies: 0.5 }],
  ['one node of two that always lies', { lost: 0.1, lies: 1 }],
] as const;

it.each(HOSTILITIES)('no final word is ever wrong: %s', async (_, hostility) => {
  const { world, store, signatures } = await follow(hostility);
  const ends = new Map<string, number>();
  for (const signature of signatures) {
    const written = store.history.get(signature) ?? [];
    const firstFinal = written.findIndex(isFinal);
    const last = written.at(-1);
    ends.set(last?.status ?? '', (ends.get(last?.status ?? '') ?? 0) + 1);
    if (firstFinal === -1) continue;
    // The first final word is the last one.
    expect([signature, firstFinal]).toEqual([signature, written.length - 1]);
    expect([signature, last?.status]).toEqual([signature, world.truthOf(signature)]);
    // No repeated call began it anew: each version follows the one before.
    expect(written.map(({ version }) => version)).toEqual(written.map((_row, index) => index + 1));
    expect(last?.transaction).toBeNull();
  }
  const count = (status: string): number => ends.get(status) ?? 0;
  if (hostility.lies > 0) return;
  // Without lies each comes to its end.
  expect([...ends.keys()].toSorted()).toEqual(['expired', 'failed', 'finalized']);
  expect(count('finalized') + count('failed') + count('expired')).toBe(COUNT);
});

it('a last height that is too low would be told as a wrong end: the rule needs it', () => {
  const look = { endpoints: 2, at: 1, finalizedHeight: 11n, finalizedSlot: 11n, statusSlot: 12n };
  const deaths = ['a', 'b'].map((endpoint) => ({ ...look, endpoint, firstAvailableBlock: 0n }));
  const submission: Submission = {
    signature: 's',
    transaction: new Uint8Array(),
    feePayer: hostileWorld({ lost: 0, lies: 0, random: () => 0 }).feePayer,
    account: null,
    reference: null,
    blockhash: 'h',
    lastValidBlockHeight: null,
    slotFloor: 0n,
    way: BY_NODES,
    status: 'sent',
    version: 1,
    sends: 1,
    lastSentAt: 0,
    slot: null,
    err: null,
    deaths,
    landings: [],
    receivedAt: 0,
    changedAt: 0,
  };
  expect(judged(submission, 2).status).toBe('sent');
  expect(judged({ ...submission, lastValidBlockHeight: 10n }, 2).status).toBe('expired');
});
