import { randomBytes } from 'node:crypto';
import type { MintKeys } from '../ports/mint-keys.ts';
import { type HeldKey, heldKey } from './held-key.ts';

/** Keys of new mints: never stored, never sealed, gone with their one signature. */
export function createMintKeys(): MintKeys {
  return {
    generate() {
      const seed = randomBytes(32);
      try {
        let key: HeldKey | null = heldKey(seed);
        return {
          address: key.address,
          sign(message) {
            if (key === null) throw new RangeError('a mint key signs once');
            const signature = key.sign(message);
            key = null;
            return signature;
          },
        };
      } finally {
        seed.fill(0);
      }
    },
  };
}
