import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import { POINT_RULES } from '../../../src/core/points/rules.ts';
import { REBATE_BUDGET, SHOP } from '../../../src/core/points/shop.ts';
import { dayOf } from '../../../src/core/points/utc.ts';
import { awardIntent } from '../../../src/services/points/award-intent.ts';
import { claimMission } from '../../../src/services/points/claim-mission.ts';
import { minePoints } from '../../../src/services/points/mine-points.ts';
import { redeem } from '../../../src/services/points/redeem.ts';
import { buttonRow, newId, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const PEOPLE = 3;
const { mining, lamportsPerPoint } = POINT_RULES[0];
const BUDGET = 10_000_000n;
const STOCK = 2n;

const person = fc.nat({ max: PEOPLE - 1 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('mine' as const),
      person,
      times: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('trade' as const),
      person,
      fee: fc.bigInt({ min: 0n, max: 300_000_000n }),
      repeat: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      person,
      mission: fc.constantFrom('first-trade', 'daily-mine', 'daily-trades', 'pin'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      person,
      item: fc.nat({ max: SHOP.length - 1 }),
      repeat: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), person }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      ms: fc.integer({ min: -86_400_000, max: 2 * 86_400_000 }),
    }),
  },
);

/** Runs the steps against the services and against a plain count beside them. */
describe('points under any sequence of wishes', () => {
  it('sum to zero, never fall below zero, and keep every cap to the point', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const db = fakeDatabase();
        const clock = fakeClock();
        clock.set(NOON);
        const ids = fakeIds(5);
        const deps = { db, clock, ids };
        const people = await Promise.all(Array.from({ length: PEOPLE }, () => storedPerson(db)));
        await db.shop.setStock(REBATE_BUDGET, BUDGET);
        await db.shop.setStock('badge-1', STOCK);
        const model = people.map(() => ({
          points: 0n,
          spent: 0n,
          claims: new Set<string>(),
          owned: new Map<string, number>(),
        }));
        const minedPerDay = new Map<string, number>();
        const latestDay = new Map<string, number>();
        let earned = 0n;

        for (const one of steps) {
          if (one.kind === 'clock') {
            clock.set(clock.now() + one.ms);
            continue;
          }
          const { user, wallet } = people[one.person] ?? fail();
          const mine = model[one.person] ?? fail();
          const who = { telegramId: user.telegramId, userId: user.id };
          switch (one.kind) {
            case 'mine':
              for (let i = 0; i < one.times; i += 1) {
                clock.set(clock.now() + 500);
                const { result, miner } = await minePoints(deps, who);
                if (result.kind !== 'mined') continue;
                mine.points += BigInt(result.points);
                earned += BigInt(result.points);
                const day = `${user.id}/${miner.day}`;
                minedPerDay.set(day, (minedPerDay.get(day) ?? 0) + result.points);
                // A clock that is set back opens no day a second time.
                expect(miner.day).toBeGreaterThanOrEqual(latestDay.get(user.id) ?? dayOf(clock.now()));
                latestDay.set(user.id, miner.day);
              }
              break;
            case 'trade': {
              const final = {
                intent: { id: newId(), kind: 'buy' as const, userId: user.id },
                signature: newId(),
                feeLamports: one.fee,
              };
              for (let i = 0; i < (one.repeat ? 2 : 1); i += 1)
                await db.transact((stores) => awardIntent(deps, stores, final));
              mine.points += one.fee / lamportsPerPoint;
              earned += one.fee / lamportsPerPoint;
              break;
            }
            case 'claim':
              try {
                const { mission, claimed } = await claimMission(deps, who, one.mission);
                const key = (await db.ledger.balance({ kind: 'points', owner: user.id })) - mine.points;
                expect(key).toBe(claimed ? BigInt(mission.points) : 0n);
                if (claimed) {
                  mine.points += BigInt(mission.points);
                  earned += BigInt(mission.points);
                }
                if (mission.period === 'once') {
                  expect(claimed).toBe(!mine.claims.has(mission.id));
                  mine.claims.add(mission.id);
                }
              } catch (error) {
                if (!hasCode(error, 'MISSION_UNDONE')) throw error;
              }
              break;
            case 'redeem': {
              const item = SHOP[one.item] ?? fail();
              const button = buttonRow(user.id, { expiresAt: Number.MAX_SAFE_INTEGER });
              await db.buttons.insert([button]);
              const wish = {
                userId: user.id,
                itemId: item.id,
                points: item.points,
                idemKey: newId(),
                buttonId: button.id,
              };
              try {
                const { created } = await redeem(deps, wish);
                expect(created).toBe(true);
                expect(mine.points).toBeGreaterThanOrEqual(item.points);
                mine.points -= item.points;
                mine.spent += item.points;
                mine.owned.set(item.id, (mine.owned.get(item.id) ?? 0) + 1);
                if (one.repeat) expect((await redeem(deps, wish)).created).toBe(false);
              } catch (error) {
                const known = ['POINTS_SHORT', 'SOLD_OUT', 'SHOP_LIMIT', 'SHOP_NEEDS_TRADE'] as const;
                if (!known.some((code) => hasCode(error, code))) throw error;
              }
              break;
            }
            case 'delete':
              await db.wallets.setDeletedAt(wallet.id, clock.now());
              break;
          }
          expect(await db.ledger.balance({ kind: 'points', owner: user.id })).toBe(mine.points);
        }

        const total = model.reduce((sum, { points }) => sum + points, 0n);
        const spent = model.reduce((sum, one) => sum + one.spent, 0n);
        expect(await db.ledger.balance({ kind: 'points-issued' })).toBe(-earned);
        expect(await db.ledger.balance({ kind: 'points-spent' })).toBe(spent);
        expect(total + spent - earned).toBe(0n);
        for (const points of minedPerDay.values()) expect(points).toBeLessThanOrEqual(mining.dailyCap);
        const count = (item: string) => model.reduce((sum, { owned }) => sum + (owned.get(item) ?? 0), 0);
        expect(count('badge-1')).toBeLessThanOrEqual(Number(STOCK));
        for (const { owned } of model)
          for (const item of SHOP)
            expect(owned.get(item.id) ?? 0).toBeLessThanOrEqual(item.perPerson ?? Number.MAX_SAFE_INTEGER);
        const rebates = -(await db.ledger.balance({ kind: 'rebates' }));
        expect(rebates).toBe(5_000_000n * BigInt(count('rebate-1')));
        expect(rebates).toBeLessThanOrEqual(BUDGET);
      }),
      { numRuns: 60 },
    );
  });
});

function fail(): never {
  throw new Error('outside of the list');
}
