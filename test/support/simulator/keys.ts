import { createHash } from 'node:crypto';
import type { Address } from '@tradepost/solana';
import { seedAddress } from '../../../src/platform/vault/seed-signer.ts';

const known = new Map<string, Address>();

/** The seed of a simulated wallet: the same in every run, so that a run repeats bit for bit. */
export function seedNamed(name: string): Uint8Array {
  return createHash('sha256').update(`the simulated key of ${name}`).digest();
}

/** The address of that seed: a real key can sign for it. */
export function addressNamed(name: string): Address {
  const found = known.get(name);
  if (found !== undefined) return found;
  const address = seedAddress(seedNamed(name));
  known.set(name, address);
  return address;
}
