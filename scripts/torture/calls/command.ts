import type { CallsOptions } from '../options.ts';
import { PLANTS, type PlantName } from './plants.ts';
import { printCalls } from './print.ts';
import { appendReport, reportLineOf } from './report.ts';
import { runCalls } from './run.ts';

/** Runs the calls and prints what came of them. True where all is right, or where a planted fault was found by one of its rules. */
export async function tortureCalls({ plant: name, report, ...options }: CallsOptions): Promise<boolean> {
  const plant = plantOf(name);
  let stopping = false;
  process.once('SIGINT', () => {
    stopping = true;
  });
  const say = (line: string): void => console.log(`${Math.round(performance.now() / 1_000)} s  ${line}`);
  const run = await runCalls({ ...options, plant, say, stop: () => stopping });
  if (report !== null) appendReport(report, reportLineOf(run, { ...options, endedAt: new Date() }));
  const isRight = printCalls(run);
  if (plant === null) return isRight;
  const rules: readonly string[] = [...run.problems, ...run.violations].map(({ rule }) => rule);
  const found = PLANTS[plant].found.filter((rule) => rules.includes(rule));
  console.log(
    found.length > 0 ? `the planted ${plant} was found: ${found.join(', ')}` : `${plant} was NOT found`,
  );
  return found.length > 0;
}

function plantOf(name: string | null): PlantName | null {
  if (name === null) return null;
  const names = Object.keys(PLANTS);
  if (isPlant(name)) return name;
  console.error(`--plant: expected one of ${names.join(', ')}, got "${name}"`);
  process.exit(2);
}

const isPlant = (name: string): name is PlantName => name in PLANTS;
