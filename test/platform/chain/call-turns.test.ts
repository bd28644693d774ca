import { beforeEach, describe, expect, it } from 'vitest';
import { type CallTurns, createCallTurns, ranked, rankNow } from '../../../src/platform/chain/call-turns.ts';
import { HttpStatusError } from '../../../src/platform/http-post.ts';
import type { CallRank } from '../../../src/platform/ports/call-rank.ts';

/** A node that serves so many calls in any ten seconds, in all and of each method, and a clock that moves by hand. */
function node(all: number, each = all) {
  let at = 1_000_000;
  const due: { readonly at: number; readonly work: () => void }[] = [];
  const turns = createCallTurns(
    () => at,
    (work, ms) => due.push({ at: at + ms, work }),
  );
  const served: { readonly at: number; readonly rank: CallRank; readonly method: string }[] = [];
  let refusals = 0;
  const ask = async (rank: CallRank, method = 'getSlot'): Promise<void> => {
    const turn = await turns.take(rank, method);
    const recent = served.filter((one) => one.at > at - 10_000);
    if (recent.length >= all || recent.filter((one) => one.method === method).length >= each) {
      refusals += 1;
      turn.refused();
      return;
    }
    turn.answered();
    served.push({ at, rank, method });
  };
  const pass = async (ms: number): Promise<void> => {
    const until = at + ms;
    while (at < until) {
      at = Math.min(until, at + 50);
      for (const one of due.filter((entry) => entry.at <= at)) {
        due.splice(due.indexOf(one), 1);
        one.work();
      }
      for (let n = 0; n < 4; n += 1) await Promise.resolve();
    }
  };
  return {
    turns,
    ask,
    pass,
    served: (rank?: CallRank) => served.filter((one) => rank === undefined || one.rank === rank).length,
    refusals: () => refusals,
    times: (rank: CallRank) => served.filter((one) => one.rank === rank).map((one) => one.at),
    since: (from: number, rank: CallRank) => served.slice(from).filter((one) => one.rank === rank).length,
  };
}

/** Begins work of a rank that always has `waiting` more calls to make. */
function crowd(one: ReturnType<typeof node>, rank: CallRank, places: number, method?: string): void {
  const again = (): void => {
    void one
      .ask(rank, method)
      .catch(() => undefined)
      .then(() => queueMicrotask(again));
  };
  for (let n = 0; n < places; n += 1) again();
}

describe('the turns of the calls to one node', () => {
  let one: ReturnType<typeof node>;
  const limited = async (turns: CallTurns): Promise<void> => {
    for (let n = 0; n < 103; n += 1) await one.ask('upkeep', `m${n % 10}`);
    expect(turns.limit()).toBe(90);
    await one.pass(11_000);
  };
  beforeEach(() => {
    one = node(100);
  });

  it('hold no call back while the node refuses none', async () => {
    for (let n = 0; n < 100; n += 1) await one.ask('upkeep');
    expect([one.served(), one.turns.limit()]).toEqual([100, null]);
  });

  it('learn the limit from three refusals in a row: nine tenths of what was served', async () => {
    for (let n = 0; n < 102; n += 1) await one.ask('upkeep', `m${n % 10}`);
    expect([one.refusals(), one.turns.limit()]).toEqual([2, null]);
    await one.ask('upkeep', 'm2');
    expect([one.refusals(), one.turns.limit()]).toEqual([3, 90]);
  });

  it('take the method for the limited one where most calls are of it, and leave the others alone', async () => {
    one = node(1_000, 40);
    for (let n = 0; n < 43; n += 1) await one.ask('person', 'getSignatureStatuses');
    expect([one.turns.limit('getSignatureStatuses'), one.turns.limit()]).toEqual([36, null]);
    await one.ask('upkeep', 'getSlot');
    expect(one.served('upkeep')).toBe(1);
  });

  it('let a person go at once where upkeep that always wants more has filled its half', async () => {
    await limited(one.turns);
    crowd(one, 'upkeep', 50, 'a');
    await one.pass(5_000);
    expect(one.since(100, 'upkeep')).toBe(48);
    for (let n = 0; n < 40; n += 1) void one.ask('person', 'b');
    await one.pass(100);
    expect([one.served('person'), one.refusals()]).toEqual([40, 3]);
  });

  it('give the tape its part where people ask all the time, and upkeep a little', async () => {
    await limited(one.turns);
    const from = one.served();
    crowd(one, 'person', 300, 'a');
    crowd(one, 'tape', 30, 'b');
    crowd(one, 'upkeep', 30, 'c');
    await one.pass(60_000);
    expect(one.since(from, 'tape')).toBeGreaterThan(60);
    expect(one.since(from, 'upkeep')).toBeGreaterThan(18);
    expect(one.since(from, 'person')).toBeGreaterThan(300);
  });

  it('spread the part of orders over the window: a look comes soon behind every burst of people', async () => {
    one = node(1_000, 40);
    for (let n = 0; n < 43; n += 1) await one.ask('person', 'a');
    await one.pass(11_000);
    let isLooking = false;
    const pauses: number[] = [];
    for (let tick = 0; tick < 1_500; tick += 1) {
      // A look of two calls, 400 ms behind the one before; people trade in bursts, and the tape reads what they did.
      if (!isLooking && tick % 8 === 0) {
        isLooking = true;
        void one
          .ask('order', 'a')
          .then(() => one.ask('order', 'a'))
          .then(() => (isLooking = false));
      }
      if (tick % 100 === 50) {
        for (let n = 0; n < 40; n += 1) void one.ask('person', 'a').catch(() => undefined);
        for (let n = 0; n < 20; n += 1) void one.ask('tape', 'a');
      }
      await one.pass(50);
    }
    const looks = one.times('order');
    for (const [index, at] of looks.slice(1).entries()) pauses.push(at - (looks[index] ?? 0));
    // Ten seconds without a look break the time for which a stop must hold.
    expect(Math.max(...pauses)).toBeLessThan(7_000);
    expect(one.served('person')).toBeGreaterThan(150);
    expect(one.served('tape')).toBeGreaterThan(20);
  });

  it('meet a refusal only now and then: the limit is tried a little higher each window', async () => {
    await limited(one.turns);
    for (const rank of ['person', 'order', 'tape', 'upkeep'] as const) crowd(one, rank, 40, `of ${rank}`);
    await one.pass(120_000);
    expect(one.refusals()).toBeLessThan(60);
    expect(one.served()).toBeGreaterThan(900);
  });

  it('end a person’s wait after six seconds, as the node would, and leave the node alone', async () => {
    one = node(20);
    for (let n = 0; n < 23; n += 1) await one.ask('person');
    const asked = one.refusals();
    const heard: unknown[] = [];
    void one.ask('person').catch((error: unknown) => heard.push(error));
    await one.pass(5_000);
    expect(heard).toEqual([]);
    await one.pass(1_500);
    expect([heard, one.refusals()]).toEqual([[new HttpStatusError(429, null)], asked]);
  });
});

describe('the rank of work', () => {
  it('is a person’s by itself, and goes with what the work begins', async () => {
    expect(rankNow()).toBe('person');
    const inner = await ranked('tape', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return ranked('person', rankNow) + rankNow();
    });
    expect(inner).toBe('persontape');
  });
});
