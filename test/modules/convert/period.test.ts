import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConvertPeriod, convertShare, phaseOf } from '../../../src/modules/convert/rules.ts';

const period: ConvertPeriod = {
  number: 1,
  budgetLamports: 1_000n,
  opensAt: 100,
  closesAt: 200,
  announcedAt: 0,
  seal: null,
  status: 'ANNOUNCED',
  totalPoints: null,
  paidLamports: null,
};

describe('a convert period', () => {
  it('takes points from its first moment to the one before its end', () => {
    const phases = [99, 100, 199, 200].map((now) => phaseOf(period, now));
    expect(phases).toEqual(['announced', 'open', 'open', 'closed']);
  });

  it('is closed while it is being settled and ended afterwards, whatever the clock says', () => {
    for (const now of [0, 150, 300]) {
      expect(phaseOf({ ...period, status: 'SETTLING' }, now)).toBe('closed');
      expect(phaseOf({ ...period, status: 'SETTLED' }, now)).toBe('settled');
      expect(phaseOf({ ...period, status: 'CANCELLED' }, now)).toBe('cancelled');
    }
  });
});

describe('a share', () => {
  it('is pro rata, rounded down', () => {
    expect([1n, 2n, 3n].map((points) => convertShare(100n, points, 6n))).toEqual([16n, 33n, 50n]);
    expect(convertShare(100n, 0n, 0n)).toBe(0n);
  });

  it('is never more than exact, and together never more than the budget; less than a lamport per person stays over', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 40 }),
        (budget, people) => {
          const total = people.reduce((sum, points) => sum + points, 0n);
          const shares = people.map((points) => convertShare(budget, points, total));
          const paid = shares.reduce((sum, share) => sum + share, 0n);
          expect(paid).toBeLessThanOrEqual(budget);
          expect(budget - paid).toBeLessThan(BigInt(people.length));
          shares.forEach((share, i) => {
            expect(share * total).toBeLessThanOrEqual(budget * (people[i] ?? 0n));
          });
        },
      ),
    );
  });
});
