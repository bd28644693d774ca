import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { holderFigures } from '../../../src/modules/market/rules/holder-figures.ts';

/** Accounts of owners `o0`, `o1` …, the first with the most. */
const accounts = (count: number, amountOf = (index: number): bigint => BigInt(2_000 - index)) =>
  Array.from({ length: count }, (_, index) => ({
    account: `a${index}` as Address,
    owner: `o${index}` as Address,
    amount: amountOf(index),
  }));

describe('the holders of a token', () => {
  it('are counted by the scan where a node serves one, whatever other sources say', () => {
    const listed = { accounts: accounts(3), isAll: true };
    expect(holderFigures({ counted: 812, listed, largest: accounts(20) })).toMatchObject({
      holders: 812,
      atLeast: 812,
    });
  });

  it('are the owners of a list that names each account, and its largest stand for the ranking', () => {
    const shuffled = accounts(60).toReversed();
    const figures = holderFigures({
      counted: null,
      listed: { accounts: shuffled, isAll: true },
      largest: null,
    });
    expect(figures).toMatchObject({ holders: 60, atLeast: 60 });
    expect(figures.largest).toEqual(accounts(20));
  });

  it('are at least the owners of a list that is one page of more, and its order ranks nothing', () => {
    const listed = { accounts: accounts(1_000), isAll: false };
    expect(holderFigures({ counted: null, listed, largest: null })).toEqual({
      holders: null,
      atLeast: 1_000,
      largest: null,
    });
  });

  it('are counted once for all their accounts', () => {
    const two = accounts(4).map((one, index) => ({ ...one, owner: `o${index % 2}` as Address }));
    expect(
      holderFigures({ counted: null, listed: { accounts: two, isAll: true }, largest: null }).holders,
    ).toBe(2);
  });

  it.each([
    ['of fewer than twenty accounts is a count', accounts(19), 19, 19],
    ['that ends in an empty account is a count', accounts(20, (i) => BigInt(19 - i)), 19, 19],
    ['of twenty says that there are so many at least', accounts(20), null, 20],
    [
      'with an owner who could not be read says nothing',
      [...accounts(3), { ...accounts(1)[0], owner: null }] as ReturnType<typeof accounts>,
      null,
      null,
    ],
  ])('by a ranking %s', (_, largest, holders, atLeast) => {
    expect(holderFigures({ counted: null, listed: null, largest })).toEqual({ holders, atLeast, largest });
  });

  it('are not known where no source answers', () => {
    expect(holderFigures({ counted: null, listed: null, largest: null })).toEqual({
      holders: null,
      atLeast: null,
      largest: null,
    });
  });
});
