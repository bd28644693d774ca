import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figuresOf } from '../../../src/core/text/figures.ts';

const en = figuresOf('en');
const es = figuresOf('es');
const MICRO = 1_000_000n;
const micro = fc.bigInt({ min: 0n, max: 10n ** 22n });
const lamports = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });

/** What a reader understands: the number in smallest units of 10^-30. */
function read(text: string, point: '.' | ','): bigint {
  const counted = /0[.,]0([₀-₉]+)(\d+)/.exec(text);
  if (counted !== null) {
    const zeros = Array.from(counted[1] ?? '').reduce((sum, one) => sum * 10 + '₀₁₂₃₄₅₆₇₈₉'.indexOf(one), 0);
    return BigInt(`${counted[2]}`) * 10n ** BigInt(30 - zeros - (counted[2] ?? '').length);
  }
  const letter =
    { K: 3, M: 6, B: 9, T: 12 }[/[KMBT](?!.*[a-z])/.exec(text.replace('SOL', ''))?.[0] ?? ''] ?? 0;
  const plain = text.replace(/[^\d.,\u202f]/g, '').replaceAll(point === '.' ? ',' : /\u202f/g, '');
  const [whole = '0', fraction = ''] = plain.split(point);
  return BigInt(whole + fraction.padEnd(30, '0')) * 10n ** BigInt(letter);
}

describe('figures', () => {
  it('print the forms that traders write', () => {
    expect(en.price(1_510_000_000n)).toBe('$0.00151');
    expect(en.price(423_000n)).toBe('$0.0₆423');
    expect(en.price(420_000n)).toBe('$0.0₆42');
    expect(en.price(3_100_000_000n)).toBe('$0.0031');
    expect(en.price(150n * 10n ** 12n)).toBe('$150');
    expect(en.price(null)).toBe('n/a');
    expect(en.compact(1_519_999n * MICRO)).toBe('$1.51M');
    expect(en.compact(61_000n * MICRO)).toBe('$61K');
    expect(en.compact(999n * MICRO)).toBe('$999');
    expect(en.usd(146_399_999n)).toBe('$146.39');
    expect(en.usd(9_142n * MICRO + 900_000n)).toBe('$9,142');
    expect(en.usd(1n)).toBe('<$0.01');
    expect([146_390_000n, 37_190_000n, 9_109_999n, 1_250_000_000n].map((worth) => en.worth(worth))).toEqual([
      '$146',
      '$37.1',
      '$9.10',
      '$1.25K',
    ]);
    expect(en.signedUsd(-3_605_000n)).toBe('−$3.61');
    expect(en.signedUsd(1_459_999n)).toBe('+$1.45');
    expect(en.sol(58_997_950_000n)).toBe('58.9979 SOL');
    expect(en.sol(976_123_999n)).toBe('0.976123 SOL');
    expect(en.signedSol(-24_100_001n)).toBe('−0.024101 SOL');
    expect(en.change(-24n, 1_000n)).toBe('−2.4%');
    expect(en.change(-12n, 100n)).toBe('−12%');
    expect(en.change(1_009n, 1_000n)).toBe('+100%');
    expect(en.change(0n, 1_000n)).toBe('0%');
    expect(en.change(5n, 0n)).toBe('n/a');
    expect(en.percent(310)).toBe('3.1%');
    expect(en.units(17_537_112_345n, 5)).toBe('175,371');
  });

  it('print Spanish with a comma, a narrow space from 10 000, and a space before %', () => {
    expect(es.price(1_510_000_000n)).toBe('$0,00151');
    expect(es.change(-24n, 1_000n)).toBe('−2,4\u202f%');
    expect(es.count(1_500)).toBe('1500');
    expect(es.count(98_226)).toBe('98\u202f226');
    expect(es.sol(503_045_000n)).toBe('0,503045 SOL');
  });

  it('never tell a value as more than it is', () => {
    for (const [figures, point] of [
      [en, '.'],
      [es, ','],
    ] as const) {
      fc.assert(
        fc.property(micro, (value) => {
          const exact = value * 10n ** 24n;
          for (const text of [figures.compact(value), figures.usd(value), figures.worth(value)])
            if (!text.startsWith('<')) expect(read(text, point)).toBeLessThanOrEqual(exact);
          expect(read(figures.price(value), point)).toBeLessThanOrEqual(value * 10n ** 18n);
          expect(read(figures.usdUpTo(value), point)).toBeGreaterThanOrEqual(exact);
        }),
      );
    }
  });

  it('cut a gain, and round a loss up in size', () => {
    fc.assert(
      fc.property(lamports, fc.bigInt({ min: 1n, max: 10n ** 20n }), (value, whole) => {
        const size = value < 0n ? -value : value;
        const told = read(en.signedSol(value), '.');
        const percent = read(en.change(value, whole), '.') * whole;
        const exact = size * 10n ** 32n;
        if (value < 0n) {
          expect(told).toBeGreaterThanOrEqual(size * 10n ** 21n);
          expect(percent).toBeGreaterThanOrEqual(exact);
        } else {
          expect(told).toBeLessThanOrEqual(size * 10n ** 21n);
          expect(percent).toBeLessThanOrEqual(exact);
        }
      }),
    );
  });
});
