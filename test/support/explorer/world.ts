import type { Attempt } from '../../../src/engine/intents/rules/intent.ts';
import { nextAction, reduce } from '../../../src/engine/intents/rules/machine.ts';
import type { IntentEvent, IntentState, Transition } from '../../../src/engine/intents/rules/transition.ts';
import { FENCE_RULES, type FenceRules } from '../../../src/engine/signing/rules/fence.ts';
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
  /** What the signer's journal is good for, where the world has one. */
  readonly fence: FenceRules;
};

export const ENGINE: Engine = {
  next: nextAction,
  reduce: (state, event, now) => reduce(state, event, now),
  rules: COMMIT_RULES,
  readsFirst: false,
  sendsEarly: false,
  fence: FENCE_RULES,
};

/** What one signature's bytes have come to. `fate` null: in no block that counts. */
export type Bytes = {
  readonly signature: string;
  readonly inAir: boolean;
  readonly fate: 'ok' | 'err' | null;
  readonly isFinal: boolean;
  /** Its blockhash is too old: it cannot land any more. */
  readonly isExpired: boolean;
  /** Absent: they were committed once, and may be sent. */
  readonly isSecret?: boolean;
};

export type Worker =
  | { readonly at: 'idle' }
  /** Read the attempts already; only an engine with that fault does. */
  | { readonly at: 'read'; readonly attempts: readonly Attempt[] }
  /** Holds no lease and knows the rows as its last step left them: it may commit what it hears of a landing, if they still are so. */
  | { readonly at: 'watching'; readonly state: IntentState }
  /** Holds a lease and knows the rows as they were when it took it. */
  | { readonly at: 'ready'; readonly state: IntentState }
  /** Has acted and commits what came of it, one event after another: under its lease, or each with a claim. */
  | {
      readonly at: 'committing';
      readonly state: IntentState;
      readonly events: readonly IntentEvent[];
      readonly claims: boolean;
    };

export type Budget = {
  readonly crashes: number;
  readonly forks: number;
  /** False answers, of the second endpoint where there are two. */
  readonly lies: number;
  readonly ticks: number;
  /** How often the database may forget its last commits; only where a signer has a journal. */
  readonly rollbacks?: number;
  /** How often the signer may lose its journal. */
  readonly losses?: number;
};

/** What the database holds. */
export type Rows = { readonly row: IntentState; readonly captured: number; readonly voided: number };

/** One `signed` line, with its later facts. `attempt` is in the signer's memory alone. */
export type SignerNote = {
  readonly signature: string;
  readonly intentId: string;
  readonly at: number;
  readonly isStored: boolean;
  readonly end: 'dead' | 'failed' | 'landed' | null;
  readonly attempt: Attempt | null;
};

/** The signer's journal, and what a replica may be left with. */
export type SignerWorld = {
  readonly notes: readonly SignerNote[];
  /** The two newest `stored` lines. */
  readonly storedLines: readonly (readonly string[])[];
  readonly isFenced: boolean;
  /** The rows before the last commits, the newest first. */
  readonly past: readonly Rows[];
  readonly wentBack: boolean;
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
  /** Absent: a signer that signs every request, over a database that forgets nothing. */
  readonly signer?: SignerWorld;
};

export type Step = { readonly label: string; readonly world: World };

/** Longer than a lease and than both pauses between looks; three of them outlive the request of a trade. */
export const TICK_MS = 61_000;

export function bytesOf(world: World, signature: string): Bytes | undefined {
  return world.chain.find((bytes) => bytes.signature === signature);
}
