import type { Address } from '@tradepost/solana';
import { cancelIntent } from '../../src/engine/transactions/use/cancel-intent.ts';
import { createIntent } from '../../src/engine/transactions/use/create-intent.ts';
import type { Random } from '../../test/support/simulator/random.ts';
import type { composeProcess } from './compose.ts';
import { insist } from './insist.ts';
import type { Confirmed } from './judge-moves.ts';
import type { Request } from './people.ts';

type Process = Awaited<ReturnType<typeof composeProcess>>;

/** Confirms requests as people do: one tap in ten is a double tap, one in twenty is regretted at once. */
export function createAsker(
  client: Process,
  random: Random,
  walletOf: (walletId: string) => Address | undefined,
  /** Whose rows a writer changes: their requests may be refused in words, and are asked for once. */
  isVictim: (userId: string) => boolean = () => false,
) {
  const confirmed: string[] = [];
  const agreed = new Map<string, Confirmed>();
  const counts = { doubleTaps: 0, doubles: 0, regrets: 0, cancelled: 0, victims: 0 };
  /** The intents of victims are no promise; what they confirmed bounds what blocks may hold. */
  async function askVictim(request: Request & { readonly idemKey: string }): Promise<void> {
    counts.victims += 1;
    const { params } = request;
    const confirm: typeof client.deps.vault.confirm = async (of, pin) => {
      const confirmation = await client.deps.vault.confirm(of, pin);
      const wallet = walletOf(of.walletId);
      if (wallet !== undefined) agreed.set(of.id, { wallet, params });
      return confirmation;
    };
    await createIntent({ ...client.deps, vault: { ...client.deps.vault, confirm } }, request).catch(
      () => undefined,
    );
  }

  return {
    /** Intents that were confirmed to a person. */
    confirmed,
    /** The terms of each, as they were confirmed, with the wallet of its person. */
    agreed: agreed as ReadonlyMap<string, Confirmed>,
    counts,
    /** Resolves when the confirmation is answered. */
    async ask(request: Request, how: { readonly faithful: boolean } = { faithful: false }): Promise<void> {
      const idemKey = client.deps.ids.ulid();
      if (isVictim(request.userId)) {
        await askVictim({ ...request, idemKey });
        return;
      }
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
      const wallet = walletOf(request.walletId);
      if (wallet !== undefined) agreed.set(first.intent.id, { wallet, params: request.params });
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
