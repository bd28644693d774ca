import type { CallsRun } from './run.ts';

/** The run's figures as JSON, then one line for each problem, at most fifty. True where it proves what it claims. */
export function printCalls(run: CallsRun): boolean {
  const { problems, violations, ownDeaths, ...figures } = run;
  const rules: Record<string, number> = {};
  for (const { rule } of problems) rules[rule] = (rules[rule] ?? 0) + 1;
  console.log(JSON.stringify({ ...figures, violations: violations.length, problems: rules }, null, 2));
  const lines = [
    ...problems.map(({ rule, detail }) => `${rule}: ${detail}`),
    ...violations.map(({ rule, detail }) => `${rule}: ${detail}`),
    ...ownDeaths,
  ];
  for (const line of lines.slice(0, 50)) console.log(`PROBLEM ${line}`);
  return lines.length === 0;
}
