import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { environmentSteps } from './environment.ts';
import { faceOf, fingerprint } from './fingerprint.ts';
import { withoutOldMemories, withoutPowerless } from './powerless.ts';
import { createSeen } from './seen.ts';
import { beats, losses, NEW_SIGNER } from './signer.ts';
import { violationOf } from './violations.ts';
import { workerSteps } from './workers.ts';
import { type Budget, ENGINE, type Engine, type Step, type World } from './world.ts';

export type Exploration = {
  readonly params: IntentParams;
  readonly endpoints: 1 | 2;
  readonly workers?: number;
  readonly budget: Budget;
  readonly engine?: Engine;
  /** Whether the signer has a journal; then the database may go back, and no two worlds count as one. Absent: it has none. */
  readonly hasJournal?: boolean;
  /** Whether worlds from which the same can follow count as one; absent: they do. Without, to compare with. */
  readonly isReduced?: boolean;
  /** Stops after so many states; absent: all of them. */
  readonly mostStates?: number;
  /** Told after every depth. */
  readonly onDepth?: (states: number, frontier: number) => void;
};

export type Explored = {
  readonly states: number;
  /** States that differ in more than what is left of the budget. */
  readonly worlds: number;
  readonly transitions: number;
  /** Every state was seen, and none is left to go on from. */
  readonly isWhole: boolean;
  /** Every combination of status, books and chain that came up: all that a violation is read from. */
  readonly faces: ReadonlySet<string>;
  /** How the intent ended, in how many states. */
  readonly ends: Readonly<Record<string, number>>;
  /** The shortest way to the first violation. */
  readonly violation: { readonly what: string; readonly path: readonly string[] } | null;
};

/** Breadth first through every interleaving, so that the first violation found is one with a shortest way to it. */
export function explore(exploration: Exploration): Explored {
  const {
    endpoints,
    engine = ENGINE,
    mostStates = Number.POSITIVE_INFINITY,
    isReduced = exploration.hasJournal !== true,
  } = exploration;
  const seen = createSeen(exploration.budget, isReduced);
  const faces = new Set<string>();
  let states = 0;
  const ways = createWays();
  const ends: Record<string, number> = {};
  let transitions = 0;
  let frontier: { readonly id: number; readonly world: World }[] = [];
  const explored = (isWhole: boolean, violation: Explored['violation']): Explored => ({
    states,
    worlds: seen.size,
    faces,
    transitions,
    isWhole,
    ends,
    violation,
  });
  const discover = (from: number, { label, world: after }: Step, next: typeof frontier): string | null => {
    // Where rows may go back, an old memory may come true again.
    const world =
      after.signer === undefined ? (isReduced ? withoutPowerless : withoutOldMemories)(after, engine) : after;
    if (!seen.add(fingerprint(world, engine, isReduced), world.left)) return null;
    states += 1;
    faces.add(faceOf(world));
    const { status } = world.row.intent;
    ends[status] = (ends[status] ?? 0) + 1;
    next.push({ id: ways.add(from, label), world });
    return violationOf(world, engine);
  };
  discover(-1, { label: 'a request is written down', world: initialWorld(exploration) }, frontier);
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { id, world } of frontier) {
      for (const step of stepsFrom(world, engine, endpoints)) {
        transitions += 1;
        const what = 'broken' in step ? step.broken : discover(id, step, next);
        if (what === null) continue;
        const last = 'broken' in step ? step.broken : step.label;
        return explored(false, { what, path: [...ways.to(id), last] });
      }
      if (states >= mostStates) return explored(false, null);
    }
    frontier = next;
    exploration.onDepth?.(states, frontier.length);
  }
  return explored(true, null);
}

function stepsFrom(
  world: World,
  engine: Engine,
  endpoints: number,
): readonly (Step | { readonly broken: string })[] {
  try {
    return [
      ...environmentSteps(world),
      ...losses(world),
      ...beats(world, engine),
      ...workerSteps(world, engine, endpoints),
    ];
  } catch (error) {
    // The reducer refuses events that only a bug in its caller can bring, and a worker a claim that must not be granted.
    return [{ broken: `a step threw: ${error instanceof Error ? error.message : String(error)}` }];
  }
}

/** How each state was come to first: numbers alone, for there are millions. */
function createWays() {
  const from: number[] = [];
  const by: number[] = [];
  const labels: string[] = [];
  const known = new Map<string, number>();
  return {
    add(parent: number, label: string): number {
      let index = known.get(label);
      if (index === undefined) {
        index = labels.push(label) - 1;
        known.set(label, index);
      }
      from.push(parent);
      return by.push(index) - 1;
    },
    to(end: number): readonly string[] {
      const path: string[] = [];
      for (let id = end; id >= 0; id = from[id] ?? -1) path.unshift(labels[by[id] ?? -1] ?? '');
      return path;
    },
  };
}

const IDLE = { at: 'idle' } as const;

function initialWorld({ params, budget, workers = 2, hasJournal = false }: Exploration): World {
  const intent: Intent = {
    id: 'intent',
    receipt: 'R-EXPLORE',
    kind: params.kind,
    userId: 'user',
    walletId: 'wallet',
    idemKey: 'key',
    params,
    confirmation: 'confirmed',
    status: 'CREATED',
    notBefore: null,
    leaseOwner: null,
    leaseUntil: null,
    leaseEpoch: 0,
    outcome: null,
    createdAt: 0,
    updatedAt: 0,
  };
  return {
    now: 0,
    row: { intent, attempts: [] },
    captured: 0,
    voided: 0,
    chain: [],
    workers: Array.from({ length: workers }, () => IDLE),
    left: budget,
    ...(hasJournal ? { signer: NEW_SIGNER } : {}),
  };
}
