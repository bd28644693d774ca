import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planted } from '../../scripts/torture/calls/plants.ts';
import { type EventCase, type JudgedFire, judgeEvents } from '../../scripts/torture/judge-events.ts';
import { EVENT_PLANTS, type EventPlant } from '../../scripts/torture/plants.ts';
import { liquidityOf, type OrderEvent } from '../../src/modules/orders/rules/event-trigger.ts';
import { mintOf } from '../support/screens/facts.ts';

const FALL: OrderEvent = { kind: 'liquidity-falls', fallBps: 5_000, liquidity: 1_000n, onCurve: false };
const DEV: OrderEvent = {
  kind: 'dev-sells',
  creator: mintOf(1),
  held: 0n,
  supply: 1_000n,
  sinceSlot: 40n,
};
const fire = (more: Partial<JudgedFire> = {}): JudgedFire => ({
  name: 'fire',
  groupId: 'g',
  event: FALL,
  slot: 60n,
  result: 'settled',
  isInReview: false,
  landed: [100n],
  ...more,
});
/** The makers took three quarters out in slot 50. */
const rulesOf = (more: Partial<EventCase>): readonly string[] =>
  judgeEvents({
    fires: [fire()],
    waits: [],
    given: new Map([['g', 100n]]),
    sales: [],
    fellAt: 50n,
    liquidity: 250n,
    ...more,
  }).map(({ rule }) => rule);

describe('the judge of exits by an event', () => {
  it('finds nothing where an exit sold once after its event', () => {
    expect(rulesOf({})).toEqual([]);
    expect(rulesOf({ fires: [fire({ event: DEV })], sales: [{ units: 10n, slot: 41n }] })).toEqual([]);
    expect(rulesOf({ fires: [fire({ result: 'voided', landed: [] }), fire()] })).toEqual([]);
  });

  it('names a fire that is in two blocks, and the units beyond its group', () => {
    expect(rulesOf({ fires: [fire({ landed: [50n, 50n] })] })).toEqual(['twice']);
    expect(rulesOf({ fires: [fire(), fire({ name: 'again' })] })).toEqual(['beyond-its-units']);
    // A group on a position has no units of its own.
    expect(rulesOf({ fires: [fire(), fire()], given: new Map() })).toEqual([]);
  });

  it('names books that blocks do not hold, and blocks that books do not', () => {
    expect(rulesOf({ fires: [fire({ landed: [] })] })).toEqual(['books']);
    expect(rulesOf({ fires: [fire({ result: 'voided' })] })).toEqual(['books']);
    expect(rulesOf({ fires: [fire({ result: null })] })).toEqual(['books']);
  });

  it('leaves a fire open whose intent waits for a review, and excuses nothing else of it', () => {
    // Nodes disagreed about it: a node that lies is a part of every storm.
    const held = fire({ result: null, isInReview: true });
    expect(rulesOf({ fires: [held] })).toEqual([]);
    expect(rulesOf({ fires: [{ ...held, landed: [] }] })).toEqual([]);
    expect(rulesOf({ fires: [{ ...held, landed: [50n, 50n] }] })).toEqual(['twice']);
    expect(rulesOf({ fires: [held, fire()] })).toEqual(['beyond-its-units']);
    expect(rulesOf({ fires: [{ ...held, slot: 49n }] })).toEqual(['without-cause']);
    // An order that was opened again would sell twice.
    expect(rulesOf({ fires: [{ ...held, result: 'voided' }] })).toEqual(['books', 'books']);
    expect(rulesOf({ fires: [{ ...held, result: 'settled' }] })).toEqual(['books']);
  });

  it('names a fire before the fall, one where nothing was taken out, and one whose fall is not there', () => {
    expect(rulesOf({ fires: [fire({ slot: 49n })] })).toEqual(['without-cause']);
    expect(rulesOf({ fellAt: null })).toEqual(['without-cause']);
    expect(rulesOf({ liquidity: 511n })).toEqual(['without-cause']);
    // So near the vaults decide nothing: their fees are in them.
    expect(rulesOf({ liquidity: 509n })).toEqual([]);
    // Placed after the fall, it waits for the next one.
    expect(rulesOf({ fires: [fire({ event: { ...FALL, liquidity: 250n } })] })).toEqual(['without-cause']);
  });

  it('names an exit without enough sales of the creator after its placing', () => {
    expect(rulesOf({ fires: [fire({ event: DEV })] })).toEqual(['without-cause']);
    expect(rulesOf({ fires: [fire({ event: DEV })], sales: [{ units: 500n, slot: 40n }] })).toEqual([
      'without-cause',
    ]);
  });

  it('names an exit that is open though the liquidity fell, and none whose fall is not there', () => {
    const waits = [{ name: 'open', event: FALL }];
    expect(rulesOf({ waits })).toEqual(['missed']);
    expect(rulesOf({ waits, liquidity: 495n, fires: [] })).toEqual([]);
    expect(rulesOf({ waits: [{ name: 'open', event: { ...FALL, liquidity: 260n } }] })).toEqual([]);
    expect(rulesOf({ waits: [{ name: 'open', event: DEV }] })).toEqual([]);
  });

  it('uses the sum that orders are placed with: the square roots of both sides of each pool with SOL', () => {
    const SOL = 'So11111111111111111111111111111111111111112';
    const pool = (a: bigint, b: bigint) => ({
      mints: [mintOf(3), SOL] as never,
      shape: { kind: 'constant-product', reserves: [a, b] } as const,
    });
    expect(liquidityOf([pool(400n, 100n), pool(900n, 100n)], mintOf(3))?.liquidity).toBe(500n);
  });
});

describe('the planted faults of exits', () => {
  it.each(Object.entries<EventPlant>(EVENT_PLANTS))(
    '%s is in the sources, once at each place',
    (_, plant) => {
      expect(plant.found.length).toBeGreaterThan(0);
      for (const { path } of plant.changes) {
        const text = readFileSync(path, 'utf8');
        expect(planted(plant, path, text)).not.toBe(text);
      }
    },
  );
});
