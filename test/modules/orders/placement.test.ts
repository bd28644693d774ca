import { expect, it } from 'vitest';
import {
  judgeLegs,
  judgePlacement,
  type PlacementRequest,
  placementWarnings,
  priceOfCap,
  readPrice,
  relativePrice,
} from '../../../src/modules/orders/rules/placement.ts';
import { compareRates, type Rate } from '../../../src/modules/orders/rules/rate.ts';

const DAY = 86_400_000;
const rate = (got: bigint, given = 100n): Rate => ({ got, given });
const request = (over: Partial<PlacementRequest> = {}): PlacementRequest => ({
  side: 'sell',
  type: 'STOP_LOSS',
  isMintSol: false,
  decimals: 9,
  toleranceBps: 0,
  amount: 1_000n,
  worthLamports: 10_000_000n,
  supply: 1_000n,
  trigger: rate(70n),
  floor: null,
  now: { rate: rate(100n), got: 9n, impactBps: 100, depth: 100_000n },
  trailingBps: null,
  schedule: null,
  placedAt: 1_000,
  expiresAt: 1_000 + 7 * DAY,
  open: { onToken: 19, ofPerson: 99 },
  ...over,
});

it('reads prices, percentages, multiples and caps exactly, and nothing else', () => {
  expect(readPrice('0,00042')).toEqual({ kind: 'SOL', digits: 42n, scale: 5 });
  expect(readPrice('$0.3')).toEqual({ kind: 'USD', digits: 3n, scale: 1 });
  expect(readPrice('-20 %')).toEqual({ kind: 'percent', digits: -20n, scale: 0 });
  expect(readPrice('2.5x')).toEqual({ kind: 'multiple', digits: 25n, scale: 1 });
  expect(readPrice('420K')).toEqual({ kind: 'cap', digits: 420_000n, scale: 0 });
  expect(readPrice('$1,500,000')).toEqual({ kind: 'USD', digits: 1_500_000n, scale: 0 });
  expect(readPrice('1,234.5')).toEqual({ kind: 'SOL', digits: 12_345n, scale: 1 });
  for (const unclear of ['1,500', '$1,500', '-1,500 %', '1,500K', '12,000x']) {
    expect(readPrice(unclear), unclear).toEqual({ kind: 'price-ambiguous' });
  }
  for (const bad of [
    '',
    '0',
    '0.00',
    '-5',
    'abc',
    '1e30',
    '0,5,5',
    'NaN',
    'NaNK',
    '-100%',
    '-101%',
    '0x',
    '0x10',
    '$-1',
    '0K',
    '1٣',
    '³',
  ]) {
    expect(readPrice(bad), bad).toEqual({ kind: 'price-invalid' });
  }
});

it('resolves what is relative, and a cap by the supply of now', () => {
  const down = relativePrice(rate(100n), { kind: 'percent', digits: -20n, scale: 0 });
  expect(compareRates(down, rate(80n))).toBe(0);
  expect(
    compareRates(relativePrice(rate(100n), { kind: 'multiple', digits: 25n, scale: 1 }), rate(250n)),
  ).toBe(0);
  const cap = { kind: 'cap', digits: 420_000n, scale: 0 } as const;
  expect(priceOfCap(cap, 1_000n)).toEqual({ got: 420_000n, given: 1_000n });
  expect(priceOfCap(cap, 0n)).toEqual({ kind: 'supply-zero' });
  expect(priceOfCap({ kind: 'SOL', digits: 1n, scale: 0 }, 5n)).toEqual({ kind: 'cap-invalid' });
});

it('takes a sound order, and refuses each unsound one for its own reason', () => {
  expect(judgePlacement(request())).toBeNull();
  const now = request().now;
  if (now === null) throw new Error('no price');
  const steep = { ...now, impactBps: 5_001 };
  const trail = { type: 'TRAILING_STOP', trigger: null } as const;
  const dca = { type: 'DCA', trigger: null } as const;
  const monthly = { schedule: { intervalMs: 30 * DAY, rounds: 12 }, worthLamports: 10n ** 9n };
  const cases: readonly (readonly [Partial<PlacementRequest>, string | null])[] = [
    [{ isMintSol: true }, 'mint-is-sol'],
    [{ amount: 0n }, 'amount-invalid'],
    [{ amount: 2n ** 64n }, 'amount-invalid'],
    [{ amount: 1_001n }, 'amount-over-supply'],
    [{ worthLamports: 9_999_999n }, 'too-small'],
    [{ expiresAt: 1_000 }, 'expiry-out-of-range'],
    [{ expiresAt: 1_000 + 30 * DAY }, null],
    [{ expiresAt: 1_001 + 30 * DAY }, 'expiry-out-of-range'],
    [{ expiresAt: Number.NaN }, 'expiry-out-of-range'],
    [{ open: { onToken: 20, ofPerson: 20 } }, 'too-many-orders'],
    [{ open: { onToken: 0, ofPerson: 100 } }, 'too-many-orders'],
    [{ trigger: rate(0n) }, 'price-invalid'],
    [{ trigger: null }, 'price-invalid'],
    [{ trigger: rate(100n) }, 'already-true'],
    [{ type: 'TAKE_PROFIT' }, 'already-true'],
    [{ type: 'TAKE_PROFIT', trigger: rate(101n) }, null],
    [{ ...trail, trailingBps: 0 }, 'trail-out-of-range'],
    [{ ...trail, trailingBps: 10_000 }, 'trail-out-of-range'],
    [{ ...trail, trailingBps: 9_000 }, null],
    [{ ...dca, schedule: { intervalMs: 59_000, rounds: 2 } }, 'interval-out-of-range'],
    [{ ...dca, schedule: { intervalMs: 60_000, rounds: 1 } }, 'rounds-out-of-range'],
    [{ ...dca, schedule: { intervalMs: 60_000, rounds: 2 }, worthLamports: 20_000_000n }, null],
    [{ ...dca, schedule: { intervalMs: 60_000, rounds: 2 }, worthLamports: 19_999_999n }, 'round-too-small'],
    // It may stand for as long again as its rounds take, where that is longer than an order stands otherwise.
    [{ ...dca, ...monthly, expiresAt: 1_000 + 720 * DAY }, null],
    [{ ...dca, ...monthly, expiresAt: 1_001 + 720 * DAY }, 'expiry-out-of-range'],
    [{ side: 'buy', type: 'STOP_BUY', now: steep }, 'impact-too-high'],
    // A stop is placed whatever its impact.
    [{ now: steep }, null],
    [{ now: null }, null],
  ];
  for (const [over, expected] of cases) {
    expect(judgePlacement(request(over))?.kind ?? null, JSON.stringify(Object.keys(over))).toBe(expected);
  }
});

it('warns of impact, of a large part of the depth and of a trail within its own impact', () => {
  expect(placementWarnings(request())).toEqual([]);
  const now = { rate: rate(100n), got: 9n, impactBps: 501, depth: 4_000n };
  expect(placementWarnings(request({ now, trailingBps: 1_001 })).map(({ kind }) => kind)).toEqual([
    'impact',
    'depth-share',
    'trail-within-impact',
  ]);
});

it('judges legs together', () => {
  const gain = { type: 'TAKE_PROFIT', unit: 'SOL', shareBps: 5_000, trigger: rate(200n) } as const;
  const stop = { type: 'STOP_LOSS', unit: 'SOL', shareBps: null, trigger: rate(70n) } as const;
  expect(judgeLegs([gain, gain, stop])).toBeNull();
  const reason = (legs: Parameters<typeof judgeLegs>[0]) => judgeLegs(legs);
  expect(reason([])).toMatchObject({ reason: 'none' });
  expect(reason(Array.from({ length: 11 }, () => stop))).toMatchObject({ reason: 'too-many' });
  expect(reason([gain, { ...gain, shareBps: 5_001 }])).toMatchObject({ reason: 'shares-over-whole' });
  expect(reason([{ ...gain, shareBps: 0 }])).toMatchObject({ reason: 'shares-over-whole' });
  expect(reason([{ ...gain, trigger: rate(70n) }, stop])).toMatchObject({ reason: 'take-profit-below-stop' });
});
