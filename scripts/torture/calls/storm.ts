import { setTimeout as pause } from 'node:timers/promises';
import { STORM } from '../world.ts';
import type { Call } from './judge.ts';
import { createCaller, type Kind } from './kinds.ts';
import type { BuiltProduct } from './product.ts';
import type { CallsRig } from './rig.ts';

const LOST_ANSWERS = 0.3;
/**
 * A refusal with 429 teaches the product that the node has a limit of calls, and this one has none: a node that says so by chance leaves
 * each process a few calls a second.
 */
const WEATHER = STORM.map((rule) =>
  rule.kind === 'status' && rule.status === 429 ? { ...rule, status: 503 as const } : rule,
);
/** Of 1: commits whose acknowledgement is cut. */
const CUT_COMMITS = 0.001;
const BETWEEN_KILLS_MS = 5_000;
/** A process that is killed before it has done anything proves nothing. */
const CALLS_PER_KILL = 25;
const TELL_MS = 30_000;
const LOOK_MS = 200;
/** The callers do not begin in the same moment. */
const BEGIN_WITHIN_MS = 3_000;

export type StormOptions = {
  readonly calls: number;
  readonly seed: number;
  /** Null: each kind by its share. */
  readonly kinds: readonly Kind[] | null;
  readonly say: (line: string) => unknown;
  readonly stop?: () => boolean;
};

export type Storm = {
  readonly done: readonly Call[];
  readonly seconds: number;
  readonly postgresKills: number;
  readonly faults: Readonly<Record<string, number>>;
};

/** All calls, each to its caller's last knowledge, while everything goes wrong. Fair weather when it resolves. */
export async function stormOf(rig: CallsRig, product: BuiltProduct, options: StormOptions): Promise<Storm> {
  const { world, fronts, integrators, random } = rig;
  const { calls: count, seed, kinds, say, stop = () => false } = options;
  const startedAt = performance.now();
  world.faults.setPlan({ seed: String(seed), rules: WEATHER });
  world.liar.setLying(true);
  world.proxy.setFaults({ cutCommit: () => random.chance(CUT_COMMITS) });
  const setLoss = (share: number): void => {
    for (const front of Object.values(fronts)) front.setLoss(share);
  };
  setLoss(LOST_ANSWERS);
  const caller = createCaller({ ...rig, sdk: product.sdk, chain: world.chain, seed, kinds });
  const done: Call[] = [];
  let begun = 0;
  let isRaging = true;
  const calling = integrators.map(async (who) => {
    await pause(random.between(0, BEGIN_WITHIN_MS));
    while (begun < count && !stop()) {
      begun += 1;
      done.push(await caller(begun, who));
    }
  });
  const killing = kill(rig, { done, count, say, isRaging: () => isRaging });
  await Promise.all(calling);
  isRaging = false;
  const postgresKills = await killing;
  const faults = { ...world.faults.report().fired };
  world.calm();
  setLoss(0);
  return { done, seconds: Math.round((performance.now() - startedAt) / 1_000), postgresKills, faults };
}

/** Kills by time, and never faster than calls end; Postgres once, at half of the calls. Resolves to how often Postgres died. */
async function kill(
  { crew, world, random, fronts }: CallsRig,
  of: {
    readonly done: readonly Call[];
    readonly count: number;
    readonly say: (line: string) => unknown;
    readonly isRaging: () => boolean;
  },
): Promise<number> {
  const { done, count, say, isRaging } = of;
  let [endedAtKill, postgresKills] = [0, 0];
  let [killedAt, toldAt] = [performance.now(), performance.now()];
  while (isRaging()) {
    await pause(LOOK_MS);
    const now = performance.now();
    if (postgresKills === 0 && done.length * 2 > count) {
      await world.restartPostgres();
      postgresKills += 1;
    }
    if (now - toldAt > TELL_MS) {
      toldAt = now;
      say(`${done.length} calls ended, ${crew.counts.kills} kills, ${fronts.keyed.counts.lost} answers lost`);
    }
    if (now - killedAt < BETWEEN_KILLS_MS || done.length - endedAtKill < CALLS_PER_KILL) continue;
    if (!crew.kill((size) => random.between(0, Math.max(0, size - 1)))) continue;
    killedAt = now;
    endedAtKill = done.length;
  }
  return postgresKills;
}
