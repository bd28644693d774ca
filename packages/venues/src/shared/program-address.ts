import { createHash } from 'node:crypto';
import { type Address, addressBytes, addressFromBytes, isOnCurve } from '@tradepost/solana';

const MARK = textSeed('ProgramDerivedAddress');
const MAX_SEED_BYTES = 32;
/** The bump is a seed too. */
const MAX_SEEDS = 15;

/** The program-derived address of `seeds` with its highest valid bump. Pure. Throws a RangeError for seeds that no program takes. */
export function programAddress(programId: Address, seeds: readonly Uint8Array[]): Address {
  if (seeds.length > MAX_SEEDS) throw new RangeError(`${seeds.length} seeds, at most ${MAX_SEEDS}`);
  // The runtime never tries a bump of 0.
  for (let bump = 255; bump > 0; bump -= 1) {
    const found = seededAddress(programId, [...seeds, Uint8Array.of(bump)]);
    if (found !== null) return found;
  }
  throw new RangeError(`no bump makes an address of ${programId}`);
}

/**
 * The address of exactly these seeds, the bump among them; null where a key could exist for it, for then it is no program's. Throws a
 * RangeError for a seed of more than 32 bytes. Source of truth: `Pubkey::create_program_address`.
 */
export function seededAddress(programId: Address, seeds: readonly Uint8Array[]): Address | null {
  const hash = createHash('sha256');
  for (const seed of seeds) {
    if (seed.length > MAX_SEED_BYTES) throw new RangeError(`a seed of ${seed.length} bytes`);
    hash.update(seed);
  }
  const found = addressFromBytes(hash.update(addressBytes(programId)).update(MARK).digest());
  return isOnCurve(found) ? null : found;
}

/** A seed that is plain text. */
export function textSeed(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
