import { describe, expect, it } from 'vitest';
import {
  FEE_TABLE,
  feesOf,
  feeTableWith,
  readDatedNumber,
} from '../../../src/engine/fees/rules/fee-table.ts';

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
const RATE = { min: 0, max: 1_000 };

describe('the fee table', () => {
  it('answers the version in force, and the first one before all of them', () => {
    const table = feeTableWith({
      tradeBps: readDatedNumber('100, 2027-01-01=90', RATE) ?? undefined,
      referralShareBps: readDatedNumber('300,2027-01-01=400,2028-06-01=500', RATE) ?? undefined,
    });
    const fees = feesOf(table);
    expect(table.map(({ from }) => from)).toEqual([FEE_TABLE[0].from, day('2027-01-01'), day('2028-06-01')]);
    expect(fees(0)).toMatchObject({ tradeBps: 100, referralShareBps: 300, createLamports: 20_000_000n });
    expect(fees(day('2027-01-01') - 1)).toMatchObject({ tradeBps: 100, referralShareBps: 300 });
    expect(fees(day('2027-01-01'))).toMatchObject({ tradeBps: 90, referralShareBps: 400 });
    expect(fees(day('2029-01-01'))).toMatchObject({ tradeBps: 90, referralShareBps: 500 });
  });

  it('is the published one where the operator says nothing', () => {
    expect(feeTableWith({})).toEqual(FEE_TABLE);
  });

  it.each([
    '',
    '-1',
    '1001',
    '1e2',
    '100,90',
    '100,2027-01-01',
    '100,2027-02-31=90',
    '100,2027-13-01=90',
    '100,2027-01-01=1001',
    '100,2028-01-01=90,2027-01-01=80',
    '100,2027-01-01=90,2027-01-01=80',
  ])('does not read %j', (text) => {
    expect(readDatedNumber(text, RATE)).toBeNull();
  });
});
