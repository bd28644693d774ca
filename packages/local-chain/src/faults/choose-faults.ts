import { createHash } from 'node:crypto';
import type { FaultPlan, FaultRule } from './fault-plan.ts';

/** Rules that leave room for others: the call goes on, later or with less history. */
type Lasting = Extract<FaultRule, { kind: 'slow' | 'prune' }>;

/** The faults of one call: a delay, a shortened history, and at most one fault of any other kind. */
export type ChosenFaults = {
  readonly slowMs: number;
  /** Slots of history that the node keeps; null: as many as the chain. */
  readonly keepsSlots: number | null;
  readonly rule: Exclude<FaultRule, Lasting> | null;
  /** From 0 to 1, for faults that vary. */
  readonly draw: number;
};

/**
 * Rules in order: delays add up, the shortest history holds, and the first other rule that fires decides. Draws depend on seed and call
 * order only; windows of limits are measured by `now`, in milliseconds.
 */
export function createFaultChooser(plan: FaultPlan, now: () => number): (method: string) => ChosenFaults {
  const seen = plan.rules.map(() => ({ matched: 0, fired: 0 }));
  const windows = plan.rules.map(() => new Map<string, number[]>());
  let draws = 0;
  const draw = (): number => {
    draws += 1;
    return createHash('sha256').update(`${plan.seed}\0${draws}`).digest().readUInt32LE(0) / 2 ** 32;
  };
  const isOver = (rule: FaultRule, index: number, method: string): boolean => {
    if (rule.kind !== 'limit') return true;
    const key = rule.of === 'each' ? method : '*';
    const since = now() - rule.windowMs;
    const served = (windows[index]?.get(key) ?? []).filter((at) => at > since);
    const over = served.length >= rule.calls;
    windows[index]?.set(key, over ? served : [...served, now()]);
    return over;
  };
  const fires = (rule: FaultRule, index: number, method: string): boolean => {
    const count = seen[index];
    if (count === undefined || (rule.method !== '*' && rule.method !== method)) return false;
    count.matched += 1;
    if (count.matched <= rule.skip || count.fired >= (rule.times ?? Number.POSITIVE_INFINITY)) return false;
    if (!isOver(rule, index, method)) return false;
    if (rule.chance < 1 && draw() >= rule.chance) return false;
    count.fired += 1;
    return true;
  };
  return (method) => {
    let slowMs = 0;
    let keepsSlots: number | null = null;
    for (const [index, rule] of plan.rules.entries()) {
      if (!fires(rule, index, method)) continue;
      if (rule.kind === 'slow') slowMs += rule.ms;
      else if (rule.kind === 'prune') keepsSlots = Math.min(rule.keepsSlots, keepsSlots ?? rule.keepsSlots);
      else return { slowMs, keepsSlots, rule, draw: rule.kind === 'wrong-slot' ? draw() : 0 };
    }
    return { slowMs, keepsSlots, rule: null, draw: 0 };
  };
}
