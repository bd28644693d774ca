import type { BlockhashLooks } from '../../../platform/ports/blockhash-looks.ts';
import type { Chain, Simulation } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Sender } from '../../../platform/ports/sender.ts';
import type { SignatureChecks } from '../../../platform/ports/signature-checks.ts';
import { HASH_SLOT_MARGIN } from '../rules/advance.ts';
import {
  isProblem,
  type ReadTransaction,
  readTransaction,
  type TransactionProblem,
} from '../rules/read-transaction.ts';
import { type AskedWay, type SendWay, sendByOf, sendWayOf, type WayProblem } from '../rules/send-way.ts';
import type { Submission } from '../rules/submission.ts';
import type { SubmissionStore } from '../store-port.ts';
import { type CallerLimits, MOST_WITHOUT_KEY } from './caller-limits.ts';
import type { SubmitTokens } from './submit-tokens.ts';

export type SubmitDeps = {
  readonly submissions: SubmissionStore;
  readonly chain: Pick<Chain, 'send' | 'simulate'>;
  readonly blockhashes: BlockhashLooks;
  readonly signatureChecks: SignatureChecks;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
  /** Called when one was kept: the follower has work. */
  readonly wake: () => void;
  /** `own`: only transactions built here. `any`: any transaction of callers with a key, and of others those built here. */
  readonly takes: SubmitMode;
  /** Null where the process has no secret for keys: nothing can be proven to be built here. */
  readonly tokens: SubmitTokens | null;
  readonly limits: CallerLimits;
  /** The configured ones beside the nodes. */
  readonly senders: readonly Sender[];
};

export type SubmitMode = 'off' | 'own' | 'any';

export type SubmitRequest = {
  readonly transaction: Uint8Array;
  readonly account: string | null;
  /** Whose requests are counted together. */
  readonly caller: string;
  /** Proves that the transaction was built here. */
  readonly submitToken: string | null;
  readonly reference: string | null;
  readonly skipSimulation: boolean;
  readonly way: AskedWay;
};

export type SubmitRefusal =
  | TransactionProblem
  | WayProblem
  | { readonly code: 'SIGNATURE_INVALID'; readonly signer: string }
  | { readonly code: 'BLOCKHASH_UNKNOWN' }
  | { readonly code: 'SUBMIT_OFF' }
  | { readonly code: 'SUBMIT_TOKEN_MISSING' }
  | { readonly code: 'SUBMIT_TOKEN_INVALID' }
  | { readonly code: 'SUBMIT_TOKEN_EXPIRED' }
  | { readonly code: 'RATE_LIMITED' }
  | {
      readonly code: 'TOO_MANY_UNDER_WAY';
      readonly most: number;
      readonly of: 'payer' | 'account' | 'address';
    }
  | { readonly code: 'BUSY' }
  | { readonly code: 'SIMULATION_FAILED'; readonly err: string; readonly logs: readonly string[] };

export type SubmitResult =
  | { readonly kind: 'kept'; readonly submission: Submission; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly refusal: SubmitRefusal };

const MOST = { all: 5_000, account: 100, payer: 20 } as const;
/** A node may lag behind the one that gave the blockhash; each is asked again until then. */
const KNOWN_WITHIN_MS = 5_000;
const ASK_AGAIN_MS = 500;
const LOGS_TOLD = 20;
/** At `confirmed` a blockhash that is younger than a second is not there yet. */
const TOO_YOUNG = '"BlockhashNotFound"';

/**
 * Takes a signed transaction: checks all of it, runs it once, keeps it, and only then sends it. The same bytes again change nothing and
 * give the same record. When it resolves to `kept`, the transaction is followed until its end is proven, also when a process dies.
 * A refused transaction was never sent. Throws CHAIN_UNREACHABLE and DATABASE_UNREACHABLE.
 */
export async function submitTransaction(deps: SubmitDeps, request: SubmitRequest): Promise<SubmitResult> {
  const read = readTransaction(request.transaction);
  if (isProblem(read)) return refused(read);
  const forged = read.signatures.find(
    ({ signer, signature }) => !deps.signatureChecks.isSigned(read.message, signer, signature),
  );
  if (forged !== undefined) return refused({ code: 'SIGNATURE_INVALID', signer: forged.signer });
  const known = await deps.submissions.find(read.signature);
  if (known !== null) return { kind: 'kept', submission: known, isNew: false };
  const barred = barOf(deps, read, request) ?? (await overLimit(deps, read, request));
  if (barred !== null) return refused(barred);
  const way = sendWayOf(read.message, request.way, deps.senders);
  if ('code' in way) return refused(way);
  const slot = await slotOf(deps, read.blockhash);
  if (slot === null) return refused({ code: 'BLOCKHASH_UNKNOWN' });
  const failed = request.skipSimulation ? null : await failureOf(deps, read);
  if (failed !== null) {
    deps.limits.refused(request.caller);
    return refused(failed);
  }
  if (request.account === null) deps.limits.tookPlace(request.caller, read.signature);
  return keep(deps, newSubmission(read, request, { slot, way, now: deps.clock.now() }));
}

const refused = (refusal: SubmitRefusal): SubmitResult => ({ kind: 'refused', refusal });

/** The reasons that keep every transaction of this caller out. */
function barOf(
  { takes, tokens, limits }: SubmitDeps,
  { message }: ReadTransaction,
  { account, caller, submitToken }: SubmitRequest,
): SubmitRefusal | null {
  if (takes === 'off') return { code: 'SUBMIT_OFF' };
  if (takes === 'own' || account === null) {
    if (tokens === null) return { code: 'SUBMIT_OFF' };
    if (submitToken === null) return { code: 'SUBMIT_TOKEN_MISSING' };
    const verdict = tokens.check(submitToken, message);
    if (verdict !== 'good')
      return { code: verdict === 'expired' ? 'SUBMIT_TOKEN_EXPIRED' : 'SUBMIT_TOKEN_INVALID' };
  }
  return limits.isTired(caller) ? { code: 'RATE_LIMITED' } : null;
}

async function overLimit(
  { submissions, limits }: SubmitDeps,
  { feePayer }: ReadTransaction,
  { account, caller }: SubmitRequest,
): Promise<SubmitRefusal | null> {
  const { all, ofPayer, ofAccount } = await submissions.underWay({ feePayer, account });
  if (all >= MOST.all) return { code: 'BUSY' };
  if (ofPayer >= MOST.payer) return { code: 'TOO_MANY_UNDER_WAY', most: MOST.payer, of: 'payer' };
  if (account !== null && ofAccount >= MOST.account)
    return { code: 'TOO_MANY_UNDER_WAY', most: MOST.account, of: 'account' };
  if (account === null && !(await limits.hasPlace(caller)))
    return { code: 'TOO_MANY_UNDER_WAY', most: MOST_WITHOUT_KEY, of: 'address' };
  return null;
}

/** The slot as of which a node takes the blockhash; null where none does within five seconds. */
async function slotOf({ blockhashes, pause }: SubmitDeps, blockhash: string): Promise<bigint | null> {
  for (let waited = 0; ; waited += ASK_AGAIN_MS) {
    const { isKnown, slot } = await blockhashes.known(blockhash);
    if (isKnown) return slot;
    if (waited >= KNOWN_WITHIN_MS) return null;
    await pause(ASK_AGAIN_MS);
  }
}

async function failureOf(deps: SubmitDeps, { message }: ReadTransaction): Promise<SubmitRefusal | null> {
  const run = (): Promise<Simulation> => deps.chain.simulate(message, []);
  let { err, logs } = await run();
  for (let waited = 0; err === TOO_YOUNG && waited < KNOWN_WITHIN_MS; waited += ASK_AGAIN_MS) {
    await deps.pause(ASK_AGAIN_MS);
    ({ err, logs } = await run());
  }
  return err === null ? null : { code: 'SIMULATION_FAILED', err, logs: logs.slice(-LOGS_TOLD) };
}

function newSubmission(
  { signature, feePayer, blockhash }: ReadTransaction,
  { transaction, account, reference }: SubmitRequest,
  { slot, way, now }: { readonly slot: bigint; readonly way: SendWay; readonly now: number },
): Submission {
  return {
    signature,
    transaction,
    feePayer,
    account,
    reference,
    blockhash,
    lastValidBlockHeight: null,
    // It may have landed another way before it came here, and no earlier than the block of its blockhash.
    slotFloor: slot > HASH_SLOT_MARGIN ? slot - HASH_SLOT_MARGIN : 0n,
    way,
    status: 'received',
    version: 1,
    sends: 0,
    lastSentAt: null,
    slot: null,
    err: null,
    deaths: [],
    landings: [],
    receivedAt: now,
    changedAt: now,
  };
}

/** Committed before it is sent: a process that dies between the two leaves it to the follower. */
async function keep(deps: SubmitDeps, submission: Submission): Promise<SubmitResult> {
  const { submissions, wake } = deps;
  const isNew = await submissions.insert(submission);
  wake();
  if (isNew) await sendOnce(deps, submission);
  const kept = await submissions.find(submission.signature);
  return { kind: 'kept', submission: kept ?? submission, isNew };
}

/** The follower sends again after a failure here. */
async function sendOnce(
  { chain, submissions, clock, log }: SubmitDeps,
  submission: Submission,
): Promise<void> {
  const { transaction, signature, version, way } = submission;
  if (transaction === null) return;
  try {
    await chain.send(transaction, sendByOf(way));
    const now = clock.now();
    const sent = { ...submission, version: version + 1, sends: 1, lastSentAt: now, changedAt: now };
    await submissions.replace({ ...sent, status: 'sent' });
  } catch (err) {
    log.warn({ signature, err }, 'a submitted transaction was not sent at once and is sent again');
  }
}
