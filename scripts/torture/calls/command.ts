import { endOfPlant } from '../end-of-plant.ts';
import type { CallsOptions } from '../options.ts';
import { PLANTS, type PlantName } from './plants.ts';
import { printCalls } from './print.ts';
import { appendReport, reportLineOf } from './report.ts';
import { runCalls } from './run.ts';

/** Runs the calls and prints what came of them. The exit code: as `endOfPlant` where a fault is planted, else 0 where all is right. */
export async function tortureCalls({ plant: name, report, ...options }: CallsOptions): Promise<number> {
  const plant = plantOf(name);
  let stopping = false;
  process.once('SIGINT', () => {
    stopping = true;
  });
  const say = (line: string): void => console.log(`${Math.round(performance.now() / 1_000)} s  ${line}`);
  const run = await runCalls({ ...options, plant, say, stop: () => stopping });
  if (report !== null) appendReport(report, reportLineOf(run, { ...options, endedAt: new Date() }));
  const isRight = printCalls(run);
  if (plant === null) return isRight ? 0 : 1;
  return endOfPlant(plant, PLANTS[plant].found, [...run.problems, ...run.violations]);
}

function plantOf(name: string | null): PlantName | null {
  if (name === null) return null;
  const names = Object.keys(PLANTS);
  if (isPlant(name)) return name;
  console.error(`--plant: expected one of ${names.join(', ')}, got "${name}"`);
  process.exit(2);
}

const isPlant = (name: string): name is PlantName => name in PLANTS;
