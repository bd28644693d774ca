import { addressFromBytes, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { feeMintOf, readClosable } from '../../../src/modules/tokens/rules/closable-account.ts';

const OWNER = addressFromBytes(new Uint8Array(32).fill(2));
const MINT = addressFromBytes(new Uint8Array(32).fill(1));
const OTHER = addressFromBytes(new Uint8Array(32).fill(3));

/** A token account of OWNER's that holds nothing; `extensions` as type and content. */
function account(extensions: readonly (readonly [number, readonly number[]])[] = []): Uint8Array {
  const tail = extensions.flatMap(([type, bytes]) => [type, 0, bytes.length, 0, ...bytes]);
  const data = new Uint8Array(165 + (tail.length === 0 ? 0 : 1 + tail.length));
  data.fill(1, 0, 32);
  data.fill(2, 32, 64);
  data[108] = 1;
  if (tail.length > 0) data.set([2, ...tail], 165);
  return data;
}
const closable = (data: Uint8Array, owner = OWNER, program = TOKEN_2022_PROGRAM) =>
  readClosable({ owner: program, data }, owner);
const withByte = (data: Uint8Array, at: number, value: number): Uint8Array => {
  data[at] = value;
  return data;
};

describe('a token account that may be closed', () => {
  it('is its owner’s and empty', () => {
    expect(closable(account(), OWNER, TOKEN_PROGRAM)).toBe(true);
    expect(
      closable(
        account([
          [7, []],
          [2, [0, 0, 0, 0, 0, 0, 0, 0]],
        ]),
      ),
    ).toBe(true);
  });

  it('is nobody else’s, no other program’s, and holds not even one unit', () => {
    expect(closable(account(), OTHER)).toBe(false);
    expect(closable(account(), OWNER, SYSTEM_PROGRAM)).toBe(false);
    expect(closable(withByte(account(), 64, 1))).toBe(false);
    expect(closable(withByte(account(), 71, 1))).toBe(false);
  });

  it('was given to nobody else to close', () => {
    expect(closable(withByte(account(), 129, 1))).toBe(false);
  });

  it('may have fees withheld in it, which its mint takes first, wherever among its extensions they stand', () => {
    const withheld = [0, 0, 0, 0, 0, 0, 0, 1];
    const many = account([
      [7, []],
      [13, [0]],
      [2, withheld],
    ]);
    for (const data of [account([[2, withheld]]), many]) {
      expect(closable(data)).toBe(true);
      expect(feeMintOf({ owner: TOKEN_2022_PROGRAM, data })).toBe(MINT);
    }
    expect(feeMintOf({ owner: TOKEN_2022_PROGRAM, data: account([[7, []]]) })).toBeNull();
    expect(feeMintOf({ owner: TOKEN_PROGRAM, data: account() })).toBeNull();
    // Torn: nobody knows.
    expect(closable(account([[2, withheld]]).slice(0, 175))).toBe(false);
  });

  it('has no balance that nobody can see', () => {
    expect(closable(account([[5, [0]]]))).toBe(false);
  });
});
