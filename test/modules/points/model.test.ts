import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import { advanceConvert } from '../../../src/modules/convert/use/advance-convert.ts';
import { enterConvert } from '../../../src/modules/convert/use/enter-convert.ts';
import { roundFaults } from '../../../src/modules/games/rules/round.ts';
import { GAMES, tableAt } from '../../../src/modules/games/rules/tables.ts';
import { openRound } from '../../../src/modules/games/use/open-round.ts';
import { playRound } from '../../../src/modules/games/use/play-round.ts';
import { settleStarted } from '../../../src/modules/games/use/settle-round.ts';
import { startRound } from '../../../src/modules/games/use/start-round.ts';
import { POINT_RULES } from '../../../src/modules/points/rules/rules.ts';
import { REBATE_BUDGET, SHOP } from '../../../src/modules/points/rules/shop.ts';
import { dayOf } from '../../../src/modules/points/rules/utc.ts';
import { awardIntent } from '../../../src/modules/points/use/award-intent.ts';
import { claimMission } from '../../../src/modules/points/use/claim-mission.ts';
import { minePoints } from '../../../src/modules/points/use/mine-points.ts';
import { redeem } from '../../../src/modules/points/use/redeem.ts';
import { createGameSeeds } from '../../../src/platform/games/game-seeds.ts';
import { buttonRow, newId, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const PEOPLE = 3;
const { mining, lamportsPerPoint } = POINT_RULES[0];
const BUDGET = 10_000_000n;
const STOCK = 2n;
const POT = 1_000_003n;
const FAR = 1_000 * 86_400_000;
const seeds = createGameSeeds(new Uint8Array(32).fill(6));

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
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('bet' as const),
      person,
      game: fc.constantFrom(...GAMES),
      choice: fc.integer({ min: -1, max: 16 }),
      points: fc.constantFrom(-50n, 0n, 10n, 15n, 50n, 100n, 10n ** 20n),
      after: fc.constantFrom('settled', 'killed', 'repeated'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('give' as const),
      person,
      points: fc.constantFrom(-100n, 99n, 100n, 137n, 10n ** 20n),
      repeat: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), person }) },
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
describe('points under any sequence of requests', () => {
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
          locked: 0n,
          staked: new Map<string, bigint>(),
          /** Rounds whose process died after the bet. */
          started: [] as string[],
        }));
        const period = await db.convert.announce({
          budgetLamports: POT,
          opensAt: NOON - FAR,
          closesAt: NOON + FAR,
          announcedAt: NOON,
          seal: null,
        });
        let games = 0n;
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
              const request = {
                userId: user.id,
                itemId: item.id,
                points: item.points,
                idemKey: newId(),
                buttonId: button.id,
              };
              try {
                const { created } = await redeem(deps, request);
                expect(created).toBe(true);
                expect(mine.points).toBeGreaterThanOrEqual(item.points);
                mine.points -= item.points;
                mine.spent += item.points;
                mine.owned.set(item.id, (mine.owned.get(item.id) ?? 0) + 1);
                if (one.repeat) expect((await redeem(deps, request)).created).toBe(false);
              } catch (error) {
                const known = ['POINTS_SHORT', 'SOLD_OUT', 'SHOP_LIMIT', 'SHOP_NEEDS_TRADE'] as const;
                if (!known.some((code) => hasCode(error, code))) throw error;
              }
              break;
            }
            case 'bet': {
              const round = await openRound({ ...deps, seeds }, user.id, one.game);
              const bet = { userId: user.id, roundId: round.id, choice: one.choice, points: one.points };
              const day = `${one.game}/${dayOf(clock.now())}`;
              try {
                await startRound(deps, bet);
              } catch (error) {
                const known = ['BUTTON_STALE', 'STAKE_INVALID', 'STAKES_USED_UP', 'POINTS_SHORT'] as const;
                if (!known.some((code) => hasCode(error, code))) throw error;
                break;
              }
              expect(one.choice).toBeGreaterThanOrEqual(0);
              mine.points -= one.points;
              games += one.points;
              mine.staked.set(day, (mine.staked.get(day) ?? 0n) + one.points);
              if (one.after === 'killed') {
                mine.started.push(round.id);
                break;
              }
              const settled = await playRound({ ...deps, seeds }, bet);
              if (one.after === 'repeated')
                expect(await playRound({ ...deps, seeds }, { ...bet, choice: 0, points: 10n })).toEqual(
                  settled,
                );
              expect(roundFaults(settled, (text) => seeds.sha256(text))).toEqual([]);
              mine.points += settled.result?.payout ?? 0n;
              games -= settled.result?.payout ?? 0n;
              break;
            }
            case 'give': {
              const button = buttonRow(user.id, { expiresAt: Number.MAX_SAFE_INTEGER });
              await db.buttons.insert([button]);
              const request = {
                userId: user.id,
                period: period?.number ?? 0,
                points: one.points,
                idemKey: newId(),
                buttonId: button.id,
              };
              try {
                await enterConvert(deps, request);
                if (one.repeat) expect((await enterConvert(deps, request)).created).toBe(false);
                mine.points -= one.points;
                mine.locked += one.points;
              } catch (error) {
                const known = ['CONVERT_MINIMUM', 'SHOP_NEEDS_TRADE', 'POINTS_SHORT'] as const;
                if (!known.some((code) => hasCode(error, code))) throw error;
              }
              break;
            }
            case 'sweep': {
              // Long after every bet, whatever became of the clock.
              const later = { now: () => clock.now() + FAR };
              await settleStarted({ ...deps, clock: later, seeds });
              for (const each of model) {
                for (const id of each.started.splice(0)) {
                  const payout = (await db.games.find(id))?.result?.payout ?? fail();
                  each.points += payout;
                  games -= payout;
                }
              }
              break;
            }
            case 'delete':
              await db.wallets.setDeletedAt(PASSED, wallet.id, clock.now());
              break;
          }
          expect(await db.ledger.balance({ kind: 'points', owner: user.id })).toBe(mine.points);
        }

        const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);
        const lockedOf = (userId: string) => db.ledger.balance({ kind: 'points-locked', owner: userId });
        expect(await Promise.all(people.map(({ user }) => lockedOf(user.id)))).toEqual(
          model.map(({ locked }) => locked),
        );
        const total = sumOf(model.map(({ points, locked }) => points + locked));
        const spent = sumOf(model.map((one) => one.spent));
        expect(await db.ledger.balance({ kind: 'points-games' })).toBe(games);
        for (const { staked } of model)
          for (const [day, points] of staked)
            expect(points).toBeLessThanOrEqual(
              tableAt(day.startsWith('coin') ? 'coin' : 'wheel', NOON).dailyStake,
            );
        expect(await db.ledger.balance({ kind: 'points-issued' })).toBe(-earned);
        expect(await db.ledger.balance({ kind: 'points-spent' })).toBe(spent);
        expect(total + spent + games - earned).toBe(0n);
        for (const points of minedPerDay.values()) expect(points).toBeLessThanOrEqual(mining.dailyCap);
        const count = (item: string) => model.reduce((sum, { owned }) => sum + (owned.get(item) ?? 0), 0);
        expect(count('badge-1')).toBeLessThanOrEqual(Number(STOCK));
        for (const { owned } of model)
          for (const item of SHOP)
            expect(owned.get(item.id) ?? 0).toBeLessThanOrEqual(item.perPerson ?? Number.MAX_SAFE_INTEGER);
        const rebates = -(await db.ledger.balance({ kind: 'rebates' }));
        expect(rebates).toBe(5_000_000n * BigInt(count('rebate-1')));
        expect(rebates).toBeLessThanOrEqual(BUDGET);

        const owedOf = (userId: string) => db.ledger.balance({ kind: 'referral-payable', owner: userId });
        const before = await Promise.all(people.map(({ user }) => owedOf(user.id)));
        await advanceConvert({ ...deps, clock: { now: () => NOON + FAR } });
        const shares = await Promise.all(
          people.map(async ({ user }, i) => (await owedOf(user.id)) - (before[i] ?? 0n)),
        );
        const given = sumOf(model.map(({ locked }) => locked));
        expect(shares).toEqual(model.map(({ locked }) => (given === 0n ? 0n : (POT * locked) / given)));
        expect(sumOf(shares)).toBeLessThanOrEqual(POT);
        expect(await db.ledger.balance({ kind: 'conversions' })).toBe(-sumOf(shares));
        expect(await Promise.all(people.map(({ user }) => lockedOf(user.id)))).toEqual(people.map(() => 0n));
      }),
      { numRuns: 40 },
    );
  });
});

function fail(): never {
  throw new Error('outside of the list');
}
