import { expect, it } from 'vitest';
import { contendForPrimary } from '../../../src/modules/market/rules/primary-market.ts';

const HOUR = 3_600_000;
const pair = (own: bigint, other: bigint) => [
  { id: 1, primary: true, quoteLiquidity: own },
  { id: 2, primary: false, quoteLiquidity: other },
];

it('moves a pair’s name to a market that was twice as deep for an hour', () => {
  const first = contendForPrimary(pair(100n, 200n), null, 0);
  expect(first).toEqual({ contender: { marketId: 2, since: 0 }, winner: null });
  const later = contendForPrimary(pair(100n, 250n), first.contender, HOUR - 1);
  expect(later).toEqual({ contender: { marketId: 2, since: 0 }, winner: null });
  expect(contendForPrimary(pair(100n, 250n), later.contender, HOUR)).toEqual({ contender: null, winner: 2 });
});

it('begins to count anew when the depth was there for a part of the hour only', () => {
  const { contender } = contendForPrimary(pair(100n, 200n), null, 0);
  const lent = contendForPrimary(pair(100n, 199n), contender, HOUR / 2);
  expect(lent).toEqual({ contender: null, winner: null });
  expect(contendForPrimary(pair(100n, 200n), lent.contender, HOUR).winner).toBeNull();
});
