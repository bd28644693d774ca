import type { ChainAccount } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { createRent, exemption, failsForRent, readRent } from '../../../src/platform/chain/rent.ts';
import { addressOf } from '../../engine/intents/build.ts';

/** The rent account as clusters write it; `cut` leaves so many bytes of it. */
function sysvar(lamportsPerByte: bigint, years: number, cut = 17): ChainAccount {
  const data = new Uint8Array(17);
  new DataView(data.buffer).setBigUint64(0, lamportsPerByte, true);
  new DataView(data.buffer).setFloat64(8, years, true);
  // Not at the begin of its memory, as bytes of an answer are.
  const held = new Uint8Array(40);
  held.set(data, 9);
  return { lamports: 1n, owner: addressOf(1), executable: false, data: held.subarray(9, 9 + cut) };
}

describe('the rent that the chain tells', () => {
  it.each([
    [3_480n, 2, 2_039_280n, 890_880n],
    [6_960n, 1, 2_039_280n, 890_880n],
    [6_333n, 1, 1_855_569n, 810_624n],
    [5_080n, 1, 1_488_440n, 650_240n],
    [696n, 1, 203_928n, 89_088n],
    [3n, 1.5, 1_318n, 576n],
  ])('of %s lamports a byte and %s years', (perByte, years, tokenAccount, plain) => {
    const rate = readRent(sysvar(perByte, years));
    expect([exemption(rate, 165), exemption(rate, 0)]).toEqual([tokenAccount, plain]);
  });

  it.each([
    ['nothing', null],
    ['too few bytes', sysvar(6_960n, 1, 15)],
    ['no rent at all', sysvar(0n, 1)],
    ['more than any cluster asks', sysvar(1n << 62n, 1)],
    ['no years', sysvar(6_960n, 0)],
    ['years below zero', sysvar(6_960n, -2)],
    ['years that are no number', sysvar(6_960n, Number.NaN)],
    ['endless years', sysvar(6_960n, Number.POSITIVE_INFINITY)],
  ])('is not taken from %s', (_, account) => {
    expect(() => readRent(account)).toThrow(/the endpoint (?:does not tell the rent|tells no rent)/);
  });

  it('is asked for once in ten seconds for all sizes, and again after something failed for it', async () => {
    let [at, asked] = [0, 0];
    const rates = [6_960n, 5_080n, 696n];
    const read = async () => sysvar(rates[asked++] ?? 0n, 1);
    const rent = createRent(read, { now: () => at });
    expect(await Promise.all([rent.exemption(0), rent.exemption(165)])).toEqual([890_880n, 2_039_280n]);
    at = 9_999;
    expect(await rent.exemption(0)).toBe(890_880n);
    at = 10_001;
    expect(await rent.exemption(0)).toBe(650_240n);
    rent.distrust();
    expect(await rent.exemption(0)).toBe(89_088n);
    rent.distrust();
    await expect(rent.exemption(0)).rejects.toThrow('tells no rent that can be');
    expect(asked).toBe(4);
  });

  it.each([
    ['{"InsufficientFundsForRent":{"account_index":1}}', [], true],
    [
      '{"InstructionError":[2,{"Custom":0}]}',
      ['Program log: Error: Lamport balance below rent-exempt threshold'],
      true,
    ],
    ['{"InstructionError":[2,"AccountNotRentExempt"]}', [], true],
    ['{"InstructionError":[2,{"Custom":6001}]}', ['Program log: Error: SlippageExceeded'], false],
    [null, ['Program log: rent exempt'], false],
  ])('is doubted by a simulation that failed with %s: %s', (err, logs, doubted) => {
    expect(failsForRent(err, logs)).toBe(doubted);
  });
});
