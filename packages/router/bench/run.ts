import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generateMarket } from './generate.ts';
import { printGoals } from './goals.ts';
import { printQuality } from './quality.ts';
import { runOrders } from './run-orders.ts';
import { parseSnapshot, type Snapshot } from './snapshot.ts';

const USAGE = `usage: bench:router [--snapshot file.json] [--out routes.json] [--max-pools 5] [--max-hops 3] [--seed 101] [--orders 300]
                    [--pools 100,1000,10000] [--stale 0.01] [--quality | --goals [--seeds 101,102,103]]
Routes every order of a snapshot (or of generated markets of 100, 1,000 and 10,000 pools) and prints one JSON line of
timings per market. --quality prints distances to the certified bounds instead, --goals the table of goals for 1,000 and 10,000 pools.`;

function main(): void {
  const { values } = parseArgs({
    options: {
      snapshot: { type: 'string' },
      out: { type: 'string' },
      'max-pools': { type: 'string', default: '5' },
      'max-hops': { type: 'string', default: '3' },
      seed: { type: 'string', default: '101' },
      orders: { type: 'string', default: '300' },
      quality: { type: 'boolean', default: false },
      goals: { type: 'boolean', default: false },
      seeds: { type: 'string', default: '101,102,103' },
      pools: { type: 'string', default: '100,1000,10000' },
      stale: { type: 'string', default: '0' },
    },
  });
  const maxPools = integer(values['max-pools'], '--max-pools', 1, 16);
  const maxHops = integer(values['max-hops'], '--max-hops', 1, 4);
  const orders = integer(values.orders, '--orders', 1, 100_000);
  const poolCounts = integers(values.pools, '--pools', 60, 100_000);
  const staleShare = Number(values.stale);
  if (values.quality || values.goals) {
    const seeds = integers(values.seeds, '--seeds', 1, 1_000_000);
    const run = { seeds, poolCounts, orders, maxPools, maxHops, staleShare };
    if (values.goals) printGoals({ ...run, poolCounts: poolCounts.filter((pools) => pools >= 1_000) });
    else printQuality(run);
    return;
  }
  const snapshots =
    values.snapshot === undefined
      ? poolCounts.map(
          (pools) => () =>
            generateMarket({ seed: integer(values.seed, '--seed', 1, 1_000_000), pools, orders, staleShare }),
        )
      : [() => readSnapshot(values.snapshot ?? '')];
  for (const load of snapshots) {
    const { routes, timing } = runOrders(load(), { maxPools, maxHops });
    if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(routes, null, 1)}\n`);
    console.log(JSON.stringify(timing));
  }
}

function readSnapshot(path: string): Snapshot {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`cannot read ${path} as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parseSnapshot(parsed);
}

function integer(text: string, name: string, low: number, high: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new Error(`${name} must be an integer ${low} to ${high}, got ${text}`);
  }
  return value;
}

function integers(text: string, name: string, low: number, high: number): readonly number[] {
  return text.split(',').map((part) => integer(part, name, low, high));
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(USAGE);
  process.exitCode = 1;
}
