import { createHash } from 'node:crypto';
import { decodeLooks } from '../../../src/engine/intents/rules/death.ts';
import type { Attempt } from '../../../src/engine/intents/rules/intent.ts';
import type { IntentEvent } from '../../../src/engine/intents/rules/transition.ts';
import { decodeLandingLooks, type LandingLook } from '../../../src/engine/intents/rules/verdict.ts';
import { isLive, isOpen } from '../fakes/commit-rules.ts';
import { hasLost } from './powerless.ts';
import { type Bytes, type Engine, type SignerWorld, TICK_MS, type Worker, type World } from './world.ts';

/** 96 bits: among a hundred million states no two are mistaken for each other. */
export type Fingerprint = readonly [number, number, number];

/**
 * Equal for worlds from which the same can follow, but for what is left of the budget, which `Seen` compares. What cannot matter
 * any more is left out: how bytes that are final or expired came to be so, what was said of an attempt that is settled, the
 * order in which it was said, which of the two workers is which, and, when the intent is closed and no worker holds anything,
 * everything but the end and the chain.
 */
export function fingerprint(world: World, engine: Engine, isReduced: boolean): Fingerprint {
  const text =
    world.signer === undefined
      ? isReduced
        ? reducedText(world, engine)
        : wholeText(world)
      : `${wholeText(world)}%${signerText(world, world.signer)}`;
  const digest = createHash('sha1').update(text).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)];
}

function reducedText(world: World, { rules }: Engine): string {
  const { row } = world;
  const chain = world.chain.map((bytes) => `${bytes.signature}${bytesText(bytes)}`).join();
  const end = `${row.intent.status}|${world.captured}|${world.voided}|${chain}`;
  const isOver = !isOpen(row.intent) && !rules.mayLease({ ...row.intent, leaseUntil: null }, world.now);
  if (isOver && world.workers.every(({ at }) => at === 'idle')) return end;
  const lease = Number((row.intent.leaseUntil ?? 0) > world.now);
  return `${end}|${world.now / TICK_MS}|${lease}|${row.attempts.map(attemptText).join()}#${workersText(world, workerText)}`;
}

/** What a violation is read from: status, books and chain. Bytes are told by their order, not by the name that was free. */
export function faceOf({ row, captured, voided, chain }: World): string {
  return `${row.intent.status}|${captured}|${voided}|${chain.map(bytesText).join()}`;
}

/** Everything as it is: what reductions are compared with. */
function wholeText(world: World): string {
  const { row } = world;
  return [
    row.intent.status,
    world.captured,
    world.voided,
    world.now / TICK_MS,
    Number((row.intent.leaseUntil ?? 0) > world.now),
    world.chain.map((bytes) => JSON.stringify(bytes)).join(),
    row.attempts.map(wholeAttemptText).join(),
    workersText(world, wholeWorkerText),
  ].join('|');
}

/** The journal, what a replica may be left with, and epochs by number: one that was given before may be given again. */
function signerText({ row, workers, left, now }: World, signer: SignerWorld): string {
  const notes = signer.notes.map(
    ({ signature, isStored, end, attempt, at }) =>
      `${signature}${Number(isStored)}${end}${attempt === null ? '' : attempt.n}${now - at > 0 ? 'old' : ''}`,
  );
  const past = signer.past.map(
    (rows) =>
      `${rows.row.intent.status}${rows.row.intent.leaseEpoch}${Number((rows.row.intent.leaseUntil ?? 0) > now)}${rows.captured}${rows.voided}${attemptsText(rows.row.attempts)}`,
  );
  const epochs = workers.map((worker) =>
    'state' in worker ? `${worker.state.intent.leaseEpoch}${workerText(worker)}` : worker.at,
  );
  return [
    notes.join(),
    signer.storedLines.map((line) => line.join('+')).join(),
    Number(signer.isFenced),
    Number(signer.wentBack),
    past.join('/'),
    row.intent.leaseEpoch,
    epochs.sort().join('#'),
    left.rollbacks ?? 0,
    left.losses ?? 0,
  ].join('|');
}

/** Two workers that change places are the same two workers. */
function workersText(world: World, text: (worker: Worker) => string): string {
  return world.workers
    .map((worker) => `${text(worker)}${'state' in worker && !hasLost(world, worker) ? '!' : ''}`)
    .sort()
    .join('#');
}

/** Only bytes in no block may be in the air or too old, and too old bytes may be wherever they like. */
function bytesText({ inAir, fate, isFinal, isExpired }: Bytes): string {
  if (fate !== null) return `${fate}${isFinal ? 'final' : Number(isExpired)}`;
  return isExpired ? 'never' : String(Number(inAir));
}

/** Rows and beliefs are shared by thousands of worlds, so their texts are made once. */
function remembered<T extends object>(make: (value: T) => string): (value: T) => string {
  const known = new WeakMap<T, string>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    const text = make(value);
    known.set(value, text);
    return text;
  };
}

const workerText = remembered((worker: Worker): string => beliefText(worker, attemptText));
const wholeWorkerText = remembered((worker: Worker): string => beliefText(worker, wholeAttemptText));

function beliefText(worker: Worker, text: (attempt: Attempt) => string): string {
  if (worker.at === 'idle') return 'idle';
  if (worker.at === 'read') return `read ${worker.attempts.map(text).join()}`;
  const { at, state } = worker;
  const events = at === 'committing' ? `${Number(worker.claims)}${worker.events.map(eventText).join()}` : '';
  return `${at};${state.intent.status};${state.attempts.map(text).join()};${events}`;
}

/** The reducer asks an attempt that is settled for its status alone, and looks alike count as one. */
const attemptText = remembered((attempt: Attempt): string =>
  isLive(attempt)
    ? [factsText(attempt), ...[...new Set(looksOf(attempt))].sort()].join('.')
    : factsText(attempt),
);

const wholeAttemptText = remembered((attempt: Attempt): string =>
  [factsText(attempt), ...looksOf(attempt)].join('.'),
);

/** Everything that is told apart of an intent's attempts. */
export const attemptsText = (attempts: readonly Attempt[]): string => attempts.map(wholeAttemptText).join();

const factsText = (attempt: Attempt): string =>
  [
    attempt.signature,
    attempt.n,
    attempt.status,
    Number(attempt.sendCount > 0),
    attempt.chainError === null ? '' : 'err',
    attempt.landedSlot === null ? '' : 'slot',
  ].join('.');

const looksOf = (attempt: Attempt): readonly string[] => [
  ...decodeLooks(attempt.deathProof).map(({ endpoint, at }) => `${endpoint}never${at / TICK_MS}`),
  ...decodeLandingLooks(attempt.landingProof).map(landingText),
];

const landingText = ({ endpoint, at, err }: LandingLook): string =>
  `${endpoint}${err === null ? 'ok' : 'err'}${at / TICK_MS}`;

const eventText = remembered((event: IntentEvent): string => {
  switch (event.kind) {
    case 'signed':
      return `signed ${event.attempt.signature}`;
    case 'looked':
      return `looked ${event.attemptId} ${event.look.endpoint} ${event.look.at}`;
    case 'finalized':
      return `finalized ${event.attemptId} ${event.looks.map(landingText).join()}`;
    case 'confirmed':
      return `confirmed ${event.attemptId} ${event.err === null}`;
    case 'refused':
    case 'sent':
    case 'seen':
    case 'lapsed':
    case 'cancelled':
      return event.kind;
  }
});
