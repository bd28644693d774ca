import { expect, it } from 'vitest';
import type { Pause } from '../../../src/engine/switches/rules.ts';
import { pausableAggregators, pausableVenues } from '../../../src/engine/switches/use/pausable.ts';
import { createSwitchBoard } from '../../../src/engine/switches/use/switch-board.ts';
import type { Aggregator } from '../../../src/platform/ports/aggregator.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';

const pause = (what: Pause['what'], until: number | null = null): Pause => ({
  what,
  reason: 'why',
  since: 0,
  until,
});

function setUp() {
  let now = 1_000;
  let reads = 0;
  let answer: () => Promise<readonly Pause[]> = async () => [];
  const problems: unknown[] = [];
  const board = createSwitchBoard({
    flags: {
      pauses: () => {
        reads += 1;
        return answer();
      },
    },
    clock: { now: () => now },
    log: { warn: (problem) => void problems.push(problem) },
  });
  return {
    board,
    problems,
    reads: () => reads,
    set: (...pauses: Pause[]) => {
      answer = async () => pauses;
    },
    fail: () => {
      answer = async () => Promise.reject(new Error('away'));
    },
    advance: (ms: number) => {
      now += ms;
    },
  };
}

it('knows of a pause within a second, and asks once for everybody who asks meanwhile', async () => {
  const rig = setUp();
  await Promise.all(Array.from({ length: 50 }, () => rig.board.pauseOf('api')));
  expect(rig.reads()).toBe(1);
  rig.set(pause('api'));
  rig.advance(499);
  expect(await rig.board.pauseOf('api')).toBeNull();
  rig.advance(1);
  expect(await rig.board.pauseOf('api')).toEqual(pause('api'));
  expect(await rig.board.pauseOf('games')).toBeNull();
  expect(await rig.board.pauses()).toEqual([pause('api')]);
  expect(rig.reads()).toBe(2);
});

it('ends a pause when the database does, whatever its own clock shows, and obeys one that was set back', async () => {
  const rig = setUp();
  rig.set(pause('api', 1_200));
  expect(await rig.board.pauseOf('api')).not.toBeNull();
  rig.advance(3_600_000);
  expect(await rig.board.pauseOf('api')).not.toBeNull();
  rig.set();
  rig.advance(500);
  expect(await rig.board.pauseOf('api')).toBeNull();
  rig.set(pause('api'));
  rig.advance(-900);
  expect(await rig.board.pauseOf('api')).not.toBeNull();
});

it('lets what was last known stand while the database is away, and says so', async () => {
  const rig = setUp();
  rig.set(pause('api'));
  await rig.board.pauseOf('api');
  rig.fail();
  rig.advance(600);
  expect(await rig.board.pauseOf('api')).toEqual(pause('api'));
  expect(rig.problems).toHaveLength(1);
});

it('takes a paused venue out of quotes, routes and lists, and a paused aggregator out of the contest', async () => {
  const rig = setUp();
  const venue = (name: string) =>
    ({
      name,
      pools: async () => [`${name} pool`],
      counterparts: async () => [`${name} mint`],
      featured: async () => [`${name} token`],
    }) as unknown as Venue;
  const mint = 'So11111111111111111111111111111111111111112' as never;
  const look = async () => {
    const venues = pausableVenues([venue('desk'), venue('orca-whirlpool')], rig.board);
    return Promise.all([
      ...venues.map((one) => one.pools(mint, mint)),
      ...venues.map((one) => one.counterparts(mint)),
      ...venues.map((one) => one.featured?.()),
    ]);
  };
  expect((await look()).flat()).toHaveLength(6);
  rig.set(pause('venue:desk'), pause('aggregator:jupiter'));
  rig.advance(500);
  expect((await look()).flat()).toEqual([
    'orca-whirlpool pool',
    'orca-whirlpool mint',
    'orca-whirlpool token',
  ]);
  const aggregator = (name: string) =>
    ({ name, quote: async () => ({ amountOut: 1n }) }) as unknown as Aggregator;
  const quotes = pausableAggregators([aggregator('jupiter'), aggregator('okx')], rig.board).map((one) =>
    one.quote({} as never),
  );
  expect(await Promise.all(quotes)).toEqual([null, { amountOut: 1n }]);
});
