import { deathLook, rememberLook } from '../../../engine/intents/rules/death.ts';
import { type LandingLook, rememberLanding } from '../../../engine/intents/rules/verdict.ts';
import { unlessUnreachable } from '../../../engine/transactions/use/observe-attempt.ts';
import type { BlockhashLooks } from '../../../platform/ports/blockhash-looks.ts';
import type { Chain, SendOutcome, SignatureStatus, Testimony } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import {
  HASH_LIFE,
  HASH_SLOT_MARGIN,
  heard,
  isDeathDue,
  isHeightDue,
  isLandingDue,
  isSendDue,
  judged,
} from '../rules/advance.ts';
import { sendByOf } from '../rules/send-way.ts';
import type { Submission } from '../rules/submission.ts';
import type { SubmissionStore } from '../store-port.ts';

export type FollowDeps = {
  readonly submissions: SubmissionStore;
  readonly chain: Pick<Chain, 'send' | 'probe' | 'testimony' | 'latestBlockhash'>;
  readonly blockhashes: BlockhashLooks;
  readonly clock: Clock;
};

/** Endpoints that are asked in one look, of however many there are. */
const MOST_ASKED = 4;

/**
 * One step of following a submission, given a node's status of it now: its bytes go out again, its death or its landing is asked for, and
 * its end is written once it is proven. True when the row changed. Throws CHAIN_UNREACHABLE, and nothing is written then.
 */
export async function followSubmission(
  deps: FollowDeps,
  submission: Submission,
  status: SignatureStatus | null,
): Promise<boolean> {
  const next = judged(await looked(deps, submission, status), deps.clock.now());
  if (next === submission) return false;
  const { version } = submission;
  return deps.submissions.replace({ ...next, version: version + 1, changedAt: deps.clock.now() });
}

async function looked(
  deps: FollowDeps,
  submission: Submission,
  status: SignatureStatus | null,
): Promise<Submission> {
  const { found, seen } =
    status === null ? await searched(deps, submission) : { found: status, seen: submission };
  const next = heard(seen, found);
  if (found?.level === 'finalized') return isLandingDue(next, deps.clock.now()) ? landed(deps, next) : next;
  return found?.level === 'confirmed' ? next : keptAlive(deps, next);
}

/** Sends the bytes again while they may still land, and finds out until when that is. */
async function keptAlive(deps: FollowDeps, submission: Submission): Promise<Submission> {
  const { transaction } = submission;
  let next = submission;
  if (isHeightDue(next, deps.clock.now())) next = await withHeight(deps, next);
  if (transaction === null || !isSendDue(next, deps.clock.now())) return next;
  const outcome = await sentAgain(deps, transaction, next);
  if (outcome === null) return { ...next, lastSentAt: deps.clock.now() };
  const status = next.status === 'received' ? 'sent' : next.status;
  return { ...next, status, sends: next.sends + 1, lastSentAt: deps.clock.now() };
}

/**
 * The answer of the way that was chosen at first. Null while a sender that alone may have the bytes is away: that stops neither the look for
 * its height nor that for its end.
 */
function sentAgain(
  { chain }: FollowDeps,
  transaction: Uint8Array,
  { way }: Submission,
): Promise<SendOutcome | null> {
  const sending = () => chain.send(transaction, sendByOf(way));
  return way.alone ? unlessUnreachable(sending) : sending();
}

/**
 * The last valid height, as an upper bound: the highest that two endpoints report, or the only one, so long after one of them took the
 * blockhash. One endpoint of several proves nothing, because a height that is too low would call a living transaction dead.
 */
async function withHeight({ blockhashes, clock }: FollowDeps, submission: Submission): Promise<Submission> {
  const heights = new Map<string, bigint>();
  let endpoints = 1;
  const firstRound = Math.floor(clock.now() / 1_000);
  const minSlot = submission.slotFloor + HASH_SLOT_MARGIN;
  for (let index = 0; index < endpoints && heights.size < 2; index += 1) {
    const told = await unlessUnreachable(() => blockhashes.height(firstRound + index, minSlot));
    // One that is away is not the last: the others are asked as well.
    endpoints = told === null ? Math.max(endpoints, index + 2) : Math.min(told.endpoints, MOST_ASKED);
    if (told !== null) heights.set(told.endpoint, told.height);
    if (index + 1 >= MOST_ASKED) break;
  }
  if (heights.size < Math.min(2, endpoints)) return submission;
  const highest = [...heights.values()].reduce((most, height) => (height > most ? height : most), 0n);
  return { ...submission, lastValidBlockHeight: highest + HASH_LIFE };
}

type Searched = { readonly found: SignatureStatus | null; readonly seen: Submission };

/** Once its height has passed: a round of the death test, which also finds transactions that landed long ago. */
async function searched(deps: FollowDeps, submission: Submission): Promise<Searched> {
  const { lastValidBlockHeight: last, slotFloor, receivedAt, signature } = submission;
  const now = deps.clock.now();
  const nothing = { found: null, seen: submission };
  if (last === null || !isDeathDue(submission, now)) return nothing;
  const newest = await deps.chain.latestBlockhash();
  if (newest.lastValidBlockHeight - HASH_LIFE <= last) return nothing;
  let { deaths } = submission;
  let endpoints = 1;
  const asked = new Set<string>();
  const firstRound = Math.floor(now / 1_000);
  for (let index = 0; index < endpoints; index += 1) {
    const probe = await unlessUnreachable(() => deps.chain.probe(signature, firstRound + index));
    if (probe === null) {
      endpoints = Math.min(Math.max(endpoints, index + 2), MOST_ASKED);
      continue;
    }
    endpoints = Math.min(probe.endpoints, MOST_ASKED);
    if (probe.status !== null) return { found: probe.status, seen: { ...submission, deaths } };
    const aged = { lastValidBlockHeight: last, signedSlot: slotFloor, signedAt: receivedAt };
    const look = deathLook(aged, probe, deps.clock.now());
    if (look === null || asked.has(look.endpoint)) continue;
    asked.add(look.endpoint);
    deaths = rememberLook(aged, deaths, look);
  }
  return { found: null, seen: deaths === submission.deaths ? submission : { ...submission, deaths } };
}

/** One endpoint says that it is final: endpoints are asked by name until two have said how it ended. */
async function landed(deps: FollowDeps, submission: Submission): Promise<Submission> {
  let { landings, deaths } = submission;
  const heardOf = new Set<string>();
  let endpoints = 1;
  let looks = 0;
  const firstRound = Math.floor(deps.clock.now() / 1_000);
  for (let index = 0; index < endpoints && looks < 2; index += 1) {
    const said = await unlessUnreachable(() =>
      deps.chain.testimony(submission.signature, firstRound + index),
    );
    if (said === null) {
      endpoints = Math.min(Math.max(endpoints, index + 2), MOST_ASKED);
      continue;
    }
    endpoints = Math.min(said.endpoints, MOST_ASKED);
    if (heardOf.has(said.endpoint)) continue;
    heardOf.add(said.endpoint);
    const look = lookOf(submission, said, deps.clock.now());
    if (look !== null) {
      looks += 1;
      landings = rememberLanding(landings, look);
    }
    if (said.status === null) deaths = await withAbsence(deps, { ...submission, deaths }, firstRound + index);
  }
  return { ...submission, landings, deaths };
}

/** Null unless the endpoint says that it is final. Its record must be of this payer and end as its status says. */
function lookOf(
  { feePayer, signature }: Submission,
  { endpoint, endpoints, status, transaction }: Testimony,
  at: number,
): LandingLook | null {
  if (status === null || status.level !== 'finalized') return null;
  const { slot, err } = status;
  const isShown =
    transaction?.signature === signature &&
    transaction.err === err &&
    transaction.balances[0]?.address === feePayer;
  return {
    endpoint,
    endpoints,
    at,
    slot,
    err,
    priceMoved: false,
    sums: transaction === null ? null : transaction.feeLamports.toString(),
    effect: transaction === null ? 'unserved' : isShown ? 'shown' : 'contradicted',
  };
}

/** The proof of its death from an endpoint that does not know it, beside others that say it landed. */
async function withAbsence(
  deps: FollowDeps,
  { lastValidBlockHeight, slotFloor, receivedAt, deaths, signature }: Submission,
  round: number,
): Promise<Submission['deaths']> {
  if (lastValidBlockHeight === null) return deaths;
  const probe = await unlessUnreachable(() => deps.chain.probe(signature, round));
  const aged = { lastValidBlockHeight, signedSlot: slotFloor, signedAt: receivedAt };
  const look = probe === null ? null : deathLook(aged, probe, deps.clock.now());
  return look === null ? deaths : rememberLook(aged, deaths, look);
}
