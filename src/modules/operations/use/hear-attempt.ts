import type { Address } from '@tradepost/solana';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import { deathLook, provesDeath } from '../../../engine/intents/rules/death.ts';
import { showsEffect } from '../../../engine/intents/rules/effect.ts';
import type { Attempt } from '../../../engine/intents/rules/intent.ts';
import { isAlone, type Opinion } from '../../../engine/intents/rules/review.ts';
import { LANDING_RULE } from '../../../engine/intents/rules/verdict.ts';
import { unlessUnreachable } from '../../../engine/transactions/use/observe-attempt.ts';
import type { Chain, LandedTransaction, Testimony } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';

/** Endpoints that are asked of however many there are. */
const MOST_ASKED = 4;

export type HearDeps = { readonly chain: Pick<Chain, 'testimony' | 'probe'>; readonly clock: Clock };

/** A transaction of ours, and its intended effect; `attempt` null where only its signature is known. */
export type Heard = {
  readonly signature: string;
  readonly attempt: Pick<Attempt, 'lastValidBlockHeight' | 'signedSlot' | 'signedAt'> | null;
  readonly wallet: Address;
  /** Null where the request is not known: then its record is compared with its status alone. */
  readonly params: IntentParams | null;
  /** The mint that it makes, when it is a creation. */
  readonly createdMint: Address | null;
};

export type Hearing = {
  readonly opinions: readonly Opinion[];
  /** The record of the first endpoint whose word and record agree. */
  readonly transaction: LandedTransaction | null;
};

/**
 * `hearAttempt` of each. Where only one endpoint can be asked, it is asked for a second time, as late as for every other verdict: one false
 * answer decides nothing.
 */
export async function hearAttempts(
  deps: HearDeps & { readonly pause: (ms: number) => Promise<void> },
  heard: readonly Heard[],
): Promise<readonly Hearing[]> {
  const first: Hearing[] = [];
  for (const one of heard) first.push(await hearAttempt(deps, one));
  if (!first.some(({ opinions }) => isAlone(opinions))) return first;
  await deps.pause(LANDING_RULE.secondLookAfterMs);
  const both: Hearing[] = [];
  for (const [index, hearing] of first.entries()) {
    const one = heard[index];
    const again = one && isAlone(hearing.opinions) ? await hearAttempt(deps, one) : null;
    both.push({
      opinions: [...hearing.opinions, ...(again?.opinions ?? [])],
      transaction: hearing.transaction ?? again?.transaction ?? null,
    });
  }
  return both;
}

/** Asks every endpoint by name how this transaction ended; one that does not answer says nothing. */
export async function hearAttempt(deps: HearDeps, heard: Heard): Promise<Hearing> {
  const opinions: Opinion[] = [];
  let transaction: LandedTransaction | null = null;
  for (let round = 0; round < MOST_ASKED; round += 1) {
    const said = await unlessUnreachable(() => deps.chain.testimony(heard.signature, round));
    if (said === null) continue;
    const { endpoint, endpoints } = said;
    if (opinions.some((known) => known.endpoint === endpoint)) break;
    const word = said.status === null ? await absenceAt(deps, heard, round) : wordOf(heard, said);
    if (word === 'landed' || word === 'failed') transaction ??= said.transaction;
    opinions.push({ endpoint, endpoints, word });
  }
  return { opinions, transaction };
}

function wordOf(heard: Heard, { status, transaction }: Testimony): Opinion['word'] {
  if (status === null || status.level !== 'finalized') return null;
  if (transaction !== null && !shows(heard, transaction, status.err)) return 'odd';
  return status.err === null ? 'landed' : 'failed';
}

function shows(
  { wallet, params, createdMint }: Heard,
  transaction: LandedTransaction,
  err: string | null,
): boolean {
  return params === null
    ? (transaction.err === null) === (err === null)
    : showsEffect(transaction, err, { wallet, params, createdMint });
}

/** Not knowing a signature proves its death only past its last block, with a history that reaches back to the signing. */
async function absenceAt({ chain, clock }: HearDeps, heard: Heard, round: number): Promise<Opinion['word']> {
  const { attempt, signature } = heard;
  if (attempt === null) return null;
  const probe = await unlessUnreachable(() => chain.probe(signature, round));
  const look = probe === null ? null : deathLook(attempt, probe, clock.now());
  return look !== null && provesDeath(attempt, look) ? 'dead' : null;
}
