import { hash, verify } from '@node-rs/argon2';
import type { Pins } from '../ports/pins.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes. One try costs some 40 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * PINs by argon2id with the pepper as its secret input. The person is part of what is hashed: somebody who can write the
 * database gains nothing by putting the hash of their own PIN into a victim's row.
 */
export function createArgon2Pins({ pepper }: { readonly pepper: Uint8Array }): Pins {
  const options = { ...COST, secret: pepper };
  const bound = (pin: string, userId: string): string => `${userId.length}:${userId}:${pin}`;
  return {
    hash: (pin, userId) => hash(bound(pin, userId), options),
    verify: (stored, pin, userId) => verify(stored, bound(pin, userId), options).catch(() => false),
  };
}
