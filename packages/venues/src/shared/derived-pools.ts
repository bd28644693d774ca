import { type Address, addressBytes } from '@tradepost/solana';
import { programAddress } from './program-address.ts';

/** Where a program may keep a pool of two mints, by the seeds of its addresses: no node has to list anything for it. */
export type DerivedPools = {
  /** The common forms, few enough for the path of a quote. An address may hold nothing. */
  near(mintA: Address, mintB: Address): readonly Address[];
  /** The rest of the known forms, for a search without haste. */
  far(mintA: Address, mintB: Address): readonly Address[];
};

/** The two mints in the order of their bytes, the smaller one first, as seeds. */
export function sortedSeeds(mintA: Address, mintB: Address): readonly [Uint8Array, Uint8Array] {
  const [a, b] = [addressBytes(mintA), addressBytes(mintB)];
  return Buffer.compare(a, b) <= 0 ? [a, b] : [b, a];
}

/** Little-endian or big-endian, of so many bytes. */
export function numberSeed(value: number, bytes: 2 | 8, order: 'le' | 'be' = 'le'): Uint8Array {
  const seed = new Uint8Array(bytes);
  const view = new DataView(seed.buffer);
  if (bytes === 2) view.setUint16(0, value, order === 'le');
  else view.setBigUint64(0, BigInt(value), order === 'le');
  return seed;
}

/** The addresses that a program gives its numbered configurations; each is computed once. */
export function numberedAddresses(
  programId: Address,
  seedsOf: (index: number) => readonly Uint8Array[],
): (index: number) => Address {
  const known = new Map<number, Address>();
  return (index) => {
    const found = known.get(index) ?? programAddress(programId, seedsOf(index));
    known.set(index, found);
    return found;
  };
}

/** `from`, `from + 1` … up to but without `to`. */
export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);
