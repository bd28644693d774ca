import { cancelIntent } from '../../src/engine/transactions/use/cancel-intent.ts';
import { createIntent } from '../../src/engine/transactions/use/create-intent.ts';
import type { Random } from '../../test/support/simulator/random.ts';
import type { composeProcess } from './compose.ts';
import { insist } from './insist.ts';
import type { Request } from './people.ts';

type Process = Awaited<ReturnType<typeof composeProcess>>;

/** Confirms requests as people do: one tap in ten is a double tap, one in twenty is regretted at once. */
export function createAsker(client: Process, random: Random) {
  const confirmed: string[] = [];
  const counts = { doubleTaps: 0, doubles: 0, regrets: 0, cancelled: 0 };
  return {
    /** Intents that were confirmed to a person. */
    confirmed,
    counts,
    /** Resolves when the confirmation is answered. */
    async ask(request: Request, how: { readonly faithful: boolean } = { faithful: false }): Promise<void> {
      const idemKey = client.deps.ids.ulid();
      const taps = random.chance(0.1) ? 2 : 1;
      const regretted = random.chance(0.05) && !how.faithful;
      if (taps > 1) counts.doubleTaps += 1;
      const made = await Promise.all(
        Array.from({ length: taps }, () => insist(() => createIntent(client.deps, { ...request, idemKey }))),
      );
      const [first] = made;
      if (first === undefined) return;
      if (made.some(({ intent }) => intent.id !== first.intent.id)) counts.doubles += 1;
      confirmed.push(first.intent.id);
      if (!regretted) return;
      // Against the worker that signs it at the same moment: one of the two wins.
      counts.regrets += 1;
      const { cancelled } = await insist(() =>
        cancelIntent(client.deps, { intentId: first.intent.id, userId: request.userId }),
      );
      if (cancelled) counts.cancelled += 1;
    },
  };
}

export type Asker = ReturnType<typeof createAsker>;
