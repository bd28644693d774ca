import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { CallsRun } from './run.ts';

const count = z.int().min(0);

/** One run in numbers: a line of a report. Problems by their rule. */
const lineSchema = z.strictObject({
  endedAt: z.iso.datetime(),
  seed: count,
  callers: count,
  calls: count,
  seconds: count,
  answersGiven: count,
  answersLost: count,
  forks: count,
  lies: count,
  kills: count,
  postgresKills: count,
  landed: count,
  problems: z.record(z.string(), count),
  violations: count,
  ownDeaths: count,
});
export type ReportLine = z.infer<typeof lineSchema>;

export type Total = Omit<ReportLine, 'endedAt' | 'seed' | 'callers'> & {
  readonly runs: number;
  readonly seeds: readonly number[];
};

/** Of the answers that the service gave, so many are lost at least: the front cuts three of ten, and none before the storm. */
const LEAST_LOST = 0.25;

export function reportLineOf(
  run: CallsRun,
  of: { readonly seed: number; readonly callers: number; readonly endedAt: Date },
): ReportLine {
  const problems: Record<string, number> = {};
  for (const { rule } of run.problems) problems[rule] = (problems[rule] ?? 0) + 1;
  return {
    endedAt: of.endedAt.toISOString(),
    seed: of.seed,
    callers: of.callers,
    calls: run.calls,
    seconds: run.seconds,
    answersGiven: run.answers.given,
    answersLost: run.answers.lost,
    forks: run.faults['fork'] ?? 0,
    lies: Object.values(run.lies).reduce((sum, lies) => sum + lies, 0),
    kills: run.kills,
    postgresKills: run.postgresKills,
    landed: run.landed,
    problems,
    violations: run.violations.length,
    ownDeaths: run.ownDeaths.length,
  };
}

/** Appends the run to the report, as one line of JSON. The file is made where it is not there. */
export function appendReport(file: string, line: ReportLine): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** The runs of these reports, each once. Throws an Error that names file and line where one is no run. */
export function readReports(files: readonly string[]): readonly ReportLine[] {
  const lines = new Map<string, ReportLine>();
  for (const file of files) {
    for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
      if (text.trim() === '') continue;
      const read = lineSchema.safeParse(jsonOf(text));
      if (!read.success) throw new Error(`${file}, line ${index + 1}: expected the numbers of one run`);
      lines.set(JSON.stringify(read.data), read.data);
    }
  }
  return [...lines.values()];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The sum of all runs; `seeds` without repetition. */
export function addUp(lines: readonly ReportLine[]): Total {
  const sum = (of: (line: ReportLine) => number): number =>
    lines.reduce((total, line) => total + of(line), 0);
  const problems: Record<string, number> = {};
  for (const [rule, found] of lines.flatMap((line) => Object.entries(line.problems)))
    problems[rule] = (problems[rule] ?? 0) + found;
  return {
    runs: lines.length,
    seeds: [...new Set(lines.map(({ seed }) => seed))].toSorted((a, b) => a - b),
    calls: sum(({ calls }) => calls),
    seconds: sum(({ seconds }) => seconds),
    answersGiven: sum(({ answersGiven }) => answersGiven),
    answersLost: sum(({ answersLost }) => answersLost),
    forks: sum(({ forks }) => forks),
    lies: sum(({ lies }) => lies),
    kills: sum(({ kills }) => kills),
    postgresKills: sum(({ postgresKills }) => postgresKills),
    landed: sum(({ landed }) => landed),
    problems,
    violations: sum(({ violations }) => violations),
    ownDeaths: sum(({ ownDeaths }) => ownDeaths),
  };
}

/** Why the runs do not prove it, one sentence each. Empty when none has a problem, the calls are enough, and the storm was one. */
export function shortfallsOf(total: Total, leastCalls: number): readonly string[] {
  const { calls, answersGiven, answersLost, violations, ownDeaths } = total;
  const found = Object.entries(total.problems).map(([rule, times]) => `${rule}: ${times}`);
  if (violations > 0) found.push(`violations at the wire: ${violations}`);
  if (ownDeaths > 0) found.push(`processes that ended by themselves: ${ownDeaths}`);
  if (calls < leastCalls) found.push(`${calls} calls, not ${leastCalls}`);
  if (answersLost < LEAST_LOST * answersGiven)
    found.push(`${answersLost} of ${answersGiven} answers were lost, which is too few`);
  for (const weather of ['forks', 'lies', 'kills'] as const)
    if (total[weather] === 0) found.push(`no ${weather}`);
  return found;
}
