import { describe, expect, it } from 'vitest';
import {
  comparedSources,
  MOST_GAIN_BPS,
  pairClassOf,
  type SourceCount,
  sourceFigures,
} from '../../../src/modules/trading/rules/source-figures.ts';
import { createSourceCounter } from '../../../src/modules/trading/use/count-sources.ts';
import { freshAddress } from '../../support/tape-rows.ts';

const other = (source: string, amountOut: bigint) => ({ source, amountOut });
const winner = (own: bigint | null, ...others: ReturnType<typeof other>[]) =>
  comparedSources(own, others).find(({ outcome }) => outcome === 'won');

describe('one comparison', () => {
  it('is won by the best price, by its gain over the next best, rounded down', () => {
    expect(winner(10_000n, other('raydium', 10_123n), other('jupiter', 10_050n))).toEqual({
      source: 'raydium',
      outcome: 'won',
      // 73 of 10,050 are 72.6 hundredths of a percent.
      gainBps: 72,
    });
    expect(winner(10_123n, other('raydium', 10_000n))).toMatchObject({ source: 'own', gainBps: 123 });
  });

  it('is ours where prices are equal', () => {
    expect(winner(7n, other('raydium', 7n))).toMatchObject({ source: 'own', gainBps: 0 });
  });

  it('counts an offer of each that had a price, and ours only where there is a route', () => {
    const offered = (rows: ReturnType<typeof comparedSources>) =>
      rows.filter(({ outcome }) => outcome === 'offered').map(({ source }) => source);
    expect(offered(comparedSources(5n, [other('raydium', 4n)]))).toEqual(['own', 'raydium']);
    expect(offered(comparedSources(null, [other('raydium', 4n)]))).toEqual(['raydium']);
    expect(winner(null, other('raydium', 4n))).toMatchObject({ source: 'raydium', gainBps: 0 });
    expect(comparedSources(null, [])).toEqual([]);
  });

  it('has a bound for a price that was none', () => {
    expect(winner(0n, other('raydium', 4n))?.gainBps).toBe(MOST_GAIN_BPS);
    expect(winner(1n, other('raydium', 2n ** 63n))?.gainBps).toBe(MOST_GAIN_BPS);
  });
});

const [SOL, USD, PUP] = [freshAddress(), freshAddress(), freshAddress()];

it('a pair is major where both of its tokens are', () => {
  expect(pairClassOf([SOL, USD], { mintIn: USD, mintOut: SOL })).toBe('major');
  expect(pairClassOf([SOL, USD], { mintIn: SOL, mintOut: PUP })).toBe('other');
});

describe('figures of some days', () => {
  const row = (more: Partial<SourceCount>): SourceCount => ({
    day: '2026-01-31',
    pairClass: 'major',
    source: 'raydium',
    outcome: 'offered',
    gainBps: 0,
    quotes: 1,
    ...more,
  });

  it('sum the days by class and source, ours first', () => {
    const figures = sourceFigures([
      row({ pairClass: 'other', quotes: 9 }),
      row({ quotes: 4 }),
      row({ day: '2026-02-01', quotes: 6 }),
      row({ outcome: 'failed', quotes: 3 }),
      row({ source: 'own', quotes: 10 }),
      row({ source: 'own', outcome: 'won', gainBps: 2, quotes: 7 }),
    ]);
    expect(figures).toEqual([
      { pairClass: 'major', source: 'own', offers: 10, wins: 7, failures: 0, medianGainBps: 2 },
      { pairClass: 'major', source: 'raydium', offers: 10, wins: 0, failures: 3, medianGainBps: null },
      { pairClass: 'other', source: 'raydium', offers: 9, wins: 0, failures: 0, medianGainBps: null },
    ]);
  });

  it('know the median by the number of wins, not of rows', () => {
    const won = (gainBps: number, quotes: number) => row({ outcome: 'won', gainBps, quotes });
    const median = (...rows: SourceCount[]) => sourceFigures(rows)[0]?.medianGainBps;
    expect(median(won(1, 10), won(50, 3), won(900, 2))).toBe(1);
    expect(median(won(900, 2), won(50, 3), won(1, 1))).toBe(50);
    expect(median(won(8, 1), won(4, 1))).toBe(4);
  });
});

it('the counter sums in memory, writes every ten seconds, and keeps what could not be written', async () => {
  const state = { now: Date.UTC(2026, 0, 31, 23, 59, 55), down: false };
  const written: (readonly SourceCount[])[] = [];
  const problems: unknown[] = [];
  const counter = createSourceCounter({
    store: {
      add: async (rows, keepFrom) => {
        if (state.down) throw new Error('database down');
        expect(keepFrom).toBe('2025-11-04');
        written.push(rows);
      },
    },
    clock: { now: () => state.now },
    onProblem: (error) => problems.push(error),
  });
  const won = { pairClass: 'major', source: 'own', outcome: 'won', gainBps: 3 } as const;
  for (let n = 0; n < 1_000; n += 1) counter.count([won]);
  expect(written).toEqual([]);
  state.now += 10_000;
  state.down = true;
  counter.count([won]);
  await counter.flush();
  expect(problems).toHaveLength(2);
  state.down = false;
  await counter.flush();
  expect(written.flat()).toEqual([
    { ...won, day: '2026-01-31', quotes: 1_000 },
    { ...won, day: '2026-02-01', quotes: 1 },
  ]);
});
