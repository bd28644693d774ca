import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { Attempt } from '../../../src/engine/intents/rules/intent.ts';
import { PACE } from '../../../src/engine/intents/rules/pace.ts';
import { encodeLandingLooks, LANDING_RULE } from '../../../src/engine/intents/rules/verdict.ts';
import type { Heard, StepResult } from '../../../src/engine/transactions/use/step-intent.ts';
import type { BeatNews } from '../../../src/engine/watch/store-port.ts';
import { ownerOf, shardOf } from '../../../src/engine/watch/use/shards.ts';
import { createWatch } from '../../../src/engine/watch/use/watch-attempts.ts';
import type { SignatureStatus } from '../../../src/platform/ports/chain.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { addPerson } from '../../support/simulator/people.ts';
import { buildAttempt, buildIntent } from '../intents/build.ts';

type Step = { readonly owner: string; readonly intentId: string; readonly heard: Heard | null };

let clock: ReturnType<typeof fakeClock>;
let db: Database;
let statuses: Map<string, SignatureStatus>;
let asked: number[];
let steps: Step[];
let height: bigint;
let isChainAway: boolean;
let suspicions: string[];
let warnings: string[];
let news: BeatNews[];

beforeEach(async () => {
  clock = fakeClock();
  db = fakeDatabase();
  statuses = new Map();
  asked = [];
  steps = [];
  height = 0n;
  isChainAway = false;
  suspicions = [];
  warnings = [];
  news = [];
  await addPerson(db, { index: 1, inviterId: null });
});

/** A watcher over the same database and chain as the others. `step` answers what a step finds. */
function watcher(owner: string, step: (id: string) => Promise<StepResult> = sentAgain) {
  const watch = createWatch({
    db,
    clock,
    owner,
    log: { warn: (_, sentence) => void warnings.push(sentence ?? '') },
    onNews: ({ isForgotten, haveOrders, haveSubmissions }) =>
      void news.push({ isForgotten, haveOrders, haveSubmissions }),
    outages: { suspect: (part) => void suspicions.push(part) },
    chain: {
      statuses: async (signatures) => {
        asked.push(signatures.length);
        if (isChainAway) throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'one', cause: 'gone' });
        return signatures.map((signature) => statuses.get(signature) ?? null);
      },
      latestBlockhash: async () => ({
        blockhash: 'b',
        lastValidBlockHeight: height + 150n,
        slot: height,
        livesMs: 60_000,
      }),
    },
    step: (intentId, heard) => {
      steps.push({ owner, intentId, heard });
      return step(intentId);
    },
  });
  return {
    ...watch,
    /** Rounds for so long, each when it is due. */
    async watchFor(ms: number): Promise<void> {
      for (const endsAt = clock.now() + ms; clock.now() < endsAt; ) {
        const waitMs = await watch.round();
        await settled();
        clock.advance(Math.min(waitMs, endsAt - clock.now()));
      }
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let serial = 0;
const made = new Map<string, Attempt>();

/** A step that finds nothing but that the bytes had to go out again. */
async function sentAgain(intentId: string): Promise<StepResult> {
  const attempt = made.get(intentId);
  return attempt === undefined ? { kind: 'done' } : again(attempt, { lastSentAt: clock.now() });
}

/** An intent whose attempt was sent just now. */
async function sent(patch: Partial<Attempt> = {}): Promise<Attempt> {
  serial += 1;
  const id = `intent-${serial}`;
  const intent = buildIntent({
    id,
    idemKey: id,
    userId: 'person-1',
    walletId: 'wallet-person-1',
    status: 'ACTIVE',
  });
  await db.intents.insert({ ...intent, receipt: id });
  const attempt = buildAttempt({
    id: `attempt-${serial}`,
    intentId: id,
    signature: `signature-${serial}`,
    status: 'SIGNED',
    sendCount: 1,
    signedAt: clock.now(),
    lastSentAt: clock.now(),
    ...patch,
  });
  await db.intents.insertAttempt(attempt);
  made.set(id, attempt);
  return attempt;
}

/** One whose shard is this watcher's while a and b watch; what was made on the way there has ended. */
async function sentOf(owner: string): Promise<Attempt> {
  for (;;) {
    const attempt = await sent();
    if (ownerOf(shardOf(attempt.intentId), ['a', 'b']) === owner) return attempt;
    await db.intents.update(attempt.intentId, { statuses: ['ACTIVE'] }, { status: 'SUCCEEDED' });
  }
}

/** Several processes side by side for so long. */
async function together(watches: readonly { round(): Promise<number> }[], ms: number): Promise<void> {
  for (const endsAt = clock.now() + ms; clock.now() < endsAt; clock.advance(50)) {
    for (const watch of watches) await watch.round();
    await settled();
  }
}

const status = (level: SignatureStatus['level']): SignatureStatus => ({ slot: 1n, level, err: null });
const again = (attempt: Attempt, patch: Partial<Attempt>): StepResult => ({
  kind: 'again',
  afterMs: 150,
  sent: { ...attempt, ...patch },
});

describe('the watcher', () => {
  it('wakes an intent when its status changes, with that status, and then only when it changes again', async () => {
    const attempt = await sent();
    const watch = watcher('a', async () =>
      statuses.get(attempt.signature)?.level === 'finalized'
        ? { kind: 'done' }
        : again(attempt, { status: 'CONFIRMED' }),
    );
    await watch.watchFor(1_000);
    expect(steps).toEqual([]);
    statuses.set(attempt.signature, status('confirmed'));
    await watch.watchFor(5_000);
    expect(steps).toEqual([
      {
        owner: 'a',
        intentId: attempt.intentId,
        heard: { signature: attempt.signature, status: status('confirmed') },
      },
    ]);
    statuses.set(attempt.signature, status('finalized'));
    await watch.watchFor(500);
    expect(steps.map(({ heard }) => heard?.status?.level)).toEqual(['confirmed', 'finalized']);
  });

  it('hears of a landing and looks at what is new though the clock was set back by an hour', async () => {
    const attempt = await sent();
    const watch = watcher('a');
    await watch.watchFor(1_000);
    clock.advance(-3_600_000);
    statuses.set(attempt.signature, status('confirmed'));
    const late = await sent();
    statuses.set(late.signature, status('confirmed'));
    await watch.watchFor(8_000);
    const heard = new Set(steps.map(({ intentId }) => intentId));
    expect(heard).toEqual(new Set([attempt.intentId, late.intentId]));
  });

  it('writes nothing and steps nothing while nothing changes', async () => {
    await sent({ status: 'CONFIRMED' });
    statuses.set(`signature-${serial}`, status('confirmed'));
    const calls: string[] = [];
    const plain = db;
    db = new Proxy(plain, {
      get: (target, name: keyof Database) =>
        name === 'watch'
          ? target.watch
          : new Proxy(Object(target[name]) as object, {
              get: (_, method) => calls.push(`${name}.${String(method)}`),
            }),
    });
    await watcher('a').watchFor(12_000);
    expect(asked.length).toBeGreaterThan(10);
    expect(calls).toEqual([]);
    expect(steps).toEqual([]);
  });

  it('wakes an intent when its bytes must go out again, and not before', async () => {
    const attempt = await sent();
    const watch = watcher('a', async () => again(attempt, { lastSentAt: clock.now() }));
    await watch.watchFor(PACE.rebroadcastMs - 200);
    expect(steps).toEqual([]);
    await watch.watchFor(400);
    expect(steps).toHaveLength(1);
    await watch.watchFor(PACE.rebroadcastMs + 200);
    expect(steps).toHaveLength(2);
  });

  it('wakes an unseen attempt for the death test once the chain has passed its last block', async () => {
    const attempt = await sent({ lastValidBlockHeight: 150n });
    // So that no resend is due: what wakes it can only be the height.
    const watch = watcher('a', async () => again(attempt, { lastSentAt: clock.now() + 3_600_000 }));
    await watch.watchFor(PACE.rebroadcastMs + 200);
    steps.length = 0;
    height = 150n;
    await watch.watchFor(20_000);
    expect(steps).toEqual([]);
    height = 151n;
    await watch.watchFor(1_100);
    expect(steps.length).toBeGreaterThan(0);
  });

  it('wakes one whose end only one endpoint has told when another look is due, and not before', async () => {
    const look = {
      endpoint: 'one',
      endpoints: 2,
      at: clock.now(),
      slot: 1n,
      err: null,
      priceMoved: false,
      effect: 'shown',
      sums: null,
    } as const;
    const proof = (at: number): Partial<Attempt> => ({
      status: 'CONFIRMED',
      landingProof: encodeLandingLooks([{ ...look, at }]),
    });
    const attempt = await sent(proof(clock.now()));
    statuses.set(attempt.signature, status('finalized'));
    const watch = watcher('a', async () => again(attempt, proof(clock.now())));
    await watch.watchFor(LANDING_RULE.secondLookAfterMs - 100);
    expect(steps).toEqual([]);
    await watch.watchFor(600);
    expect(steps).toHaveLength(1);
    await watch.watchFor(LANDING_RULE.secondLookAfterMs + 600);
    expect(steps).toHaveLength(2);
  });

  it('has an outage told by whoever tells of outages, with no line of its own for each look', async () => {
    await sent();
    const watch = watcher('a');
    await watch.round();
    isChainAway = true;
    await watch.watchFor(5_000);
    expect(suspicions.length).toBeGreaterThan(2);
    expect(new Set(suspicions)).toEqual(new Set(['chain']));
    expect(warnings).toEqual([]);
  });

  it('asks about 300 attempts in two questions', async () => {
    for (let n = 0; n < 300; n += 1) await sent();
    const watch = watcher('a');
    await watch.round();
    expect(asked).toEqual([256, 44]);
  });

  it('asks about what was sent here before the database was read again, and leaves alone what has ended', async () => {
    const watch = watcher('a');
    await watch.round();
    const attempt = await sent();
    watch.follow(attempt.intentId, again(attempt, {}));
    clock.advance(150);
    await watch.round();
    expect(asked).toEqual([1]);
    await db.intents.update(attempt.intentId, { statuses: ['ACTIVE'] }, { status: 'SUCCEEDED' });
    await watch.watchFor(6_000);
    expect(watch.size()).toBe(0);
  });

  it('at rest it beats each four seconds, and within two and a half as soon as it watches something or is not alone', async () => {
    const beats = async (ms: number): Promise<number> => {
      news = [];
      await a.watchFor(ms);
      return news.length;
    };
    const a = watcher('a');
    expect(await beats(20_000)).toBe(5);
    await sent();
    // What was sent elsewhere is read with the next beat; from there on it is watched.
    await beats(4_000);
    expect(await beats(10_000)).toBe(4);
  });

  it('says with each beat whether something is due that nobody is at work on', async () => {
    const a = watcher('a');
    await a.round();
    expect(news).toEqual([{ isForgotten: false, haveOrders: false, haveSubmissions: false }]);
    const intent = buildIntent({
      id: 'lost',
      idemKey: 'lost',
      userId: 'person-1',
      walletId: 'wallet-person-1',
      status: 'CREATED',
    });
    await db.intents.insert({ ...intent, receipt: 'lost' });
    await a.watchFor(4_100);
    expect(news.at(-1)).toEqual({ isForgotten: true, haveOrders: false, haveSubmissions: false });
  });

  it('keeps watching through an outage of the chain and of the database', async () => {
    const attempt = await sent();
    const watch = watcher('a');
    await watch.round();
    const { watch: store } = db;
    db.watch.beat = () => Promise.reject(new Error('gone'));
    await watch.watchFor(4_000);
    statuses.set(attempt.signature, status('confirmed'));
    await watch.watchFor(500);
    expect(steps.at(-1)?.heard?.status).toEqual(status('confirmed'));
    expect(store).toBe(db.watch);
  });

  it('steps again what a step could not finish, without asking first', async () => {
    const attempt = await sent();
    statuses.set(attempt.signature, status('confirmed'));
    let tries = 0;
    const watch = watcher('a', async () => {
      tries += 1;
      if (tries === 1) throw new Error('the database went away');
      if (tries === 2) return { kind: 'again', afterMs: 700 };
      await db.intents.update(attempt.intentId, { statuses: ['ACTIVE'] }, { status: 'SUCCEEDED' });
      return { kind: 'done' };
    });
    await watch.watchFor(3_000);
    expect(tries).toBe(3);
    expect(steps[2]?.heard).toBeNull();
  });
});

describe('several watchers', () => {
  it('share the work: each attempt has one of them, and none has nobody', async () => {
    for (let n = 0; n < 100; n += 1) await sent();
    const [a, b] = [watcher('a'), watcher('b')];
    await together([a, b], 6_000);
    expect(a.size() + b.size()).toBe(100);
    expect(Math.min(a.size(), b.size())).toBeGreaterThan(20);
  });

  it('take over what a dead one watched within its time to live and one beat', async () => {
    const [a, b] = [watcher('a'), watcher('b')];
    await b.round();
    await a.round();
    const mine = await sentOf('a');
    await together([a, b], 3_000);
    expect([a.size(), b.size()]).toEqual([1, 0]);
    // From here on a says nothing any more.
    statuses.set(mine.signature, status('confirmed'));
    steps.length = 0;
    await b.watchFor(7_000);
    expect(steps.some(({ owner, intentId }) => owner === 'b' && intentId === mine.intentId)).toBe(true);
  });

  it('need not wait for the end of one that says good-bye', async () => {
    const [a, b] = [watcher('a'), watcher('b')];
    await a.round();
    await b.watchFor(2_600);
    expect(b.isFirst()).toBe(false);
    await a.stop();
    await b.watchFor(2_600);
    expect(b.isFirst()).toBe(true);
  });

  it('hand over what one of them sent and another one owns, without a moment in which nobody watches', async () => {
    const [a, b] = [watcher('a'), watcher('b')];
    await together([a, b], 2_600);
    const foreign = await sentOf('b');
    a.follow(foreign.intentId, again(foreign, {}));
    const watched: boolean[] = [];
    for (let n = 0; n < 100; n += 1) {
      await together([a, b], 100);
      watched.push(a.size() + b.size() > 0);
    }
    expect(watched).not.toContain(false);
    expect([a.size(), b.size()]).toEqual([0, 1]);
  });
});

describe('shards', () => {
  it('move only from the one who went', () => {
    const ids = Array.from({ length: 500 }, (_, n) => `01J${n}`);
    const before = ids.map((id) => ownerOf(shardOf(id), ['a', 'b', 'c']));
    const after = ids.map((id) => ownerOf(shardOf(id), ['c', 'a']));
    ids.forEach((_, n) => {
      if (before[n] !== 'b') expect(after[n]).toBe(before[n]);
    });
    expect(new Set(before).size).toBe(3);
    expect(ownerOf(1, [])).toBeNull();
  });
});
