import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ASSOCIATED_TOKEN_PROGRAM_ID,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { addressBytes, addressFromBytes, isAddress, shortAddress } from '../src/address.ts';
import { isOnCurve } from '../src/on-curve.ts';
import * as programs from '../src/programs.ts';

const { known } = programs;

describe('addresses', () => {
  it('agree with web3.js on bytes and text', () => {
    for (let i = 0; i < 100; i++) {
      const key = Keypair.generate().publicKey;
      expect(addressFromBytes(key.toBytes())).toBe(key.toBase58());
      expect(addressBytes(known(key.toBase58()))).toEqual(key.toBytes());
    }
  });

  it.each([0, 31, 33, 64])('are never made of %i bytes', (length) => {
    expect(() => addressFromBytes(new Uint8Array(length))).toThrow(RangeError);
  });

  it.each([
    '',
    'abc',
    '0'.repeat(43),
    'l'.repeat(44),
    '1'.repeat(31),
    '1'.repeat(45),
    'So1111111111111111111111111111111111111111',
    ` ${NATIVE_MINT.toBase58()}`,
  ])('are not %j', (text) => {
    expect(isAddress(text)).toBe(false);
  });

  it('judge the curve as web3.js does, for keys, derived addresses and random bytes', () => {
    for (let i = 0; i < 60; i++) {
      const key = Keypair.generate().publicKey;
      const [derived] = PublicKey.findProgramAddressSync([key.toBytes()], SystemProgram.programId);
      const random = new PublicKey(crypto.getRandomValues(new Uint8Array(32)));
      for (const candidate of [key, derived, random]) {
        expect(isOnCurve(known(candidate.toBase58())), candidate.toBase58()).toBe(
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

/** `known` takes any text: the literals of both packages are checked here, so that a slip of a key is no address. */
describe('literal addresses', () => {
  const sources = ['solana', 'venues'].flatMap((name) => {
    const folder = join(import.meta.dirname, '../..', name, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8'));
  });
  const literals = sources.flatMap((text) =>
    [...text.matchAll(/\bknown\(\s*'([^']*)'/g)].map(([, one]) => one ?? ''),
  );

  it('are addresses of 32 bytes', () => {
    expect(literals.length).toBeGreaterThan(30);
    expect(literals.filter((one) => !isAddress(one))).toEqual([]);
  });
});
