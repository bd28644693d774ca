/** How one step of a router plan divides and passes on: percents of its input token, tokens by their number in the plan. */
export type StepPlan = { readonly percent: number; readonly input: number; readonly output: number };

export type StepPlanProblem = 'empty' | 'percent' | 'sum' | 'order' | 'unspent' | 'unfed' | 'output';

const WHOLE = 100;

/**
 * The problem of a plan, or null. The program itself accepts plans that spend a part of the input or leave a token in the intermediate, and
 * reports success. So each rule is kept here, when a plan is made and again when bytes of one are about to be signed. Tokens are numbered
 * as they are spent: 0 is the token sold, the highest number is the token bought, and no step into a token comes after one out of it.
 */
export function stepPlanProblem(steps: readonly StepPlan[]): StepPlanProblem | null {
  const bought = Math.max(0, ...steps.map(({ input }) => input)) + 1;
  if (steps.length === 0) return 'empty';
  if (steps.some(({ percent }) => !Number.isInteger(percent) || percent < 1 || percent > WHOLE)) {
    return 'percent';
  }
  let last = 0;
  for (const { input, output } of steps) {
    if (!Number.isInteger(input) || input < last || input > last + 1) return 'order';
    last = input;
    if (!Number.isInteger(output) || output <= input) return 'order';
    if (output > bought) return 'unspent';
  }
  if (steps[0]?.input !== 0) return 'order';
  for (let token = 0; token < bought; token += 1) {
    const out = steps.filter(({ input }) => input === token);
    if (out.reduce((sum, { percent }) => sum + percent, 0) !== WHOLE) return 'sum';
    if (token > 0 && !steps.some(({ output }) => output === token)) return 'unfed';
  }
  return steps.some(({ output }) => output === bought) ? null : 'output';
}
