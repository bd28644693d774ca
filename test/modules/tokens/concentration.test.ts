import { type Address, addressFromBytes, BURN_ADDRESSES } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { concentration, withConcentration } from '../../../src/modules/tokens/rules/concentration.ts';

const key = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte));
const account = (byte: number, amount: bigint, owner: Address | null = key(byte + 100)) => ({
  account: key(byte),
  owner,
  amount,
});
const SAFE = { level: 'OK', warnings: [] } as const;
const even = (each: bigint) => Array.from({ length: 20 }, (_, at) => account(at + 1, each));

describe('how much few hands hold', () => {
  it('counts the ten largest, without pools, curves and what is burnt', () => {
    const [burnt = null] = BURN_ADDRESSES;
    const largest = [
      account(50, 4_000n),
      account(51, 2_000n, burnt),
      account(52, 1_000n, key(53)),
      ...even(100n),
    ];
    const pools = new Set([key(50), key(53)]);
    expect(concentration(largest, 10_000n, pools)).toEqual({ top10Bps: 1_000, largestBps: 100 });
    expect(concentration(largest, 10_000n, new Set())).toEqual({ top10Bps: 5_800, largestBps: 4_000 });
    expect(concentration([], 0n, pools)).toBeNull();
  });

  it.each([
    [2_999, 1_999, 'OK', null],
    [3_000, 500, 'OK', 'NOTE'],
    [4_999, 1_999, 'OK', 'NOTE'],
    [5_000, 600, 'CAREFUL', 'CAREFUL'],
    [2_000, 2_000, 'CAREFUL', 'CAREFUL'],
  ] as const)('of %d bps in ten and %d in one hand says %s', (top10Bps, largestBps, level, severity) => {
    const told = withConcentration(SAFE, { top10Bps, largestBps });
    expect(told.level).toBe(level);
    expect(told.warnings).toEqual(
      severity === null ? [] : [{ code: 'CONCENTRATED', severity, top10Bps, largestBps }],
    );
  });

  it('says nothing where nobody counted, and lowers no level', () => {
    expect(withConcentration(SAFE, null)).toBe(SAFE);
    const blocked = { level: 'BLOCK', warnings: [{ code: 'DEFAULT_FROZEN', severity: 'BLOCK' }] } as const;
    expect(withConcentration(blocked, { top10Bps: 9_000, largestBps: 9_000 }).level).toBe('BLOCK');
  });
});
