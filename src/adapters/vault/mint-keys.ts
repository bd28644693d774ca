import { randomBytes } from 'node:crypto';
import type { MintKeys } from '../../core/ports/mint-keys.ts';
import { keyAddress, signingKey, signMessage } from './sign.ts';

/** Keys of new mints: never stored, never sealed, gone with their one signature. */
export function createMintKeys(): MintKeys {
  return {
    generate() {
      const seed = randomBytes(32);
      try {
        let key: ReturnType<typeof signingKey> | null = signingKey(seed);
        return {
          address: keyAddress(key),
          sign(message) {
            if (key === null) throw new RangeError('a mint key signs once');
            const signature = signMessage(key, message);
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
