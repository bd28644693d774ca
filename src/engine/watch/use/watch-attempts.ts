import { type AppError, isAppError } from '../../../core/errors/app-error.ts';
import { isDatabaseDown } from '../../../core/errors/database-down.ts';
import { ageAt, leftAt } from '../../../core/time/age.ts';
import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import { hasCome } from '../../../core/time/span.ts';
import { BLOCKHASH_LIFE, type Chain, type SignatureStatus } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Attempt } from '../../intents/rules/intent.ts';
import type { VerdictRules } from '../../intents/rules/machine.ts';
import { observePause, PACE, type Pace } from '../../intents/rules/pace.ts';
import { isPassing } from '../../intents/rules/retry.ts';
import type { WholeIntent } from '../../intents/store/intent-store-port.ts';
import type { Heard, StepResult } from '../../transactions/use/step-intent.ts';
import { sweepBounds } from '../../transactions/use/sweep.ts';
import type { BeatNews, WatchedAttempt } from '../store-port.ts';
import { isNews } from './is-news.ts';
import { ownerOf, shardOf } from './shards.ts';

/** Signatures of one question. */
const PER_CALL = 256;
/** How often a watcher shows that it lives, and reads the attempts under way. */
const BEAT_MS = 2_500;
/** The same while it is the only one and has nothing to watch. Shorter than its life, so that a new one learns of its end as soon. */
const LONE_BEAT_MS = 4_000;
/** A watcher that was silent for so long is taken for dead, and its shards move. */
const LIFE_MS = 4_500;
/** After a beat that failed. */
const BEAT_AGAIN_MS = 1_000;
/** Its own sends stay with a process until the shard's owner has read of them: two beats. */
const HAND_OVER_MS = 2 * BEAT_MS;
/** Looks that are due within this go out with those that are due now: one question instead of two. */
const TOGETHER_MS = 60;
const READ_AT_MOST = 5_000;
/** Steps that run at once. Intents that wait for a place are woken in the order in which they were found. */
const PLACES = 16;
/** An intent with so short a wait is stepped from here, which costs nothing; longer waits are the queue's. */
const SHORT_WAIT_MS = 2_000;

/** Reports each outage to the operator once, and its end once. */
export type Outages = { suspect(part: 'chain' | 'database', error: AppError): void };

export type WatchDeps = {
  readonly db: Pick<Database, 'watch'>;
  readonly chain: Pick<Chain, 'statuses' | 'latestBlockhash'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** Name of this process among the watchers. */
  readonly owner: string;
  readonly step: (intentId: string, heard: Heard | null, known: WholeIntent | null) => Promise<StepResult>;
  readonly pace?: Pace;
  readonly rules?: VerdictRules;
  /** Hears of a failure that means an outage; the watcher then writes no line of its own. */
  readonly outages?: Outages;
  /** Called after each beat; must return at once. */
  readonly onNews?: (news: BeatNews) => void;
};

export type Watch = {
  /** Takes over the rest of a step; true when nothing is left for its job to do. Costs no query. */
  follow(intentId: string, result: StepResult): boolean;
  /** One round: beats when that is due, asks for due items, wakes those with news. Milliseconds until the next one; never throws. */
  round(): Promise<number>;
  /** Called when something was added that may be due before the next round. */
  onAdd(poke: () => void): void;
  /** True for exactly one of the watchers that know of each other: it does the work that needs one process only. */
  isFirst(): boolean;
  /** Whether this watcher is responsible for such a name; every name has one watcher, and none for a moment at a change. */
  owns(name: string): boolean;
  /** Resolves when no step runs any more and the others know that this one is gone. */
  stop(): Promise<void>;
  /** Attempts in memory. */
  size(): number;
};

/** Clocks are put right by less all the time. */
const SET_BACK_MS = 1_000;

type Item = {
  /** Null: it must be stepped without a question, because it has no attempt to ask about. */
  attempt: WatchedAttempt | null;
  /** The intent as a step of this process left it; null for an attempt read from other processes. */
  readonly known: WholeIntent | null;
  since: number;
  nextLook: number;
  busy: boolean;
};

/** To be stepped, without a question. */
const UNKNOWN: Pick<Item, 'attempt' | 'known'> = { attempt: null, known: null };

/**
 * The watcher of one worker. It holds in memory the attempts that were sent and not ended yet, and asks for all of them at once. It has an
 * intent stepped only when its status is news, a resend is due or its block height has passed. An intent in flight therefore holds no job,
 * no lock and no lease, and looking at it costs the database nothing. The memory is a copy: a watcher that dies loses nothing. The others
 * read its shards again (and so does itself, when it comes back).
 */
export function createWatch(deps: WatchDeps): Watch {
  const { clock } = deps;
  const pace = deps.pace ?? PACE;
  const items = new Map<string, Item>();
  const members = createMembership(deps);
  const lanes = createLanes(PLACES);
  const answers = createTeller(deps, 'the watcher got no answer and asks again');
  let poke = (): void => undefined;

  function put(
    intentId: string,
    { attempt, known: whole }: Pick<Item, 'attempt' | 'known'>,
    afterMs: number,
  ): void {
    const now = clock.now();
    const known = items.get(intentId);
    items.set(intentId, {
      attempt,
      known: whole,
      since: known?.since ?? now,
      nextLook: now + afterMs,
      busy: false,
    });
    poke();
  }

  function follow(intentId: string, result: StepResult): boolean {
    if (result.kind === 'done') {
      items.delete(intentId);
      return true;
    }
    if (result.sent === undefined && result.afterMs > SHORT_WAIT_MS) return false;
    const { sent, known = null } = result;
    put(intentId, sent === undefined ? UNKNOWN : { attempt: watched(sent), known }, result.afterMs);
    return true;
  }

  async function beat(): Promise<void> {
    const asked = clock.now();
    const found = await members.beat(items.size === 0);
    if (found === null) return;
    const open = new Set(found.map(({ intentId }) => intentId));
    for (const [intentId, item] of items) {
      if (item.busy || item.since >= asked || item.attempt === null) continue;
      const isMine = members.owns(intentId) || ageAt(item.since, asked) < HAND_OVER_MS;
      if (!open.has(intentId) || !isMine) items.delete(intentId);
    }
    for (const attempt of found) {
      if (items.has(attempt.intentId) || !members.owns(attempt.intentId)) continue;
      items.set(attempt.intentId, { attempt, known: null, since: asked, nextLook: asked, busy: false });
    }
  }

  function wake(intentId: string, item: Item, heard: Heard | null): void {
    item.busy = true;
    lanes.run(async () => {
      try {
        const result = await deps.step(intentId, heard, item.known);
        if (!follow(intentId, result) && result.kind === 'again') put(intentId, UNKNOWN, result.afterMs);
      } catch (err) {
        // An outage is reported once, not once for each intent that met it.
        if (!suspected(deps.outages, err) && !(isAppError(err) && isPassing(err.code)))
          deps.log.warn({ intentId, err }, 'a watched intent could not be stepped and is tried again');
        put(intentId, { attempt: item.attempt, known: null }, pace.retryMs);
      }
    });
  }

  async function look(due: readonly (readonly [string, Item, WatchedAttempt])[]): Promise<void> {
    let statuses: readonly (SignatureStatus | null)[];
    try {
      statuses = await deps.chain.statuses(due.map(([, , { signature }]) => signature));
      answers.worked();
    } catch (err) {
      answers.failed(err);
      for (const [, item] of due) item.nextLook = clock.now() + pace.retryMs;
      return;
    }
    let height: Promise<bigint> | null = null;
    for (const [index, [intentId, item, attempt]] of due.entries()) {
      // Another process stepped it while the question was under way.
      if (item.busy || items.get(intentId) !== item) continue;
      const now = clock.now();
      const status = statuses[index] ?? null;
      item.nextLook = now + observePause(attempt, now, pace);
      const news = isNews(attempt, status, now, { pace, landing: deps.rules?.landing });
      if (news === 'nothing') continue;
      if (news === 'ask-height') {
        height ??= currentHeight(deps.chain);
        if ((await height) <= attempt.lastValidBlockHeight) continue;
      }
      wake(intentId, item, { signature: attempt.signature, status });
    }
  }

  let roundAt = clock.now();
  /** Future times move with a clock that is set back: sent attempts would else not be looked at until it has caught up. */
  function followClock(): void {
    const now = clock.now();
    const backMs = leftAt(roundAt, now);
    roundAt = now;
    if (backMs <= SET_BACK_MS) return;
    for (const item of items.values()) {
      item.since -= backMs;
      item.nextLook -= backMs;
    }
  }

  async function round(): Promise<number> {
    followClock();
    if (members.isBeatDue()) await beat();
    const now = clock.now();
    const due: (readonly [string, Item, WatchedAttempt])[] = [];
    for (const [intentId, item] of items) {
      if (item.busy || item.nextLook > now + TOGETHER_MS) continue;
      if (item.attempt !== null) due.push([intentId, item, item.attempt]);
      else if (item.nextLook <= now) wake(intentId, item, null);
    }
    for (let at = 0; at < due.length; at += PER_CALL) await look(due.slice(at, at + PER_CALL));
    let next = members.nextBeat();
    for (const item of items.values()) if (!item.busy) next = Math.min(next, item.nextLook);
    return Math.max(1, leftAt(next, clock.now()));
  }

  return {
    follow,
    round,
    onAdd: (call) => {
      poke = call;
    },
    isFirst: members.isFirst,
    owns: members.owns,
    stop: async () => {
      await lanes.idle();
      await members.leave();
    },
    size: () => items.size,
  };
}

/** The membership of watchers: this process's sign of life and its last news of the others. */
function createMembership(deps: WatchDeps) {
  const { db, clock, owner } = deps;
  const reads = createTeller(deps, 'the watcher could not read what is under way');
  let owners: readonly string[] = [];
  let heardAt = NEVER;
  let nextBeat = clock.now();
  const isCurrent = (): boolean => elapsedSince(heardAt, clock) < LIFE_MS;
  return {
    isBeatDue: () => hasCome(nextBeat, clock.now()),
    nextBeat: () => nextBeat,
    owns: (name: string) => isCurrent() && ownerOf(shardOf(name), owners) === owner,
    isFirst: () => isCurrent() && owners.every((other) => owner <= other),
    async beat(isEmpty: boolean): Promise<readonly WatchedAttempt[] | null> {
      const now = clock.now();
      const beganAt = markOf(clock);
      try {
        const until = now + LIFE_MS;
        const found = await db.watch.beat({ owner, now, until, ...sweepBounds(now), limit: READ_AT_MOST });
        ({ owners } = found);
        heardAt = beganAt;
        const isAtRest = isEmpty && owners.length === 1 && found.attempts.length === 0;
        nextBeat = now + (isAtRest ? LONE_BEAT_MS : BEAT_MS);
        reads.worked();
        deps.onNews?.(found);
        return found.attempts;
      } catch (err) {
        // The attempts in memory are watched all the same.
        reads.failed(err);
        nextBeat = now + BEAT_AGAIN_MS;
        return null;
      }
    },
    async leave(): Promise<void> {
      heardAt = NEVER;
      await db.watch.leave(owner).catch(() => undefined);
    },
  };
}

/** Says a failure once, however often it repeats until `worked`. */
function createTeller({ log, outages }: Pick<WatchDeps, 'log' | 'outages'>, sentence: string) {
  let failures = 0;
  return {
    worked: () => {
      failures = 0;
    },
    failed: (err: unknown) => {
      if (!suspected(outages, err) && failures++ === 0) log.warn({ err }, sentence);
    },
  };
}

/** True when it means an outage, and the outage reporter has heard of it. */
function suspected(outages: Outages | undefined, err: unknown): boolean {
  if (outages === undefined || !isAppError(err)) return false;
  if (err.code === 'CHAIN_UNREACHABLE') outages.suspect('chain', err);
  else if (isDatabaseDown(err)) outages.suspect('database', err);
  else return false;
  return true;
}

/** Runs at most `places` at once; the rest waits in order. */
function createLanes(places: number) {
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  const next = (): void => {
    while (running.size < places) {
      const work = waiting.shift();
      if (work === undefined) return;
      const job = work().finally(() => {
        running.delete(job);
        next();
      });
      running.add(job);
    }
  };
  return {
    run(work: () => Promise<void>): void {
      waiting.push(work);
      next();
    },
    async idle(): Promise<void> {
      waiting.splice(0);
      await Promise.all(running);
    },
  };
}

/** The chain's approximate height: the newest blockhash was made there. */
async function currentHeight(chain: Pick<Chain, 'latestBlockhash'>): Promise<bigint> {
  try {
    return (await chain.latestBlockhash()).lastValidBlockHeight - BLOCKHASH_LIFE;
  } catch {
    return 0n;
  }
}

function watched(attempt: Attempt): WatchedAttempt {
  const { id, intentId, signature, lastValidBlockHeight, signedAt, status, lastSentAt } = attempt;
  const { deathProof, landingProof } = attempt;
  return {
    id,
    intentId,
    signature,
    lastValidBlockHeight,
    signedAt,
    status,
    lastSentAt,
    deathProof,
    landingProof,
  };
}
