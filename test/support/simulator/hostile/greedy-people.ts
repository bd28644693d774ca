import { addressFromBytes } from '@tradepost/solana';
import { AppError } from '../../../../src/core/errors/app-error.ts';
import type { IntentParams } from '../../../../src/engine/intents/kinds/params.ts';
import {
  type CreateIntentDeps,
  createIntent,
} from '../../../../src/engine/transactions/use/create-intent.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import type { Cluster } from '../cluster.ts';
import { addPerson, walletOf } from '../people.ts';
import type { Random } from '../random.ts';
import type { Timeline } from '../timeline.ts';

const LAMPORTS = 1_000_000_000n;
const DAY_MS = 86_400_000;
/** They stand behind those of requests, orders and copies. */
const FIRST_PERSON = 120;
const WITHDRAWALS = 5;
const EACH = (LAMPORTS * 3n) / 2n;

/**
 * It is added when the run begins, which is over before the address has waited. The chat puts nothing off: its moment is a column that a writer
 * takes away.
 */
export const NEW_ADDRESS = addressFromBytes(new Uint8Array(32).fill(190));

type Request = {
  readonly userId: string;
  readonly walletId: string;
  readonly params: Extract<IntentParams, { readonly kind: 'withdraw-sol' }>;
};

/**
 * A person who wants more than a day allows, and once to an address that is new. The chat adds the rows of the day up and refuses a sum beyond the cap, as the product's own gate
 * does; where a writer has changed these rows it lets more through, and the signer alone is left.
 */
export async function addGreedyPerson(run: {
  readonly arrivals: Database;
  readonly cluster: Cluster;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly capLamports: bigint;
  /** Writes the address into the book; `ageMs`: how long it has stood there. */
  readonly book: (request: Request, name: string, ageMs: number) => void;
  /** The bot's process now, and what its person confirms with. */
  readonly desk: () => CreateIntentDeps;
}): Promise<void> {
  const { timeline, random } = run;
  const userId = await addPerson(run.arrivals, { index: FIRST_PERSON, inviterId: null });
  const walletId = `wallet-${userId}`;
  run.cluster.balances.set(walletOf(FIRST_PERSON), 20n * LAMPORTS);
  for (let n = 0; n <= WITHDRAWALS; n += 1) {
    const isHasty = n === WITHDRAWALS;
    const destination = isHasty ? NEW_ADDRESS : addressFromBytes(new Uint8Array(32).fill(160 + n));
    const lamports = isHasty ? LAMPORTS / 10n : EACH;
    const params = {
      kind: 'withdraw-sol',
      destination,
      lamports,
      everything: false,
      tier: 'normal',
    } as const;
    const request: Request = { userId, walletId, params };
    run.book(request, `greedy-${n}`, isHasty ? 0 : DAY_MS);
    const ask = (tries: number): void => {
      withdraw(run, { ...request, idemKey: `greedy-${n}` }).catch(() => {
        if (tries < 20) timeline.after(random.between(500, 5_000), () => ask(tries + 1));
      });
    };
    timeline.after(random.between(100, 40_000), () => ask(0));
  }
}

async function withdraw(
  { desk, timeline, capLamports }: Parameters<typeof addGreedyPerson>[0],
  request: Request & { readonly idemKey: string },
): Promise<void> {
  const { userId, params } = request;
  await createIntent(desk(), {
    ...request,
    judge: async ({ guards }, intentId) => {
      const now = timeline.now();
      const used = await guards.usedSince(userId, now - DAY_MS);
      const available = capLamports - used.lamports;
      if (params.lamports > available)
        throw new AppError('DAILY_CAP', { needed: params.lamports, available, cap: capLamports });
      await guards.addUse({ intentId, userId, lamports: params.lamports, countsAt: now });
      return { notBefore: null };
    },
  });
}
