import {
  ASSOCIATED_TOKEN_PROGRAM_ID,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import * as programs from '@tradepost/solana';
import { addressBytes, addressFromBytes, isAddress, isOnCurve, shortAddress } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { hasCode } from '../../../src/core/errors/app-error.ts';

describe('addresses', () => {
  it('agree with web3.js on bytes and text', () => {
    for (let i = 0; i < 100; i++) {
      const key = Keypair.generate().publicKey;
      expect(addressFromBytes(key.toBytes())).toBe(key.toBase58());
      expect(addressBytes(address(key.toBase58()))).toEqual(key.toBytes());
    }
  });

  it.each([
    '',
    'abc',
    '0'.repeat(43),
    'l'.repeat(44),
    '1'.repeat(31),
    '1'.repeat(45),
    'So1111111111111111111111111111111111111111',
  ])('refuse %j', (text) => {
    expect(isAddress(text)).toBe(false);
    expect(() => address(text)).toThrow(expect.toSatisfy((error) => hasCode(error, 'ADDRESS_INVALID')));
  });

  it('accept surrounding white space, as pasted text has it', () => {
    expect(address(` ${NATIVE_MINT.toBase58()}\n`)).toBe(NATIVE_MINT.toBase58());
  });

  it('judge the curve as web3.js does, for keys, derived addresses and random bytes', () => {
    for (let i = 0; i < 60; i++) {
      const key = Keypair.generate().publicKey;
      const [derived] = PublicKey.findProgramAddressSync([key.toBytes()], SystemProgram.programId);
      const random = new PublicKey(crypto.getRandomValues(new Uint8Array(32)));
      for (const candidate of [key, derived, random]) {
        expect(isOnCurve(address(candidate.toBase58())), candidate.toBase58()).toBe(
          PublicKey.isOnCurve(candidate.toBytes()),
        );
      }
    }
  });

  it('name the same programs as their own clients', () => {
    expect(programs.SYSTEM_PROGRAM).toBe(SystemProgram.programId.toBase58());
    expect(programs.TOKEN_PROGRAM).toBe(TOKEN_PROGRAM_ID.toBase58());
    expect(programs.TOKEN_2022_PROGRAM).toBe(TOKEN_2022_PROGRAM_ID.toBase58());
    expect(programs.ASSOCIATED_TOKEN_PROGRAM).toBe(ASSOCIATED_TOKEN_PROGRAM_ID.toBase58());
    expect(programs.COMPUTE_BUDGET_PROGRAM).toBe(ComputeBudgetProgram.programId.toBase58());
    expect(programs.WSOL_MINT).toBe(NATIVE_MINT.toBase58());
  });

  it('shorten to four characters at each end', () => {
    expect(shortAddress('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')).toBe('7xKX…gAsU');
  });
});
