import type { Address } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent, costShare } from '../../../src/modules/positions/rules/apply-event.ts';
import { foldEvents, positionKey } from '../../../src/modules/positions/rules/fold-events.ts';
import { emptyPosition, type PositionEvent } from '../../../src/modules/positions/rules/position.ts';

const PUP = 'So11111111111111111111111111111111111111112' as Address;
const at = (slot: number, walletId = 'main') => ({
  walletId,
  mint: PUP,
  signature: `sig${slot}`,
  slot: BigInt(slot),
  at: slot * 400,
  final: true,
});
const held = (events: readonly PositionEvent[], walletId = 'main') => {
  const found = foldEvents(events).positions.get(positionKey(walletId, PUP));
  if (found === undefined) throw new Error('no position');
  return found;
};

/** Histories that can happen: nothing leaves a wallet that it does not hold. */
const histories = fc
  .array(
    fc.record({
      kind: fc.constantFrom(
        'buy',
        'buy',
        'sell',
        'sell',
        'failed',
        'move',
        'received',
        'airdrop',
        'withdrawn',
        'taken',
        'remainder',
        'creation',
        'adjustment',
      ),
      wallet: fc.constantFrom('main', 'side'),
      units: fc.bigInt(1n, 1_000_000n),
      lamports: fc.bigInt(1n, 1_000_000_000n),
      slotStep: fc.constantFrom(0, 1, 5),
    }),
    { maxLength: 40 },
  )
  .map((requests) => {
    const units: Record<string, bigint> = { main: 0n, side: 0n };
    let slot = 100;
    const step = (request: (typeof requests)[number], index: number): PositionEvent[] => {
      slot += request.slotStep;
      const facts = { ...at(slot, request.wallet), signature: `sig${String(index).padStart(3, '0')}` };
      const has = units[request.wallet] ?? 0n;
      const leaving = has === 0n ? 0n : 1n + (request.units % has);
      const change = (wallet: string, by: bigint): void => {
        units[wallet] = (units[wallet] ?? 0n) + by;
      };
      switch (request.kind) {
        case 'failed':
          return [{ ...facts, kind: 'failed', feeLamports: request.lamports }];
        case 'sell':
        case 'withdrawn':
        case 'taken':
          if (leaving === 0n) return [];
          change(request.wallet, -leaving);
          return [{ ...facts, kind: request.kind, units: leaving, flowLamports: request.lamports }];
        case 'move': {
          if (leaving === 0n) return [];
          const other = request.wallet === 'main' ? 'side' : 'main';
          // A transfer fee of one unit is withheld on the way.
          const arriving = leaving - (leaving > 1n ? 1n : 0n);
          change(request.wallet, -leaving);
          change(other, arriving);
          return [
            { ...facts, kind: 'own-out', units: leaving },
            { ...facts, walletId: other, kind: 'own-in', units: arriving },
          ];
        }
        case 'buy':
          change(request.wallet, request.units);
          return [{ ...facts, kind: 'buy', units: request.units, flowLamports: -request.lamports }];
        case 'received':
          change(request.wallet, request.units);
          return [
            {
              ...facts,
              kind: 'received',
              units: request.units,
              valueLamports: request.lamports,
              revision: 0,
            },
          ];
        case 'creation':
          change(request.wallet, request.units);
          return [{ ...facts, kind: 'creation', units: request.units, costLamports: request.lamports }];
        case 'airdrop':
        case 'remainder':
        case 'adjustment':
          change(request.wallet, request.units);
          return [{ ...facts, kind: request.kind, units: request.units }];
      }
    };
    return requests.flatMap(step);
  });

const sum = (values: readonly bigint[]): bigint => values.reduce((whole, value) => whole + value, 0n);

describe('the fold of position events', () => {
  it('averages the cost, and realizes what a sale brings over its share', () => {
    const events: PositionEvent[] = [
      { ...at(1), kind: 'buy', units: 3n, flowLamports: -10n },
      { ...at(2), kind: 'sell', units: 1n, flowLamports: 5n },
      { ...at(3), kind: 'failed', feeLamports: 2n },
    ];
    // ⌊10 · 1 / 3⌋ = 3 leave with the unit sold.
    expect(held(events)).toMatchObject({ units: 2n, cost: 7n, realized: 0n, hidden: false });
    const last: PositionEvent = { ...at(4), kind: 'sell', units: 2n, flowLamports: 9n };
    expect(held([...events, last])).toMatchObject({ units: 0n, cost: 0n, realized: 2n });
  });

  it('follows its table for what is no trade', () => {
    const bought: PositionEvent = { ...at(1), kind: 'buy', units: 10n, flowLamports: -100n };
    const followedBy = (event: PositionEvent) => held([bought, event]);
    expect(followedBy({ ...at(2), kind: 'withdrawn', units: 3n })).toMatchObject({
      units: 7n,
      cost: 70n,
      realized: 0n,
      withdrawnUnits: 3n,
      withdrawnCost: 30n,
    });
    expect(followedBy({ ...at(2), kind: 'taken', units: 4n })).toMatchObject({
      units: 6n,
      cost: 60n,
      realized: -40n,
      takenUnits: 4n,
    });
    expect(followedBy({ ...at(2), kind: 'remainder', units: 5n })).toMatchObject({
      units: 15n,
      cost: 100n,
      realized: 0n,
      remainderUnits: 5n,
    });
    expect(followedBy({ ...at(2), kind: 'adjustment', units: -5n })).toMatchObject({
      units: 5n,
      cost: 100n,
      realized: 0n,
      adjustedUnits: -5n,
    });
    expect(
      followedBy({ ...at(2), kind: 'received', units: 10n, valueLamports: 50n, revision: 0 }),
    ).toMatchObject({
      units: 20n,
      cost: 150n,
      pricedAtReceipt: true,
    });
    expect(followedBy({ ...at(2), kind: 'creation', units: 1n, costLamports: 7n })).toMatchObject({
      units: 11n,
      cost: 107n,
      realized: 0n,
    });
  });

  it('gives what came no cost below zero, also where an event of before says so', () => {
    const bought: PositionEvent = { ...at(1), kind: 'buy', units: 10n, flowLamports: -100n };
    const dust: PositionEvent = {
      ...at(2),
      kind: 'received',
      units: 1n,
      valueLamports: -4_900n,
      revision: 0,
    };
    expect(held([bought, dust])).toMatchObject({ units: 11n, cost: 100n });
    const sold: PositionEvent = { ...at(3), kind: 'sell', units: 11n, flowLamports: 100n };
    expect(held([bought, dust, sold])).toMatchObject({ cost: 0n, realized: 0n });
  });

  it('hides an airdrop until the mint is bought', () => {
    const dropped: PositionEvent = { ...at(1), kind: 'airdrop', units: 1_000n };
    expect(held([dropped])).toMatchObject({ units: 1_000n, cost: 0n, hidden: true });
    const bought: PositionEvent = { ...at(2), kind: 'buy', units: 10n, flowLamports: -5n };
    expect(held([dropped, bought])).toMatchObject({ units: 1_010n, cost: 5n, hidden: false });
  });

  it('splits a cost that moves to two own wallets, and keeps in mind what is underway', () => {
    const bought: PositionEvent = { ...at(1), kind: 'buy', units: 10n, flowLamports: -101n };
    const out: PositionEvent = { ...at(2), kind: 'own-out', units: 10n };
    const first: PositionEvent = { ...at(2, 'side'), kind: 'own-in', units: 5n };
    const second: PositionEvent = { ...at(2, 'third'), kind: 'own-in', units: 5n };
    expect(foldEvents([bought, out]).costUnderway).toBe(101n);
    const all = [second, out, first, bought];
    expect(held(all, 'side').cost).toBe(50n);
    expect(held(all, 'third').cost).toBe(51n);
    expect(foldEvents(all).costUnderway).toBe(0n);
  });

  it('prefers what is final and what the person set last, whichever comes first', () => {
    const early: PositionEvent = { ...at(1), final: false, kind: 'buy', units: 9n, flowLamports: -9n };
    const final: PositionEvent = { ...at(2), signature: 'sig1', kind: 'buy', units: 8n, flowLamports: -8n };
    const got: PositionEvent = { ...at(3), kind: 'received', units: 1n, valueLamports: 5n, revision: 0 };
    const set: PositionEvent = { ...got, valueLamports: 2n, revision: 1 };
    for (const events of [
      [early, final, got, set],
      [set, got, final, early],
    ]) {
      expect(held(events)).toMatchObject({ units: 9n, cost: 10n });
    }
  });

  it('gives one state for any delivery order, with repeats', () => {
    fc.assert(
      fc.property(
        histories.chain((events) =>
          fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
        ),
        fc.nat(),
        ([events, shuffled], from) => {
          const repeated = [...shuffled, ...shuffled.slice(from % (shuffled.length + 1))];
          expect(foldEvents(repeated)).toEqual(foldEvents(events));
        },
      ),
    );
  });

  it('conserves cost to the lamport, and accounts for every lamport that flowed', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const { positions, entries, costUnderway } = foldEvents(events);
        const trades = entries.filter(({ event }) => ['buy', 'sell', 'failed'].includes(event.kind));
        const flows = trades.map(({ event }) =>
          event.kind === 'failed'
            ? -event.feeLamports
            : event.kind === 'buy' || event.kind === 'sell'
              ? event.flowLamports
              : 0n,
        );
        expect(sum(trades.map(({ realizedChange, costChange }) => realizedChange - costChange))).toBe(
          sum(flows),
        );
        const moves = entries.filter(({ event }) => event.kind.startsWith('own-'));
        expect(sum(moves.map(({ costChange }) => costChange)) + costUnderway).toBe(0n);
        expect(sum(moves.map(({ realizedChange }) => realizedChange))).toBe(0n);
        const all = [...positions.values()];
        expect(sum(all.map(({ cost }) => cost))).toBe(sum(entries.map(({ costChange }) => costChange)));
        for (const position of all) expect(position.units).toBeGreaterThanOrEqual(0n);
      }),
      { numRuns: 500 },
    );
  });

  it('can go on from a state with an event that comes after it', () => {
    fc.assert(
      fc.property(histories, (events) => {
        let position = emptyPosition('main', PUP);
        const alone = events.filter(({ walletId, kind }) => walletId === 'main' && kind !== 'own-in');
        for (const event of alone) {
          position = applyEvent(position, event).position;
          expect(position.upTo).toEqual({ slot: event.slot, signature: event.signature });
        }
        if (alone.length > 0) expect(held(alone)).toEqual(position);
      }),
    );
  });

  it('leaves no cost on a position that is empty already', () => {
    expect(costShare({ units: 0n, cost: 5n }, 0n)).toBe(5n);
    expect(costShare({ units: -3n, cost: 5n }, 1n)).toBe(5n);
  });

  it('takes a share of the cost that is never more than a lamport below the exact one', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 12n),
        fc.bigInt(-(10n ** 12n), 10n ** 12n),
        fc.nat(),
        (units, cost, n) => {
          const leaving = BigInt(n) % units;
          const short = cost * leaving - costShare({ units, cost }, leaving) * units;
          expect(short >= 0n && short < units).toBe(true);
          expect(costShare({ units, cost }, units)).toBe(cost);
        },
      ),
    );
  });
});
