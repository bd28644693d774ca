import { createHash } from 'node:crypto';
import { emptyGuard } from '../../../src/modules/guard/rules/guard.ts';
import type { Pins } from '../../../src/platform/ports/pins.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { PASSED } from '../passed.ts';

/** PINs by a fast hash, bound to the person like the real ones; counts how often one was compared. */
export function fakePins(): Pins & { readonly compared: () => number } {
  let compared = 0;
  const digest = (pin: string, userId: string): string =>
    createHash('sha256')
      .update(JSON.stringify([userId, pin]))
      .digest('hex');
  return {
    hash: async (pin, userId) => digest(pin, userId),
    verify: async (hash, pin, userId) => {
      compared += 1;
      return hash === digest(pin, userId);
    },
    compared: () => compared,
  };
}

export const TEST_PIN = '739154';

/** Gives a person the test PIN, as if it had been set long ago. */
export async function givePin(db: Database, pins: Pins, userId: string): Promise<void> {
  await db.guards.save(
    { ...emptyGuard(userId), pinHash: await pins.hash(TEST_PIN, userId), pinSetAt: 0 },
    PASSED,
  );
}
