import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type StepPlan,
  stepPlanProblem,
} from '../../../../src/modules/trading/rules/router-program/step-plan.ts';

type Row = readonly [percent: number, input: number, output: number];
const plan = (rows: readonly Row[]): readonly StepPlan[] =>
  rows.map(([percent, input, output]) => ({ percent, input, output }));
const problem = (...rows: readonly Row[]) => stepPlanProblem(plan(rows));

describe('stepPlanProblem', () => {
  it.each<[string, readonly Row[]]>([
    ['one hop', [[100, 0, 1]]],
    [
      'a split and its merge',
      [
        [60, 0, 1],
        [40, 0, 1],
        [100, 1, 2],
      ],
    ],
    [
      'a way around a direct pool',
      [
        [40, 0, 1],
        [60, 0, 2],
        [100, 1, 2],
      ],
    ],
    [
      'three hops with a short cut',
      [
        [70, 0, 1],
        [30, 0, 2],
        [55, 1, 2],
        [45, 1, 3],
        [100, 2, 3],
      ],
    ],
  ])('has nothing against %s', (_title, rows) => {
    expect(problem(...rows)).toBeNull();
  });

  // The program accepts nearly all of these, spends a part or leaves an intermediate token, and reports success.
  it.each<[string, readonly Row[], string]>([
    ['no steps', [], 'empty'],
    [
      'a part of the input',
      [
        [60, 0, 1],
        [30, 0, 1],
        [100, 1, 2],
      ],
      'sum',
    ],
    [
      'a part of the middle',
      [
        [100, 0, 1],
        [50, 1, 2],
      ],
      'sum',
    ],
    [
      'more than all',
      [
        [60, 0, 1],
        [50, 0, 1],
        [100, 1, 2],
      ],
      'sum',
    ],
    [
      'a fraction',
      [
        [99.5, 0, 1],
        [0.5, 0, 1],
        [100, 1, 2],
      ],
      'percent',
    ],
    [
      'nothing',
      [
        [100, 0, 1],
        [0, 0, 1],
        [100, 1, 2],
      ],
      'percent',
    ],
    [
      'an intermediate before it is filled',
      [
        [100, 1, 2],
        [100, 0, 1],
      ],
      'order',
    ],
    [
      'an intermediate before all of it is there',
      [
        [50, 0, 1],
        [100, 1, 2],
        [50, 0, 1],
      ],
      'order',
    ],
    [
      'a way back',
      [
        [100, 0, 1],
        [100, 1, 0],
      ],
      'order',
    ],
    ['a circle of one', [[100, 0, 0]], 'order'],
    [
      'a gap in the numbers',
      [
        [100, 0, 1],
        [100, 2, 3],
      ],
      'order',
    ],
    [
      'a token that nobody spends',
      [
        [50, 0, 1],
        [50, 0, 3],
        [100, 1, 2],
      ],
      'unspent',
    ],
    [
      'a token that nobody brings',
      [
        [100, 0, 2],
        [100, 1, 2],
      ],
      'unfed',
    ],
  ])('refuses a plan that spends %s', (_title, rows, expected) => {
    expect(problem(...rows)).toBe(expected);
  });

  it('lets no plan pass that leaves anything but the last token, whatever its numbers are', () => {
    const step = fc.record({
      percent: fc.constantFrom(1, 20, 40, 50, 60, 80, 99, 100),
      input: fc.nat(3),
      output: fc.nat(4),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
        if (stepPlanProblem(steps) !== null) return;
        const held = new Map<number, number>([[0, 1]]);
        const whole = new Map(held);
        const bought = Math.max(...steps.map(({ output }) => output));
        for (const [index, { percent, input, output }] of steps.entries()) {
          if (!steps.slice(0, index).some((earlier) => earlier.input === input)) {
            whole.set(input, held.get(input) ?? 0);
          }
          const part = ((whole.get(input) ?? 0) * percent) / 100;
          expect(part).toBeGreaterThan(0);
          held.set(input, (held.get(input) ?? 0) - part);
          held.set(output, (held.get(output) ?? 0) + part);
        }
        for (const [token, left] of held) expect(left).toBeCloseTo(token === bought ? 1 : 0, 9);
      }),
      { numRuns: 2_000 },
    );
  });
});
