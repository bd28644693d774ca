import { PublicKey } from '@solana/web3.js';
import { type Address, addressBytes } from '@tradepost/solana';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { programAddress, seededAddress, textSeed } from '../../src/shared/program-address.ts';
import { testAddress } from './build.ts';

const seed = fc.uint8Array({ maxLength: 32 });

/** The vendor's answer; null where it throws. */
function vendor(program: Address, seeds: readonly Uint8Array[]): string | null {
  try {
    return PublicKey.createProgramAddressSync([...seeds], new PublicKey(program)).toBase58();
  } catch {
    return null;
  }
}

it('finds the addresses that web3.js finds, with the same bump', () => {
  fc.assert(
    fc.property(fc.array(seed, { maxLength: 15 }), fc.nat({ max: 1_000 }), (seeds, number) => {
      const program = testAddress(number);
      const [expected] = PublicKey.findProgramAddressSync(seeds, new PublicKey(program));
      expect(programAddress(program, seeds)).toBe(expected.toBase58());
    }),
    { numRuns: 60 },
  );
});

it('gives no address where a key could exist, as web3.js throws there', () => {
  const answers = Array.from({ length: 60 }, (_, bump) => {
    const seeds = [textSeed('vault'), addressBytes(testAddress(5)), Uint8Array.of(bump)];
    expect(seededAddress(testAddress(1), seeds)).toBe(vendor(testAddress(1), seeds));
    return seededAddress(testAddress(1), seeds);
  });
  expect(answers).toContain(null);
  expect(new Set(answers).size).toBeGreaterThan(10);
});

it('refuses seeds that no program takes', () => {
  expect(() => seededAddress(testAddress(1), [new Uint8Array(33)])).toThrow(RangeError);
  expect(() => programAddress(testAddress(1), Array(16).fill(new Uint8Array(1)))).toThrow(RangeError);
});
