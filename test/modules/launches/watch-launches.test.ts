import type { Address } from '@tradepost/solana';
import type { CreatedLaunch, CurveLook, LaunchEvent, PadFeed } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { SeenLaunch } from '../../../src/modules/launches/rules/stage.ts';
import { createLaunchWatch } from '../../../src/modules/launches/use/watch-launches.ts';
import { newAddress } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

/** A pad in memory: events by slot, and curves as they are now. */
function padWorld(pad = 'pad') {
  const events: (LaunchEvent & { readonly slot: bigint })[] = [];
  const curves = new Map<Address, CurveLook>();
  const asked = { ranges: [] as { after: bigint; upTo: bigint }[], looks: 0 };
  const feed: PadFeed = {
    pad,
    label: pad,
    events: async (range) => {
      asked.ranges.push(range);
      return events.filter(({ slot }) => slot > range.after && slot <= range.upTo);
    },
    states: async (wanted) => {
      asked.looks += 1;
      const looks = wanted.map(({ curve, pool }): CurveLook => {
        const look = curves.get(curve) ?? 'absent';
        return typeof look === 'object' && look.complete && pool !== null
          ? { ...look, moved: { pool } }
          : look;
      });
      return { slot: slots.confirmed, looks };
    },
  };
  const slots = { confirmed: 100n, finalized: 90n };
  const create = (slot: bigint): CreatedLaunch => {
    const [mint, curve, creator] = [newAddress(), newAddress(), newAddress()];
    const event: CreatedLaunch = {
      kind: 'created',
      mint,
      curve,
      config: null,
      creator,
      signature: `of ${mint}`,
      slot,
      at: 1_790_000_000_000,
    };
    events.push(event);
    curves.set(curve, { soldBps: 0, complete: false, moved: null });
    return event;
  };
  return { feed, events, curves, asked, slots, create };
}

function watchOf(
  world: ReturnType<typeof padWorld>,
  more: {
    readonly pads?: readonly PadFeed[];
    readonly isFirst?: () => boolean;
    readonly looksPerSecond?: number;
  } = {},
) {
  const [db, clock] = [fakeDatabase(), fakeClock()];
  const stages: string[] = [];
  const warned: unknown[] = [];
  const watch = () =>
    createLaunchWatch({
      db,
      clock,
      feed: {
        pads: more.pads ?? [world.feed],
        horizon: async (level) => world.slots[level],
      },
      looksPerSecond: more.looksPerSecond ?? null,
      isFirst: more.isFirst ?? (() => true),
      news: async (before: SeenLaunch | null, after: SeenLaunch) => async () => {
        const from = before === null ? '' : `${before.stage} `;
        stages.push(`${from}${after.stage}${after.takenBack ? ' gone' : ''}`);
      },
      onChange: async () => undefined,
      log: { warn: (fields) => warned.push(fields) },
    });
  const running = watch();
  return {
    db,
    clock,
    stages,
    warned,
    again: watch,
    round: async (ahead = 1n) => {
      await running.round();
      clock.advance(1_000);
      world.slots.confirmed += ahead;
      world.slots.finalized += ahead;
    },
  };
}

describe('the watch of launches', () => {
  it('writes a creation down once, however often its slot is read, and by a second process too', async () => {
    const world = padWorld();
    const { db, round, stages, again } = watchOf(world);
    await round();
    const { mint } = world.create(101n);
    await round();
    await round();
    await again().round();
    expect(await db.seenLaunches.find(mint)).toMatchObject({
      mint,
      pad: 'pad',
      stage: 'new',
      createdSlot: 101n,
    });
    expect(stages.filter((stage) => stage === 'new')).toHaveLength(1);
    // Slots that are not final are read again, the others are not.
    expect(world.asked.ranges[0]).toEqual({ after: 90n, upTo: 100n });
    expect(world.asked.ranges.at(-1)?.after).toBe(92n);
  });

  it('follows a curve to its end, and its pad’s event to the pool', async () => {
    const world = padWorld();
    const { db, round, stages } = watchOf(world);
    const { mint, curve } = world.create(95n);
    await round();
    world.curves.set(curve, { soldBps: 8_200, complete: false, moved: null });
    await round();
    expect(await db.seenLaunches.find(mint)).toMatchObject({ stage: 'near', soldBps: 8_200 });
    world.curves.set(curve, { soldBps: 10_000, complete: true, moved: null });
    await round();
    expect(await db.seenLaunches.find(mint)).toMatchObject({ stage: 'complete' });
    const pool = newAddress();
    world.events.push({ kind: 'graduated', curve, pool, slot: 103n });
    await round();
    await round(20n);
    await round();
    expect(await db.seenLaunches.find(mint)).toMatchObject({ stage: 'graduated', pool });
    const rises = stages.filter((stage) => new Set(stage.split(' ')).size > 1 || stage === 'new');
    expect(rises).toEqual(['new', 'new near', 'near complete', 'complete graduated']);
  });

  it('takes back what a fork had, and takes it up again from another slot', async () => {
    const world = padWorld();
    const { db, round, stages } = watchOf(world);
    await round();
    const made = world.create(101n);
    await round(0n);
    world.curves.delete(made.curve);
    world.events.length = 0;
    await round();
    expect(await db.seenLaunches.find(made.mint)).toMatchObject({ takenBack: true });
    expect(await db.seenLaunches.list('new', 0, 10)).toEqual([]);
    world.events.push({ ...made, slot: 102n, signature: 'another' });
    world.curves.set(made.curve, { soldBps: 0, complete: false, moved: null });
    await round();
    expect(await db.seenLaunches.find(made.mint)).toMatchObject({
      takenBack: false,
      createdSlot: 102n,
      signature: 'another',
    });
    expect(stages).toEqual(expect.arrayContaining(['new', 'new new gone', 'new new']));
  });

  it('reads nothing where another process does, and goes on where one pad does not answer', async () => {
    const world = padWorld();
    const idle = watchOf(world, { isFirst: () => false });
    await idle.round();
    expect(world.asked.ranges).toEqual([]);
    const away: PadFeed = {
      pad: 'away',
      label: 'away',
      events: async () => {
        throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'x', cause: 'y' });
      },
      states: async () => {
        throw new Error('a bug');
      },
    };
    const { mint } = world.create(95n);
    const both = watchOf(world, { pads: [away, world.feed] });
    await both.round();
    expect(await both.db.seenLaunches.find(mint)).not.toBeNull();
    expect(both.warned).toEqual([]);
  });

  it('asks no more often about curves than its budget allows, the hottest first', async () => {
    const world = padWorld();
    const { round, db } = watchOf(world, { looksPerSecond: 1 });
    const made = Array.from({ length: 130 }, () => world.create(95n));
    await round();
    // Two questions of forty curves in two seconds.
    expect(world.asked.looks).toBe(2);
    const looked = await Promise.all(made.map(({ mint }) => db.seenLaunches.find(mint)));
    expect(looked.filter((one) => (one?.lookedAt ?? 0) > 0)).toHaveLength(80);
    await round();
    const later = await Promise.all(made.map(({ mint }) => db.seenLaunches.find(mint)));
    expect(later.filter((one) => (one?.lookedAt ?? 0) > 0)).toHaveLength(130);
  });

  it('does not read a long silence after: old creations are no news', async () => {
    const world = padWorld();
    const { round } = watchOf(world);
    await round();
    world.slots.confirmed = 1_000_000n;
    world.slots.finalized = 1_000_000n;
    await round();
    expect(world.asked.ranges.at(-1)).toEqual({ after: 995_000n, upTo: 1_000_000n });
  });
});

/**
 * A chain on a virtual clock: a slot takes 400 ms, and each question to a node its own time. The time passes as the watch asks and rests, so
 * the measure is slots, on any machine.
 */
function slowWorld({ curves, lookMs, newsMs }: Record<'curves' | 'lookMs' | 'newsMs', number>) {
  const SLOT_MS = 400;
  const FIRST = 1_000n;
  const world = padWorld();
  let ms = 0;
  const slotNow = (): bigint => FIRST + BigInt(Math.floor(ms / SLOT_MS));
  const takes = async (cost: number): Promise<void> => {
    const until = ms + cost;
    // Others who ask meanwhile ask at the same time.
    await Promise.resolve();
    if (until > ms) clock.advance(until - ms);
    ms = Math.max(ms, until);
  };
  const db = fakeDatabase();
  const clock = fakeClock();
  const late = new Map<Address, number>();
  const due = new Map<Address, bigint>();
  const note = async (): Promise<void> => {
    for (const [mint, slot] of due)
      if (!late.has(mint) && (await db.seenLaunches.find(mint)) !== null)
        late.set(mint, Number(slotNow() - slot));
  };
  const pad: PadFeed = {
    ...world.feed,
    events: async (range, isKnown) => {
      await takes(5);
      return world.feed.events(range, isKnown);
    },
    states: async (wanted) => {
      await note();
      await takes(lookMs);
      // Each curve trades between two looks, so that none is looked at less often.
      for (const { curve } of wanted)
        world.curves.set(curve, { soldBps: Math.floor(ms / 10) % 5_000, complete: false, moved: null });
      return world.feed.states(wanted);
    },
  };
  const watch = createLaunchWatch({
    db,
    clock,
    feed: {
      pads: [pad],
      horizon: async (level) => {
        await note();
        await takes(5);
        return level === 'confirmed' ? slotNow() : slotNow() - 31n;
      },
    },
    looksPerSecond: null,
    isFirst: () => true,
    news: async (before, after) => {
      // A look that shows the same stage has no news.
      if (before?.stage !== after.stage) await takes(newsMs);
      return async () => undefined;
    },
    onChange: async () => undefined,
    log: { warn: () => undefined },
  });
  // Curves of old launches, all of which trade: each is due in every round.
  for (let n = 0; n < curves; n += 1) world.create(FIRST - 20n);
  return {
    late,
    /** Creations at the first moment of so many slots in a row, then the watch until they are written. */
    run: async (slots: number): Promise<void> => {
      ms += await watch.round();
      for (let n = 1; n <= slots; n += 1) {
        const at = slotNow() + BigInt(3 * n);
        due.set(world.create(at).mint, at);
        due.set(world.create(at).mint, at);
      }
      for (let rounds = 0; late.size < due.size && rounds < 500; rounds += 1) {
        const rest = await watch.round();
        await note();
        ms += rest;
        clock.advance(rest);
      }
    },
  };
}

describe('the gate of two slots', () => {
  it('an event is in the feed before the second slot after its own is over, also while a thousand curves are due', async () => {
    const chain = slowWorld({ curves: 1_000, lookMs: 120, newsMs: 60 });
    await chain.run(40);
    expect(chain.late.size).toBe(80);
    const slots = [...chain.late.values()].toSorted((a, b) => a - b);
    expect(slots.at(-1), slots.join(' ')).toBeLessThanOrEqual(2);
  });
});
