import { describe, expect, it } from 'vitest';
import { COPY_DEFAULTS, type CopyRules } from '../../../src/modules/copying/rules/copy.ts';
import { type ReplayInput, type ReplayTrade, replay } from '../../../src/modules/copying/rules/replay.ts';
import { NO_EXITS } from '../../../src/modules/settings/rules/exit-set.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const SOL = 1_000_000_000n;
const [PUP, KOI] = [newAddress(), newAddress()] as const;
const RULES: CopyRules = {
  ...COPY_DEFAULTS,
  size: { kind: 'fixed', lamports: SOL / 10n },
  dayLamports: 100n * SOL,
  totalLamports: 100n * SOL,
  each: true,
  exits: NO_EXITS,
};

const trade = (more: Partial<ReplayTrade>): ReplayTrade => ({
  mint: PUP,
  side: 'buy',
  at: 1_000,
  units: 1_000_000n,
  lamports: SOL,
  ...more,
});

const input = (more: Partial<ReplayInput>): ReplayInput => ({
  trades: [],
  tape: new Map([
    [
      PUP,
      [
        { at: 1_000, lamports: SOL, units: 1_000_000n },
        { at: 2_000, lamports: 2n * SOL, units: 1_000_000n },
      ],
    ],
  ]),
  depth: new Map([[PUP, 1_000_000n * SOL]]),
  rules: RULES,
  delayMs: 0,
  feeBps: 0n,
  networkLamports: 0n,
  from: 0,
  to: 10_000,
  ...more,
});

describe('what copying a wallet would have brought', () => {
  it('buys at the first price after the delay, and what is left is sold at the end', () => {
    const one = replay(input({ trades: [trade({})] }));
    expect(one).toMatchObject({ priced: 1, isFew: true, theirsBps: 10_000 });
    // One unit of rounding, and the own size against the pools: never in its favour.
    expect(one.yoursBps).toBe(9_999);
    const late = replay(input({ trades: [trade({})], delayMs: 1 }));
    expect(late).toMatchObject({ theirsBps: 10_000, yoursBps: -1, dearerBps: 10_001 });
  });

  it('counts fees, the own size and pools that are gone', () => {
    const costs = replay(input({ trades: [trade({})], feeBps: 100n, networkLamports: SOL / 100n }));
    // 0.099 SOL buys 99,000 units, worth 0.198; less 1 % and 0.01 it is 0.18602, for 0.11 paid.
    expect(costs.yoursBps).toBe(6_910);
    expect(replay(input({ trades: [trade({})], depth: new Map([[PUP, SOL]]) })).yoursBps).toBeLessThan(6_000);
    expect(replay(input({ trades: [trade({})], depth: new Map() })).yoursBps).toBe(-10_000);
  });

  it('sells the part that the leader sold', () => {
    const half = trade({ side: 'sell', at: 2_000, units: 500_000n, lamports: SOL });
    const end = [
      { at: 1_000, lamports: SOL, units: 1_000_000n },
      { at: 2_000, lamports: 2n * SOL, units: 1_000_000n },
      { at: 9_000, lamports: SOL, units: 1_000_000n },
    ];
    const told = replay(input({ trades: [trade({}), half], tape: new Map([[PUP, end]]) }));
    expect(told.theirsBps).toBe(5_000);
    expect(told.yoursBps).toBe(4_999);
  });

  it('leaves out what the rules skip', () => {
    const twice = [trade({}), trade({ at: 1_500 })];
    const once = replay(input({ trades: twice, rules: { ...RULES, each: false } }));
    expect(once).toEqual({ ...replay(input({ trades: twice })), ...once, dearerBps: once.dearerBps });
    expect(once.yoursBps).toBe(9_999);
    expect(replay(input({ trades: twice })).yoursBps).toBe(4_999);
    const none = replay(input({ trades: twice, rules: { ...RULES, leastLamports: 2n * SOL } }));
    expect(none).toMatchObject({ yoursBps: null, theirsBps: 10_000 });
  });

  it('says what is left without the best token, and both halves', () => {
    const tape = new Map([
      [
        PUP,
        [
          { at: 1_000, lamports: SOL, units: 1_000_000n },
          { at: 9_500, lamports: 5n * SOL, units: 1_000_000n },
        ],
      ],
      [
        KOI,
        [
          { at: 1_000, lamports: SOL, units: 1_000_000n },
          { at: 9_500, lamports: SOL / 2n, units: 1_000_000n },
        ],
      ],
    ]);
    const depth = new Map([
      [PUP, 1_000_000n * SOL],
      [KOI, 1_000_000n * SOL],
    ]);
    const told = replay(
      input({ trades: [trade({}), trade({ mint: KOI, at: 6_000, lamports: SOL / 2n })], tape, depth }),
    );
    expect(told.yoursBps).toBe(19_999);
    expect(told.withoutBestBps).toBe(-1);
    expect(told.earlierHalfBps).toBe(39_999);
    expect(told.laterHalfBps).toBe(-1);
  });

  it('says too few below ten priced trades, and nothing of trades without a price', () => {
    const some = (n: number) => Array.from({ length: n }, (_, at) => trade({ at: at + 1_000 }));
    expect(replay(input({ trades: some(9) })).isFew).toBe(true);
    expect(replay(input({ trades: some(10) })).isFew).toBe(false);
    expect(replay(input({ trades: [trade({ lamports: null }), trade({ mint: KOI })] })).priced).toBe(0);
    expect(replay(input({}))).toMatchObject({ theirsBps: null, yoursBps: null, withoutBestBps: null });
  });

  it('equals a model that walks the tape, and takes 2,000 trades in 300 ms', () => {
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const prices = Array.from({ length: 4_000 }, (_, n) => ({
      at: n * 10,
      lamports: SOL + BigInt(next(1_000_000_000)),
      units: 1_000_000n,
    }));
    const trades = Array.from({ length: 2_000 }, (_, n) =>
      trade({
        at: n * 20 + next(20),
        side: next(3) === 0 ? 'sell' : 'buy',
        units: BigInt(1 + next(900_000)),
      }),
    );
    const asked = input({
      trades,
      tape: new Map([[PUP, prices]]),
      rules: { ...RULES, dayLamports: 10_000n * SOL, totalLamports: 10_000n * SOL },
      delayMs: 35,
      feeBps: 100n,
      networkLamports: 5_000n,
      to: 40_000,
    });
    const begun = process.cpuUsage();
    const told = replay(asked);
    // Time of the processor: the machine may be busy with others.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(300);
    expect(told.yoursBps).toBe(model(asked));
  });
});

/** One token, every purchase copied: price by price, without any short cut. */
function model({ trades, tape, depth, rules, delayMs, feeBps, networkLamports, to }: ReplayInput): number {
  const prices = tape.get(PUP) ?? [];
  const side = depth.get(PUP) ?? 0n;
  const at = (time: number) => prices.find((one) => one.at >= time) ?? prices.at(-1);
  let [theirs, ours, paid, got] = [0n, 0n, 0n, 0n];
  const sell = (units: bigint, time: number): void => {
    const price = at(time);
    if (units === 0n || price === undefined) return;
    const worth = (units * price.lamports) / price.units;
    got += (((worth * side) / (side + worth)) * (10_000n - feeBps)) / 10_000n - networkLamports;
  };
  const fixed = rules.size.kind === 'fixed' ? rules.size.lamports : 0n;
  for (const one of trades) {
    const price = at(one.at + delayMs);
    if (price === undefined) continue;
    if (one.side === 'buy') {
      const given = (fixed * (10_000n - feeBps)) / 10_000n;
      ours += (given * price.units * side) / (price.lamports * (side + given));
      paid += fixed + networkLamports;
      theirs += one.units;
    } else {
      const all = theirs <= 0n || one.units >= theirs || one.units * 10_000n >= theirs * 9_500n;
      const units = all ? ours : (one.units * ours) / theirs;
      sell(units, one.at + delayMs);
      ours -= units;
      theirs = one.units < theirs ? theirs - one.units : 0n;
    }
  }
  sell(ours, to);
  const result = ((got - paid) * 10_000n) / paid;
  return Number((got - paid) * 10_000n < result * paid ? result - 1n : result);
}
