import { isAppError } from '../../core/errors/app-error.ts';
import { deathLook, decodeLooks } from '../../core/intents/death.ts';
import type { Attempt, Intent } from '../../core/intents/intent.ts';
import { isRebroadcastDue, PACE } from '../../core/intents/pace.ts';
import { landedReceipt } from '../../core/intents/receipt.ts';
import { isPriceFailure } from '../../core/intents/retry.ts';
import type { IntentEvent } from '../../core/intents/transition.ts';
import { createdMintOf } from '../../core/mint/read-creation.ts';
import type { DeathProbe, SignatureStatus } from '../../core/ports/chain.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import type { TransactionDeps } from './deps.ts';

export type ObserveDeps = Pick<TransactionDeps, 'chain' | 'clock' | 'treasury' | 'pace' | 'log'> & {
  /** Status of one signature; calls of many intents share requests. */
  readonly statusOf: (signature: string) => Promise<SignatureStatus | null>;
};

/**
 * One look at a signed attempt, with what it calls for: the same bytes sent again, a round of the death test, or the landed
 * transaction read for its receipt. The events that follow, in order; none when there is nothing new. Throws
 * CHAIN_UNREACHABLE.
 */
export async function observeAttempt(
  deps: ObserveDeps,
  intent: Intent,
  wallet: Wallet,
  attempt: Attempt,
): Promise<readonly IntentEvent[]> {
  const status = await deps.statusOf(attempt.signature);
  if (status !== null && status.level !== 'processed') return landed(deps, intent, wallet, attempt, status);
  const now = deps.clock.now();
  const pace = deps.pace ?? PACE;
  const events: IntentEvent[] = [{ kind: 'seen', attemptId: attempt.id, slot: status?.slot ?? null }];
  const condemned = decodeLooks(attempt.deathProof).length > 0;
  if (!condemned && isRebroadcastDue(attempt, now, pace)) events.push(await broadcast(deps, attempt));
  if (status === null && now - attempt.signedAt >= pace.probeAfterMs) {
    const found = await deathTest(deps, attempt);
    if (found.status !== null && found.status.level !== 'processed') {
      return landed(deps, intent, wallet, attempt, found.status);
    }
    events.push(...found.events);
  }
  return events;
}

/**
 * Sends the committed bytes. Whatever the answer, the only truth is what the chain shows later: "refused" may come from a
 * node that is behind, "unknown" may have arrived. Throws CHAIN_UNREACHABLE when the bytes reached no endpoint.
 */
export async function broadcast(
  deps: Pick<ObserveDeps, 'chain' | 'log'>,
  attempt: Attempt,
): Promise<IntentEvent> {
  const outcome = await deps.chain.send(attempt.signedTransaction);
  if (outcome.kind === 'refused' || outcome.kind === 'unknown') {
    deps.log.warn(
      {
        intentId: attempt.intentId,
        signature: attempt.signature,
        outcome: outcome.kind,
        cause: 'err' in outcome ? outcome.err : outcome.cause,
      },
      'broadcast not acknowledged',
    );
  }
  return { kind: 'sent', attemptId: attempt.id };
}

async function landed(
  deps: ObserveDeps,
  intent: Intent,
  wallet: Wallet,
  attempt: Attempt,
  status: SignatureStatus,
): Promise<readonly IntentEvent[]> {
  const level = status.level === 'finalized' ? 'finalized' : 'confirmed';
  if (level === 'confirmed' && attempt.status === 'CONFIRMED') return [];
  const transaction = await deps.chain.landed(attempt.signature);
  const age = deps.clock.now() - attempt.signedAt;
  const patience = (deps.pace ?? PACE).receiptPatienceMs[level];
  // Nodes know a status before they serve the transaction; the person gets the numbers with the result, or waits.
  if (transaction === null && age < patience) return [];
  return [
    {
      kind: level,
      attemptId: attempt.id,
      slot: status.slot,
      err: status.err,
      priceMoved: transaction !== null && isPriceFailure(transaction.logs),
      receipt:
        transaction === null
          ? null
          : landedReceipt(transaction, {
              wallet: wallet.address,
              treasury: deps.treasury.address,
              params: intent.params,
              createdMint: createdMintOf(intent.params, attempt.signedTransaction, deps.treasury.address),
            }),
    },
  ];
}

/**
 * One round of the death test, and a second one at another endpoint in the same breath when the first proves something.
 * The round number grows with time, so that consecutive rounds ask different endpoints.
 */
async function deathTest(
  deps: ObserveDeps,
  attempt: Attempt,
): Promise<{ readonly status: SignatureStatus | null; readonly events: readonly IntentEvent[] }> {
  const events: IntentEvent[] = [];
  const asked = new Set<string>();
  let endpoints = 1;
  const firstRound = Math.floor(deps.clock.now() / 1_000);
  for (let index = 0; index < endpoints; index++) {
    const probe = await probeOnce(deps, attempt, firstRound + index);
    if (probe === null) continue;
    endpoints = Math.min(probe.endpoints, 4);
    if (probe.status !== null) return { status: probe.status, events: [] };
    const look = deathLook(attempt, probe, deps.clock.now());
    if (look === null || asked.has(look.endpoint)) continue;
    asked.add(look.endpoint);
    events.push({ kind: 'looked', attemptId: attempt.id, look });
  }
  return { status: null, events };
}

/** Null when this endpoint cannot be asked: the others still can. */
async function probeOnce(deps: ObserveDeps, attempt: Attempt, round: number): Promise<DeathProbe | null> {
  try {
    return await deps.chain.probe(attempt.signature, round);
  } catch (error) {
    if (isAppError(error) && error.code === 'CHAIN_UNREACHABLE') return null;
    throw error;
  }
}
