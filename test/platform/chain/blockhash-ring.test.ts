import { describe, expect, it } from 'vitest';
import { createBlockhashRing } from '../../../src/platform/chain/blockhash-ring.ts';

const heard = (height: bigint) => ({
  blockhash: `hash-${height}`,
  lastValidBlockHeight: height + 150n,
  slot: height + 10n,
});

/** The height of the blockhash that is given at height 1,000, after these were heard. */
function agedOf(heights: readonly bigint[], slotMs: number, measuredAt: number | null = 1): string {
  const ring = createBlockhashRing({ slotMs: () => slotMs, measuredAt: () => measuredAt });
  for (const height of heights) ring.hear(heard(height));
  return ring.aged(heard(1_000n)).blockhash;
}

describe('an aged blockhash', () => {
  it('has half its life left, or somewhat more', () => {
    expect(agedOf([880n, 900n, 924n, 925n, 926n, 950n], 200)).toBe('hash-925');
    expect(agedOf([924n, 940n, 960n], 400)).toBe('hash-940');
  });

  it('has fifteen seconds left where blocks are fast', () => {
    expect(agedOf([925n, 949n, 950n, 990n], 150)).toBe('hash-950');
    expect(agedOf([925n, 950n, 999n], 100)).toBe('hash-1000');
  });

  it('is the newest where none is old enough, or no slot was measured', () => {
    expect(agedOf([], 200)).toBe('hash-1000');
    expect(agedOf([900n], 200)).toBe('hash-1000');
    expect(agedOf([925n, 950n], 200, null)).toBe('hash-1000');
  });

  it('is of the last 32 that were heard, each once', () => {
    const many = Array.from({ length: 32 }, (_, index) => 940n + BigInt(index));
    expect(agedOf([930n, ...many], 200)).toBe('hash-940');
    expect(agedOf([930n, ...Array.from({ length: 40 }, () => 950n)], 200)).toBe('hash-930');
  });

  it('is taken for as many blocks as were asked for, whether slots were measured or not', () => {
    const asked = (least: bigint, measuredAt: number | null = 1) => {
      const ring = createBlockhashRing({ slotMs: () => 200, measuredAt: () => measuredAt });
      for (const height of [850n, 859n, 860n, 890n, 940n]) ring.hear(heard(height));
      return ring.aged(heard(1_000n), least).blockhash;
    };
    expect(asked(10n)).toBe('hash-860');
    expect(asked(9n)).toBe('hash-859');
    expect(asked(41n, null)).toBe('hash-940');
    expect(asked(91n)).toBe('hash-1000');
    expect(asked(150n)).toBe('hash-1000');
  });
});
