import { describe, expect, it } from 'vitest';
import { networkFee, networkFeeCap } from '../../../src/services/fees/network-fee.ts';

/** Lamports of priority that each tier may cost at most, as the settings screen and the README promise them. */
const CAPS = { economy: 100_000n, normal: 1_000_000n, fast: 3_000_000n, turbo: 10_000_000n } as const;
const TIERS = Object.keys(CAPS) as (keyof typeof CAPS)[];

describe('the network fee', () => {
  it.each(TIERS)('of tier %s never costs more priority than its cap, in whatever market', (tier) => {
    for (const units of [300, 80_000, 1_400_000]) {
      const fee = networkFee({ units, marketPrice: 10n ** 15n, tier, signatures: 2 });
      expect(fee.priorityLamports).toBeLessThanOrEqual(CAPS[tier]);
      // And uses what it may: half the cap would lose the race.
      expect(fee.priorityLamports).toBeGreaterThan(CAPS[tier] - 2n);
      expect(fee.totalLamports).toBe(10_000n + fee.priorityLamports);
    }
    expect(networkFeeCap(tier, 2)).toBe(10_000n + CAPS[tier]);
  });

  it('is the market’s where that is below the cap, rounded up to a whole lamport', () => {
    const fee = networkFee({ units: 1_000, marketPrice: 1_001n, tier: 'normal', signatures: 1 });
    expect(fee).toMatchObject({ microLamportsPerUnit: 1_001n, priorityLamports: 2n, totalLamports: 5_002n });
  });
});
