import { type Address, type Instruction, SYSTEM_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { bidOf } from '../../../src/engine/fees/rules/bid.ts';
import { networkFeeCap } from '../../../src/engine/fees/rules/network-fee-cap.ts';
import { marketPrice, networkFee } from '../../../src/engine/fees/use/network-fee.ts';

/** Lamports of priority that each tier may cost at most, as the settings screen and the README promise them. */
const CAPS = { economy: 100_000n, normal: 1_000_000n, fast: 3_000_000n, turbo: 10_000_000n } as const;
const [POOL, VAULT, TREASURY, PROGRAM] = ['pool', 'vault', 'treasury', 'program'] as Address[] as [
  Address,
  Address,
  Address,
  Address,
];

/** Pays the fee, then trades with the pool. */
function tradeOf(payer: Address, own: Address): readonly Instruction[] {
  const account = (address: Address, writable: boolean) => ({ address, writable, signer: address === payer });
  const data = new Uint8Array();
  return [
    { programId: SYSTEM_PROGRAM, accounts: [account(payer, true), account(TREASURY, true)], data },
    {
      programId: PROGRAM,
      accounts: [payer, own, POOL, VAULT].map((one) => account(one, true)).concat(account(PROGRAM, false)),
      data,
    },
  ];
}
const TIERS = Object.keys(CAPS) as (keyof typeof CAPS)[];

describe('the network fee', () => {
  it('is the market’s at first, and half as much again with each attempt, up to the cap', () => {
    expect([1, 2, 3].map((n) => bidOf(20_000n, n))).toEqual([20_000n, 30_000n, 45_000n]);
    for (const tier of TIERS) {
      const late = networkFee({ units: 80_000, marketPrice: bidOf(1_000n, 10_000), tier, signatures: 1 });
      expect(late.priorityLamports).toBeLessThanOrEqual(CAPS[tier]);
    }
  });

  it.each([
    ['economy', 1_000n],
    ['normal', 10_000n],
    ['fast', 50_000n],
    ['turbo', 200_000n],
  ] as const)('of tier %s bids at least %s from the first attempt on', async (tier, floor) => {
    const [payer, own] = ['ann', 'tokens'] as Address[] as [Address, Address];
    const priceOf = (told: bigint | null) =>
      marketPrice({ priorityPrice: async () => told }, { payer, own: [own] }, tradeOf(payer, own), tier);
    // No figure of other payers; all paid 0; others paid less, and more.
    expect(await Promise.all([null, 0n, floor - 1n, floor + 1n].map(priceOf))).toEqual([
      floor,
      floor,
      floor,
      floor + 1n,
    ]);
  });

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

  it('is asked for what others write too: a crowd in one pool asks one question', async () => {
    const asked: (readonly Address[])[] = [];
    const chain = {
      priorityPrice: async (writable: readonly Address[]) => {
        asked.push(writable);
        return 70_000n;
      },
    };
    for (const name of ['ann', 'bob']) {
      const [payer, own] = [name, `${name}'s tokens`] as Address[] as [Address, Address];
      expect(await marketPrice(chain, { payer, own: [own] }, tradeOf(payer, own), 'normal')).toBe(70_000n);
    }
    expect(asked).toEqual([
      [POOL, VAULT],
      [POOL, VAULT],
    ]);
  });
});
