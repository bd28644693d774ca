import { createHash } from 'node:crypto';
import type { FaultPlan, FaultRule } from './fault-plan.ts';

/** What happens to one call: a delay, and at most one fault of any other kind. */
export type ChosenFaults = {
  readonly slowMs: number;
  readonly rule: Exclude<FaultRule, { kind: 'slow' }> | null;
};

/** Rules in order: delays add up, and the first other rule that fires decides. Draws depend on seed and call order only. */
export function createFaultChooser(plan: FaultPlan): (method: string) => ChosenFaults {
  const seen = plan.rules.map(() => ({ matched: 0, fired: 0 }));
  let draws = 0;
  const draw = (): number => {
    draws += 1;
    return createHash('sha256').update(`${plan.seed}\0${draws}`).digest().readUInt32LE(0) / 2 ** 32;
  };
  const fires = (rule: FaultRule, index: number, method: string): boolean => {
    const count = seen[index];
    if (count === undefined || (rule.method !== '*' && rule.method !== method)) return false;
    count.matched += 1;
    if (count.matched <= rule.skip || count.fired >= (rule.times ?? Number.POSITIVE_INFINITY)) return false;
    if (rule.chance < 1 && draw() >= rule.chance) return false;
    count.fired += 1;
    return true;
  };
  return (method) => {
    let slowMs = 0;
    for (const [index, rule] of plan.rules.entries()) {
      if (!fires(rule, index, method)) continue;
      if (rule.kind !== 'slow') return { slowMs, rule };
      slowMs += rule.ms;
    }
    return { slowMs, rule: null };
  };
}
