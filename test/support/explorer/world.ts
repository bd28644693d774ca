import { createHash } from 'node:crypto';
import { decodeLooks } from '../../../src/core/intents/death.ts';
import type { Attempt, Intent } from '../../../src/core/intents/intent.ts';
import { nextAction, reduce } from '../../../src/core/intents/machine.ts';
import type { IntentEvent, IntentState, Transition } from '../../../src/core/intents/transition.ts';
import { decodeLandingLooks, type LandingLook } from '../../../src/core/intents/verdict.ts';
import { COMMIT_RULES, type CommitRules } from '../fakes/commit-rules.ts';

/** What is explored: the product's own reducer and commit rules, unless a fault is planted in them. */
export type Engine = {
  readonly next: typeof nextAction;
  readonly reduce: (state: IntentState, event: IntentEvent, now: number) => Transition;
  readonly rules: CommitRules;
  /** The order in which a worker reads: the attempts after the lease, as the engine does, or before it. */
  readonly readsFirst: boolean;
  /** Whether bytes may leave before they are committed. */
  readonly sendsEarly: boolean;
};

export const ENGINE: Engine = {
  next: nextAction,
  reduce: (state, event, now) => reduce(state, event, now),
  rules: COMMIT_RULES,
  readsFirst: false,
  sendsEarly: false,
};

/** What one signature's bytes have come to. `fate` null: in no block that counts. */
export type Bytes = {
  readonly signature: string;
  readonly inAir: boolean;
  readonly fate: 'ok' | 'err' | null;
  readonly isFinal: boolean;
  /** Its blockhash is too old: it cannot land any more. */
  readonly isExpired: boolean;
};

export type Worker =
  | { readonly at: 'idle' }
  /** Read the attempts already; only an engine with that fault does. */
  | { readonly at: 'read'; readonly attempts: readonly Attempt[] }
  /** Holds a lease and knows the rows as they were when it took it. */
  | { readonly at: 'ready'; readonly state: IntentState }
  /** Has acted and commits what came of it, one event after another. */
  | { readonly at: 'committing'; readonly state: IntentState; readonly events: readonly IntentEvent[] };

export type Budget = {
  readonly crashes: number;
  readonly forks: number;
  /** False answers, of the second endpoint where there are two. */
  readonly lies: number;
  readonly ticks: number;
};

/** Everything at one moment: rows, books, chain and what each worker believes. */
export type World = {
  readonly now: number;
  readonly row: IntentState;
  readonly captured: number;
  readonly voided: number;
  readonly chain: readonly Bytes[];
  readonly workers: readonly Worker[];
  readonly left: Budget;
};

export type Step = { readonly label: string; readonly world: World };

/** 96 bits: among a billion states no two are mistaken for each other. */
const HASH_LENGTH = 16;

/** Longer than a lease and than both pauses between looks; three of them outlive the wish of a trade. */
export const TICK_MS = 61_000;

export function bytesOf(world: World, signature: string): Bytes | undefined {
  return world.chain.find((bytes) => bytes.signature === signature);
}

/** Short text that is equal for worlds from which the same can follow. */
export function hashOf(world: World): string {
  const { row, left } = world;
  const head = [
    world.now / TICK_MS,
    row.intent.status,
    Number((row.intent.leaseUntil ?? 0) > world.now),
    row.attempts.map(attemptText).join(),
    world.captured,
    world.voided,
    world.chain.map(bytesText).join(),
    left.crashes,
    left.forks,
    left.lies,
  ];
  // Two workers that change places are the same two workers.
  const workers = world.workers.map(
    (worker) => `${workerText(worker)}${holdsLease(worker, row.intent) ? '!' : ''}`,
  );
  return createHash('sha1')
    .update(`${head.join('|')}#${workers.sort().join('#')}`)
    .digest('base64')
    .slice(0, HASH_LENGTH);
}

const holdsLease = (worker: Worker, { leaseEpoch }: Intent): boolean =>
  'state' in worker && worker.state.intent.leaseEpoch === leaseEpoch;

const bytesText = ({ signature, inAir, fate, isFinal, isExpired }: Bytes): string =>
  `${signature}${fate}${Number(inAir)}${Number(isFinal)}${Number(isExpired)}`;

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

const workerText = remembered((worker: Worker): string => {
  switch (worker.at) {
    case 'idle':
      return 'idle';
    case 'read':
      return `read ${worker.attempts.map(attemptText).join()}`;
    case 'ready':
    case 'committing':
      return [
        worker.at,
        worker.state.intent.status,
        worker.state.attempts.map(attemptText).join(),
        worker.at === 'committing' ? worker.events.map(eventText).join() : '',
      ].join(';');
  }
});

const attemptText = remembered((attempt: Attempt): string =>
  [
    attempt.signature,
    attempt.n,
    attempt.status,
    Number(attempt.sendCount > 0),
    attempt.chainError === null ? '' : 'err',
    attempt.landedSlot === null ? '' : 'slot',
    ...decodeLooks(attempt.deathProof).map(({ endpoint, at }) => `${endpoint}never${at / TICK_MS}`),
    ...decodeLandingLooks(attempt.landingProof).map(landingText),
  ].join('.'),
);

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
