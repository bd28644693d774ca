import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../src/compose/texts/words.ts';
import { profitLine } from '../../../../src/engine/intents/chat/profit-line.ts';
import { signedPercent, signedSol } from '../../../../src/platform/telegram/ui/signed.ts';

const lamports = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
const read = (text: string): number => Number(text.replace('−', '-').replace(/[,+<]| SOL| %/g, ''));

const EN = wordsOf('en');

describe('a gain or a loss in words', () => {
  it('keeps its sign down to one lamport', () => {
    expect(signedSol(EN, 1n)).toBe('+0.000000001 SOL');
    expect(signedSol(EN, -1n)).toBe('−0.000000001 SOL');
    expect(signedSol(EN, 0n)).toBe('0 SOL');
    expect(signedPercent(EN, 1n, 10n ** 9n)).toBe('+<0.1 %');
    expect(signedPercent(EN, -1n, 10n ** 9n)).toBe('−<0.1 %');
    expect(signedPercent(EN, 0n, 5n)).toBe('0 %');
    expect(signedPercent(EN, 5n, 0n)).toBe('n/a');
  });

  it('tells a gain never larger and a loss never smaller than it is', () => {
    expect(signedSol(EN, 841_299_999n)).toBe('+0.8412 SOL');
    expect(signedSol(EN, -21_400_001n)).toBe('−0.0215 SOL');
    expect(signedSol(EN, -21_400_001n, 6)).toBe('−0.021401 SOL');
    expect(signedPercent(EN, 312n, 1_000n)).toBe('+31.2 %');
    expect(signedPercent(EN, -43n, 1_000n)).toBe('−4.3 %');
    expect(signedPercent(EN, -431n, 10_000n)).toBe('−4.4 %');
    fc.assert(
      fc.property(lamports, fc.bigInt({ min: 1n, max: 10n ** 14n }), (part, whole) => {
        const sol = read(signedSol(EN, part));
        expect(Math.sign(sol)).toBe(Math.sign(Number(part)));
        expect(sol).toBeLessThanOrEqual(Number(part) / 1e9);
        const text = signedPercent(EN, part, whole);
        expect(Math.sign(read(text))).toBe(Math.sign(Number(part)));
        if (!text.includes('<')) {
          const exact = (Number(part) / Number(whole)) * 100;
          expect(read(text)).toBeLessThanOrEqual(exact + Math.abs(exact) * 1e-12 + 1e-9);
        }
      }),
    );
  });

  it('calls one lamport more than was paid a profit, and one less a loss', () => {
    const line = (made: bigint, counted: 'all' | 'part' = 'all'): string =>
      profitLine(wordsOf('en'), {
        lamports: made,
        costLamports: 10n ** 9n,
        counted,
        microUsdPerSol: 150_000_000n,
      }).markup;
    expect(line(1n)).toMatch(/Profit: .*\+0\.000000001 SOL.*&lt;\$0\.01.*\+&lt;0\.1 %/);
    expect(line(-1n)).toMatch(/Loss: .*−0\.000000001 SOL/);
    expect(line(-11_895_654n)).toMatch(/−0\.011896 SOL \(\$1\.78\) · −1\.2 %$/);
    expect(line(-11_895_654n, 'part')).toMatch(/−1\.2 %, for the units whose cost is known$/);
  });
});
