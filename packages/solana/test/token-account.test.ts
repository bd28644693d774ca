import { AccountState } from '@solana/spl-token';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../src/programs.ts';
import { readTokenAccount } from '../src/token-account.ts';
import { key, tokenAccountBytes } from './token-account-bytes.ts';

const mint = key();
const owner = key();
const bytes = (amount: bigint, state: AccountState = AccountState.Initialized, of = mint) =>
  tokenAccountBytes({ mint: of, owner, amount, state });

describe('readTokenAccount', () => {
  it('reads what the vendor writes, of either program, at any offset in a buffer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.boolean(), (amount, frozen) => {
        const data = bytes(amount, frozen ? AccountState.Frozen : AccountState.Initialized);
        const shifted = Buffer.concat([Buffer.alloc(3), data]).subarray(3);
        for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
          expect(readTokenAccount({ owner: program, data: shifted })).toEqual({
            mint,
            owner,
            amount,
            frozen,
          });
        }
      }),
      { numRuns: 50 },
    );
  });

  it('reads an account with extensions and refuses an extended mint', () => {
    const extended = (type: number) => Buffer.concat([bytes(5n), Uint8Array.of(type), Buffer.alloc(16)]);
    expect(readTokenAccount({ owner: TOKEN_2022_PROGRAM, data: extended(2) })?.amount).toBe(5n);
    expect(readTokenAccount({ owner: TOKEN_2022_PROGRAM, data: extended(1) })).toBeNull();
  });

  it('refuses other programs, uninitialised accounts, multisigs and torn data', () => {
    expect(readTokenAccount({ owner: SYSTEM_PROGRAM, data: bytes(5n) })).toBeNull();
    expect(
      readTokenAccount({ owner: TOKEN_PROGRAM, data: bytes(5n, AccountState.Uninitialized) }),
    ).toBeNull();
    const multisig = Buffer.concat([bytes(5n), Uint8Array.of(2), Buffer.alloc(189)]);
    expect(multisig).toHaveLength(355);
    expect(readTokenAccount({ owner: TOKEN_2022_PROGRAM, data: multisig })).toBeNull();
    expect(readTokenAccount({ owner: TOKEN_PROGRAM, data: bytes(5n).subarray(1) })).toBeNull();
  });
});
