import { isAppError } from '../../../core/errors/app-error.ts';
import { hasAged } from '../../../core/time/age.ts';
import type { Wallet } from '../../../modules/wallets/rules/wallet.ts';
import type { LandedTransaction, SignatureStatus, Testimony } from '../../../platform/ports/chain.ts';
import { tipOf } from '../../intents/kinds/rules.ts';
import { createdMintOf } from '../../intents/rules/created-mint.ts';
import { deathLook, decodeLooks } from '../../intents/rules/death.ts';
import { bookedSums, showsEffect } from '../../intents/rules/effect.ts';
import type { Attempt, Intent } from '../../intents/rules/intent.ts';
import { isRebroadcastDue, PACE, type Pace } from '../../intents/rules/pace.ts';
import { landedReceipt } from '../../intents/rules/receipt.ts';
import { isWorthAnother } from '../../intents/rules/retry.ts';
import type { IntentEvent, Landing } from '../../intents/rules/transition.ts';
import { isLandingLookDue, judgeLanding, type LandingLook } from '../../intents/rules/verdict.ts';
import type { TransactionDeps } from './deps.ts';

/** Endpoints that are asked in one look, of however many there are. */
const MOST_ASKED = 4;

export type ObserveDeps = Pick<TransactionDeps, 'chain' | 'clock' | 'treasury' | 'pace' | 'rules' | 'log'> & {
  /** Status of one signature; calls of many intents share requests. */
  readonly statusOf: (signature: string) => Promise<SignatureStatus | null>;
};

/**
 * One look at a signed attempt, with its consequence: the same bytes sent again, a round of the death test, or the landed transaction read
 * for its receipt. The events that follow, in order; none when there is nothing new. Throws CHAIN_UNREACHABLE.
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
  if (!condemned && isRebroadcastDue(attempt, now, pace)) events.push(await broadcast(deps, intent, attempt));
  if (status === null && hasAged(attempt.signedAt, pace.probeAfterMs, now)) {
    const found = await deathTest(deps, attempt);
    if (found.status !== null && found.status.level !== 'processed') {
      return landed(deps, intent, wallet, attempt, found.status);
    }
    events.push(...found.events);
  }
  return events;
}

/**
 * Sends the committed bytes on the way that was confirmed with the intent. No answer is the truth; only the chain shows it later:
 * "refused" may come from a node that is behind, "unknown" may have arrived. Throws CHAIN_UNREACHABLE when the bytes reached no endpoint.
 */
export async function broadcast(
  deps: Pick<ObserveDeps, 'chain' | 'log'>,
  { params }: Pick<Intent, 'params'>,
  attempt: Attempt,
): Promise<IntentEvent> {
  const outcome = await deps.chain.send(attempt.signedTransaction, tipOf(params));
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
  if (status.level === 'finalized') return hearing(deps, intent, wallet, attempt, status);
  if (attempt.status === 'CONFIRMED') return [];
  const transaction = await deps.chain.landed(attempt.signature);
  if (transaction === null && isYoungerThan(deps, attempt, 'confirmed')) return [];
  return [{ kind: 'confirmed', ...landingOf(deps, intent, wallet, attempt, status, transaction) }];
}

/** Nodes know a status before they serve the transaction; the person gets the numbers with the result, or waits. */
function isYoungerThan(deps: ObserveDeps, attempt: Attempt, level: keyof Pace['receiptPatienceMs']): boolean {
  return !hasAged(attempt.signedAt, (deps.pace ?? PACE).receiptPatienceMs[level], deps.clock.now());
}

function landingOf(
  deps: ObserveDeps,
  intent: Intent,
  wallet: Wallet,
  attempt: Attempt,
  { slot, err }: Pick<SignatureStatus, 'slot' | 'err'>,
  transaction: LandedTransaction | null,
): Landing {
  return {
    attemptId: attempt.id,
    slot,
    err,
    priceMoved: transaction !== null && isWorthAnother(intent, attempt, transaction),
    receipt:
      transaction === null
        ? null
        : landedReceipt(transaction, {
            wallet: wallet.address,
            treasury: deps.treasury.address,
            params: intent.params,
            createdMint: createdMintOf(intent.params, attempt.signedTransaction, deps.treasury.address),
          }),
  };
}

/**
 * One endpoint says that it is final. Endpoints are asked by name until two agree on how it ended, because the consequences (money booked
 * or given back, a new signature) cannot be undone. Until they agree it is reported as a confirmed result.
 */
async function hearing(
  deps: ObserveDeps,
  intent: Intent,
  wallet: Wallet,
  attempt: Attempt,
  status: SignatureStatus,
): Promise<readonly IntentEvent[]> {
  if (!isLandingLookDue(attempt, deps.clock.now(), deps.rules?.landing)) return [];
  const { looks, served, doubts, absences } = await hearEndpoints(deps, intent, wallet, attempt);
  const transaction = served ?? (await deps.chain.landed(attempt.signature));
  const landing = landingOf(deps, intent, wallet, attempt, looks[0] ?? status, transaction);
  const events: IntentEvent[] = [...absences];
  const isTold = attempt.status === 'CONFIRMED' || looks.length > 1;
  if (!isTold && (transaction !== null || !isYoungerThan(deps, attempt, 'confirmed'))) {
    events.push({ kind: 'confirmed', ...landing });
  }
  // Two looks may end it, and its receipt would be missing for good. The only endpoint ends nothing without a record.
  const isAlone = looks.some((look) => look.endpoints === 1);
  const isClear = judgeLanding(attempt, looks, [], deps.rules?.landing).kind !== 'disputed';
  if (transaction === null && isClear && !isAlone && isYoungerThan(deps, attempt, 'finalized')) return events;
  return [...events, { kind: 'finalized', ...landing, looks, doubts }];
}

type Heard = {
  readonly looks: readonly LandingLook[];
  readonly served: LandedTransaction | null;
  readonly doubts: number;
  /** Looks of endpoints whose answer would prove a death. */
  readonly absences: readonly IntentEvent[];
};

async function hearEndpoints(
  deps: ObserveDeps,
  intent: Intent,
  wallet: Wallet,
  attempt: Attempt,
): Promise<Heard> {
  const looks: LandingLook[] = [];
  const absences: IntentEvent[] = [];
  const heard = new Set<string>();
  let served: LandedTransaction | null = null;
  let doubts = 0;
  let endpoints = 1;
  const firstRound = Math.floor(deps.clock.now() / 1_000);
  for (let index = 0; index < endpoints && looks.length < 2; index++) {
    const said = await unlessUnreachable(() => deps.chain.testimony(attempt.signature, firstRound + index));
    if (said === null) continue;
    endpoints = Math.min(said.endpoints, MOST_ASKED);
    if (heard.has(said.endpoint)) continue;
    heard.add(said.endpoint);
    const look = lookOf(deps, intent, wallet, attempt, said);
    if (look === null || (look.effect === 'unserved' && said.endpoints === 1)) doubts += 1;
    if (look !== null) looks.push(look);
    if (look?.effect === 'shown') served ??= said.transaction;
    if (said.status !== null) continue;
    const absence = await absenceAt(deps, attempt, firstRound + index);
    if (absence !== null) absences.push(absence);
  }
  return { looks, served, doubts, absences };
}

/** Null unless the endpoint says that it is final. */
function lookOf(
  deps: ObserveDeps,
  intent: Intent,
  wallet: Wallet,
  attempt: Attempt,
  { endpoint, endpoints, status, transaction }: Testimony,
): LandingLook | null {
  if (status === null || status.level !== 'finalized') return null;
  const { slot, err } = status;
  const parties = {
    wallet: wallet.address,
    params: intent.params,
    createdMint:
      err === null ? createdMintOf(intent.params, attempt.signedTransaction, deps.treasury.address) : null,
  };
  return {
    endpoint,
    endpoints,
    at: deps.clock.now(),
    slot,
    err,
    priceMoved: transaction !== null && isWorthAnother(intent, attempt, transaction),
    sums: transaction === null ? null : bookedSums(transaction, wallet.address, deps.treasury.address),
    effect:
      transaction === null ? 'unserved' : showsEffect(transaction, err, parties) ? 'shown' : 'contradicted',
  };
}

/** The death that an endpoint without the signature can prove: none while its blockhash may still be good. */
async function absenceAt(deps: ObserveDeps, attempt: Attempt, round: number): Promise<IntentEvent | null> {
  if (!hasAged(attempt.signedAt, (deps.pace ?? PACE).probeAfterMs, deps.clock.now())) return null;
  const probe = await unlessUnreachable(() => deps.chain.probe(attempt.signature, round));
  const look = probe === null ? null : deathLook(attempt, probe, deps.clock.now());
  return look === null ? null : { kind: 'looked', attemptId: attempt.id, look };
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
    const probe = await unlessUnreachable(() => deps.chain.probe(attempt.signature, firstRound + index));
    if (probe === null) continue;
    endpoints = Math.min(probe.endpoints, MOST_ASKED);
    if (probe.status !== null) return { status: probe.status, events: [] };
    const look = deathLook(attempt, probe, deps.clock.now());
    if (look === null || asked.has(look.endpoint)) continue;
    asked.add(look.endpoint);
    events.push({ kind: 'looked', attemptId: attempt.id, look });
  }
  return { status: null, events };
}

/** Null when this endpoint cannot be asked: the others still can. */
export async function unlessUnreachable<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isAppError(error) && error.code === 'CHAIN_UNREACHABLE') return null;
    throw error;
  }
}
