import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  commitmentText,
  payoutOf,
  type Round,
  roundFaults,
  sectorOf,
} from '../../../src/modules/games/rules/round.ts';
import {
  GAME_TABLES,
  type GameTable,
  houseEdge,
  mayStake,
  tableAt,
  tableOf,
} from '../../../src/modules/games/rules/tables.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const seedOf = (byte: number) => `${'5'.repeat(62)}${byte.toString(16).padStart(2, '0')}`;
const BYTES = Array.from({ length: 256 }, (_, byte) => byte);
const choicesOf = (table: GameTable) => table.payTenths.map((_, choice) => choice);

describe.each(GAME_TABLES.map((table) => [table.id, table] as const))('the game %s', (_id, table) => {
  const { payTenths, stake } = table;
  const sum = (values: readonly bigint[]) => values.reduce((total, one) => total + one, 0n);

  it('has sectors that one byte picks equally often, and whole payouts for every stake', () => {
    expect([2, 4, 8, 16, 32, 64, 128, 256]).toContain(payTenths.length);
    expect([stake.min % 10n, stake.max % 10n, stake.step % 10n]).toEqual([0n, 0n, 0n]);
    expect(table.dailyStake).toBeGreaterThanOrEqual(stake.max);
    expect(table.id).toMatch(/^[a-z0-9-]+$/);
  });

  it('keeps exactly the stated edge for every choice, counted over all values of the deciding byte', () => {
    for (const choice of choicesOf(table)) {
      const paid = sum(BYTES.map((byte) => payoutOf(table, seedOf(byte), { choice, points: stake.max })));
      const staked = stake.max * 256n;
      expect((staked - paid) * 10_000n).toBe(staked * BigInt(houseEdge(table)));
    }
  });

  it('keeps exactly the stated edge for every seed that the house could pick, counted over all choices', () => {
    for (const byte of BYTES) {
      const choices = choicesOf(table);
      const paid = sum(choices.map((choice) => payoutOf(table, seedOf(byte), { choice, points: stake.min })));
      const staked = stake.min * BigInt(choices.length);
      expect((staked - paid) * 10_000n).toBe(staked * BigInt(houseEdge(table)));
      expect(new Set(choices.map((choice) => sectorOf(table, seedOf(byte), choice))).size).toBe(
        choices.length,
      );
    }
  });

  it('takes its own stakes and nothing below, above, between or negative', () => {
    for (const points of [stake.min, stake.max]) expect(mayStake(table, points)).toBe(true);
    for (const points of [0n, -stake.min, stake.min - 1n, stake.max + stake.step, stake.min + 1n, 2n ** 63n])
      expect(mayStake(table, points)).toBe(false);
  });

  it('refuses a choice that it does not have and a seed that is none', () => {
    for (const choice of [-1, payTenths.length, 0.5, Number.NaN])
      expect(() => sectorOf(table, seedOf(0), choice)).toThrow(RangeError);
    for (const seed of ['', 'x'.repeat(64), 'A'.repeat(64), '0'.repeat(63)])
      expect(() => sectorOf(table, seed, 0)).toThrow(RangeError);
  });
});

describe('game tables', () => {
  it('state a house edge of 5 %', () => {
    expect(GAME_TABLES.map(houseEdge)).toEqual([500, 500]);
  });

  it('have names that are used once, and are found by game and time', () => {
    expect(new Set(GAME_TABLES.map(({ id }) => id)).size).toBe(GAME_TABLES.length);
    const [coin] = GAME_TABLES;
    if (coin === undefined) throw new Error('no table');
    const later = { ...coin, id: 'coin-2', from: coin.from + 10 };
    expect(tableAt('coin', coin.from + 9, [coin, later]).id).toBe('coin-1');
    expect(tableAt('coin', coin.from + 10, [coin, later]).id).toBe('coin-2');
    expect(tableAt('coin', 0, [coin, later]).id).toBe('coin-1');
    expect(() => tableAt('wheel', 0, [coin])).toThrow(RangeError);
    expect(tableOf('dice-1')).toBeNull();
  });

  it('pay a coin’s right guess and nothing for the wrong one', () => {
    const coin = tableAt('coin', Date.UTC(2027, 0, 1));
    expect([0, 1].map((choice) => payoutOf(coin, seedOf(0), { choice, points: 50n }))).toEqual([95n, 0n]);
    expect([0, 1].map((choice) => payoutOf(coin, seedOf(1), { choice, points: 50n }))).toEqual([0n, 95n]);
  });
});

describe('the check of a round', () => {
  const seed = seedOf(6);
  const name = { id: '01JTESTROUND0000000000000A', table: 'wheel-1' };
  const fair: Round = {
    ...name,
    userId: 'u',
    game: 'wheel',
    commitment: sha256(commitmentText(name, seed)),
    createdAt: 1,
    bet: { choice: 2, points: 50n, day: 1, at: 2 },
    result: { seed, payout: 100n, at: 3 },
  };
  const faults = (change: Partial<Round>) => roundFaults({ ...fair, ...change }, sha256).join('\n');

  it('finds nothing wrong with a fair one', () => {
    expect(sectorOf(tableAt('wheel', 0), seed, 2)).toBe(4);
    expect(faults({})).toBe('');
  });

  it('finds another seed, other rules, another round, a wrong payout, a choice that was changed', () => {
    expect(faults({ result: { seed: seedOf(22), payout: 100n, at: 3 } })).toMatch(/hashes to/);
    expect(faults({ id: '01JTESTROUND0000000000000B' })).toMatch(/hashes to/);
    expect(faults({ table: 'coin-1', bet: { choice: 1, points: 50n, day: 1, at: 2 } })).toMatch(/hashes to/);
    expect(faults({ result: { seed, payout: 99n, at: 3 } })).toMatch(/99 points were paid, 100 were due/);
    expect(faults({ bet: { choice: 3, points: 50n, day: 1, at: 2 } })).toMatch(/were due/);
    expect(faults({ table: 'dice-1' })).toMatch(/not known/);
    expect(faults({ result: null })).toMatch(/not revealed/);
  });
});
