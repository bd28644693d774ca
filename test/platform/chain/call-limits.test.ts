import { describe, expect, it } from 'vitest';
import { CallerGoneError, forAll, whileWaited } from '../../../src/platform/caller-limit.ts';
import { createCallTurns } from '../../../src/platform/chain/call-turns.ts';
import type { CallRank } from '../../../src/platform/ports/call-rank.ts';
import { seededRandom } from '../../support/simulator/random.ts';

const MINUTE = 60_000;
const STEP_MS = 10;
/** A refusal costs a node less than an answer, and overtakes those before it. */
const REFUSED_AFTER_MS = 10;
const SERVED_AFTER_MS = 60;
const METHODS = [
  'getSlot',
  'getAccountInfo',
  'getMultipleAccounts',
  'getSignatureStatuses',
  'getTransaction',
];

type Refuses = (call: { readonly at: number; readonly method: string; readonly seen: Seen }) => boolean;
type Seen = readonly { readonly at: number; readonly method: string }[];
type Done = {
  readonly rank: CallRank;
  readonly askedAt: number;
  readonly grantedAt: number;
  readonly isServed: boolean;
};

/** Windows of ten seconds that slide, as the public nodes have. */
const windows =
  (all: number, each: number): Refuses =>
  ({ method, seen }) =>
    seen.length >= all || seen.filter((one) => one.method === method).length >= each;

const byChance = (seed: number, chance: number): Refuses => {
  const random = seededRandom(seed);
  return () => random.chance(chance);
};

/** A node, the turns of its calls, and a clock that moves by hand. */
function world(refuses: Refuses) {
  let at = 1_000_000;
  let due: { readonly at: number; readonly work: () => void }[] = [];
  let seen: { readonly at: number; readonly method: string }[] = [];
  const later = (work: () => void, ms: number): void => void due.push({ at: at + ms, work });
  const turns = createCallTurns(() => at, later);
  const done: Done[] = [];
  const failed: unknown[] = [];
  const ask = async (rank: CallRank, method: string): Promise<void> => {
    const askedAt = at;
    const turn = await turns.take(rank, method);
    const grantedAt = at;
    seen = seen.filter((one) => one.at > at - 10_000);
    const isServed = !refuses({ at, method, seen });
    if (isServed) seen.push({ at, method });
    await new Promise<void>((go) => later(go, isServed ? SERVED_AFTER_MS : REFUSED_AFTER_MS));
    done.push({ rank, askedAt, grantedAt, isServed });
    if (isServed) turn.answered();
    else turn.refused();
  };
  const begin = (rank: CallRank, method: string): void =>
    void ask(rank, method).catch((error: unknown) => failed.push(error));
  const pass = async (ms: number, each: () => void = () => undefined): Promise<void> => {
    for (const until = at + ms; at < until; ) {
      at += STEP_MS;
      const now = due.filter((one) => one.at <= at);
      due = due.filter((one) => one.at > at);
      for (const one of now) one.work();
      each();
      for (let n = 0; n < 6; n += 1) await Promise.resolve();
    }
  };
  let asked = 0;
  /** So many calls a second, evenly, of all methods in turn. */
  const steady = (perSecond: number, ms: number, rank: CallRank = 'person', methods = METHODS) => {
    let owed = 0;
    return pass(ms, () => {
      for (owed += (perSecond * STEP_MS) / 1_000; owed >= 1; owed -= 1) {
        begin(rank, methods[asked % methods.length] ?? '');
        asked += 1;
      }
    });
  };
  return {
    turns,
    ask,
    begin,
    pass,
    steady,
    done,
    failed,
    now: () => at,
    /** Each call that had a turn at once is one with a wait of 0. */
    waits: (rank: CallRank, from: number) =>
      done
        .filter((one) => one.rank === rank && one.askedAt >= from)
        .map((one) => one.grantedAt - one.askedAt),
    refused: (from = 0) => done.filter((one) => !one.isServed && one.grantedAt >= from).length,
    served: (from = 0) => done.filter((one) => one.isServed && one.grantedAt >= from).length,
    granted: (from: number, to: number) =>
      done.filter((one) => one.grantedAt > from && one.grantedAt <= to).length,
  };
}

/** As a crowd that always has so many calls more. */
function crowd(one: ReturnType<typeof world>, rank: CallRank, places: number): void {
  for (let place = 0; place < places; place += 1) {
    const method = METHODS[place % METHODS.length] ?? '';
    const again = (): void => void one.ask(rank, method).finally(again);
    again();
  }
}

const longest = (waits: readonly number[]): number => Math.max(0, ...waits);

/** The least that a second's calls could be, in ten seconds, by the known limits. */
const leastLimit = ({ turns }: ReturnType<typeof world>): number =>
  Math.min(
    turns.limit() ?? Number.POSITIVE_INFINITY,
    ...METHODS.map((method) => (turns.limit(method) ?? Number.POSITIVE_INFINITY) * METHODS.length),
  );

describe('a node that refuses a call of a hundred by chance', () => {
  it.each([1, 5, 30])(
    'leaves %s calls a second their turns',
    async (perSecond) => {
      for (const seed of [1, 2, 3]) {
        const one = world(byChance(seed, 0.01));
        let least = Number.POSITIVE_INFINITY;
        for (let part = 0; part < 20; part += 1) {
          await one.steady(perSecond, MINUTE);
          least = Math.min(least, leastLimit(one));
        }
        expect(one.refused()).toBeGreaterThan(perSecond * 5);
        expect([one.failed, longest(one.waits('person', 0))]).toEqual([[], 0]);
        expect(least).toBeGreaterThanOrEqual(perSecond * 10);
      }
    },
    MINUTE,
  );

  it.each([5, 30])(
    'leaves half of %s calls a second in any case where it refuses one of twenty',
    async (perSecond) => {
      const one = world(byChance(4, 0.05));
      let least = Number.POSITIVE_INFINITY;
      for (let part = 0; part < 60; part += 1) {
        await one.steady(perSecond, MINUTE / 6);
        least = Math.min(least, leastLimit(one));
      }
      expect(one.refused()).toBeGreaterThan(perSecond * 15);
      expect(least).toBeGreaterThan(perSecond * 5);
    },
    60_000,
  );
});

describe('a node with windows of 100 calls, and 40 of a method', () => {
  it('is met with few refusals, and asked nearly as much as it serves', async () => {
    const one = world(windows(100, 40));
    await one.steady(20, 10 * MINUTE, 'order');
    expect(one.served()).toBeGreaterThan(60 * 80);
    expect(one.refused()).toBeLessThan(one.served() * 0.015);
    expect(one.turns.limit()).toBeLessThan(125);
  }, 60_000);

  it('has the limit of the one method learnt, and the others left alone', async () => {
    const one = world(windows(100, 40));
    await one.steady(8, 10 * MINUTE, 'order', ['getTransaction']);
    expect(one.served()).toBeGreaterThan(60 * 30);
    expect(one.refused()).toBeLessThan(one.served() * 0.03);
    expect([one.turns.limit('getTransaction'), one.turns.limit()]).toEqual([expect.any(Number), null]);
  }, 60_000);

  it('has its limit learnt from a burst whose refusals come before its answers', async () => {
    const one = world(windows(100, 100));
    for (let n = 0; n < 150; n += 1) one.begin('person', METHODS[n % METHODS.length] ?? '');
    await one.pass(1_000);
    expect([one.refused(), one.served(), one.turns.limit()]).toEqual([50, 100, 90]);
  });

  it('shuts no window for people, whatever the other ranks want', async () => {
    const one = world(windows(100, 100));
    await one.steady(30, 10_000, 'upkeep');
    for (const rank of ['order', 'tape', 'upkeep'] as const) crowd(one, rank, 60);
    await one.pass(30_000);
    const from = one.now();
    await one.steady(2, 10 * MINUTE);
    const waits = one.waits('person', from);
    expect(one.failed.length).toBeLessThan(waits.length * 0.01);
    expect(waits.filter((ms) => ms > 1_000).length).toBeLessThan(waits.length * 0.05);
    expect(one.served(from)).toBeGreaterThan(60 * 75);
  }, 60_000);
});

describe('a node that refuses everything for half a minute', () => {
  it.each([
    [5, 0],
    [30, 0],
    [5, MINUTE],
    [30, MINUTE],
  ])(
    'is asked once a second, and %s calls a second have their turns two seconds behind it (known for %s ms)',
    async (perSecond, knownMs) => {
      const [from, until] = [1_000_000 + knownMs, 1_030_000 + knownMs];
      const one = world(({ at }) => at > from && at <= until);
      await one.steady(perSecond, knownMs + 30_000);
      expect(one.granted(from, until)).toBeLessThan(50);
      await one.steady(perSecond, 2_000);
      const back = one.now();
      await one.steady(perSecond, MINUTE);
      expect(longest(one.waits('person', back))).toBeLessThanOrEqual(200);
      expect(one.granted(back, one.now())).toBeGreaterThan(perSecond * 59);
    },
    MINUTE,
  );
});

describe('a call whose caller has gone', () => {
  const limited = async () => {
    const one = world(windows(20, 20));
    for (let n = 0; n < 30; n += 1) one.begin('order', 'getSlot');
    await one.pass(1_000);
    expect(one.turns.limit('getSlot')).toBe(18);
    return one;
  };

  it('takes no turn, and those behind it move up', async () => {
    const one = await limited();
    const caller = new AbortController();
    whileWaited(caller.signal, () => {
      for (let n = 0; n < 200; n += 1) one.begin('order', 'getSlot');
    });
    const before = one.done.length;
    one.begin('order', 'getSlot');
    caller.abort();
    await one.pass(12_000);
    expect(one.failed).toEqual(Array.from({ length: 200 }, () => new CallerGoneError()));
    expect(one.done.length).toBe(before + 1);
  });

  it('is not begun where it comes after the end', async () => {
    const one = world(windows(20, 20));
    const work = () => one.turns.take('person', 'getSlot');
    await expect(whileWaited(AbortSignal.abort(), work)).rejects.toBeInstanceOf(CallerGoneError);
    await expect(whileWaited(AbortSignal.abort(), () => forAll(work))).resolves.toBeDefined();
  });
});
