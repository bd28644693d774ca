import type { Address } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { Redemption } from '../../../src/modules/points/rules/shop.ts';
import { createFeeDiscount } from '../../../src/modules/points/use/fee-discount.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

const WALLET = 'wallet' as Address;

function rig() {
  const clock = fakeClock();
  const asked: string[] = [];
  let answer: () => Promise<readonly Redemption[]> = async () => [];
  const db = {
    wallets: { findByAddress: async () => ({ userId: 'ann' }) },
    shop: {
      listByUser: (owner: string) => {
        asked.push(owner);
        return answer();
      },
    },
  } as unknown as Pick<Database, 'wallets' | 'shop'>;
  const until = (endsAt: number): readonly Redemption[] => [
    {
      id: '1',
      userId: 'ann',
      idemKey: 'k',
      item: 'fee-10',
      points: 1n,
      effect: { kind: 'fee-discount', bps: bps(1_000), days: 1 },
      startsAt: 0,
      endsAt,
      createdAt: 0,
    },
  ];
  return {
    clock,
    asked,
    until,
    answers: (next: typeof answer): void => {
      answer = next;
    },
    discount: createFeeDiscount({ db, clock }),
  };
}

it('is asked for once in a moment, and what was redeemed counts after it', async () => {
  const { clock, asked, answers, until, discount } = rig();
  expect(await Promise.all([discount(WALLET), discount(WALLET)])).toEqual([0, 0]);
  answers(async () => until(clock.now() + 60_000));
  clock.advance(1_999);
  expect(await discount(WALLET)).toBe(0);
  expect(asked).toEqual(['ann']);
  clock.advance(1);
  expect(await discount(WALLET)).toBeGreaterThan(0);
  expect(asked).toEqual(['ann', 'ann']);
});

it('ends when it ends, also within the moment', async () => {
  const { clock, answers, until, discount } = rig();
  answers(async () => until(clock.now() + 500));
  expect(await discount(WALLET)).toBeGreaterThan(0);
  clock.advance(500);
  expect(await discount(WALLET)).toBe(0);
});

it('remembers no failure, and no answer of a clock that was set back', async () => {
  const { clock, asked, answers, discount } = rig();
  answers(() => Promise.reject(new Error('away')));
  await expect(discount(WALLET)).rejects.toThrow('away');
  answers(async () => []);
  expect(await discount(WALLET)).toBe(0);
  clock.advance(-3_600_000);
  expect(await discount(WALLET)).toBe(0);
  expect(asked).toHaveLength(3);
});
