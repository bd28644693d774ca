/**
 * `npm run replay-orders -- --path test/support/replay/paths/wick-3.csv`: plays a recorded price path through the evaluator and the firing
 * of orders, beside the expected result (`wick-3.json`). Without `--path` all that are shipped. Exits 1 where they differ, 2 for a path
 * that cannot be read. `-- --push [--path FILE.csv]`: the cost of pushing the pools of the first slot down by 30 %, slot by slot, and the
 * orders that fire.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pushDown, pushedPath } from '../test/support/replay/push.ts';
import { PathError, type Reserves, readPath } from '../test/support/replay/read-path.ts';
import { replayPath } from '../test/support/replay/replay-path.ts';

const SHIPPED = join(dirname(fileURLToPath(import.meta.url)), '../test/support/replay/paths');
const USAGE =
  'usage: npm run replay-orders [-- [--push] --path FILE.csv]   (lines of slot,pool,reserveA,reserveB)';
const LAMPORTS_PER_SOL = 1e9;
const PUSH = { downBps: 3_000n, mostSlots: 8 } as const;
/** Pools of a thousand SOL, where no path names others. */
const POOLS: readonly Reserves[] = Array.from({ length: 2 }, () => ({
  sol: 1_000_000_000_000n,
  token: 20_000_000_000_000n,
}));

type Expected = {
  readonly why: readonly string[];
  readonly fires: readonly { readonly slot: number; readonly order: string }[];
};

const { path: given, push } = optionsGiven();
if (push === true) {
  await printPushes(given === undefined ? POOLS : [...(frames(given)[0]?.pools.values() ?? [])]);
  process.exit(0);
}
const paths =
  given === undefined
    ? readdirSync(SHIPPED)
        .filter((name) => name.endsWith('.csv'))
        .map((name) => join(SHIPPED, name))
    : [given];
let differ = 0;
for (const path of paths) differ += (await played(path)) ? 0 : 1;
process.exit(differ === 0 ? 0 : 1);

/** Plays one path and prints it; false where it differs from the expected result. */
async function played(path: string): Promise<boolean> {
  const { fires, ends } = await replayPath(frames(path));
  console.log(`\n${path}`);
  for (const { slot, order, units, minOut } of fires)
    console.log(
      `  slot ${String(slot).padStart(5)}  ${order.padEnd(18)} gives ${units}, takes no less than ${minOut}`,
    );
  for (const { order, status, why } of ends)
    console.log(`  in the end   ${order.padEnd(18)} ${status}${why === null ? '' : ` (${why})`}`);
  const beside = path.replace(/\.csv$/, '.json');
  if (beside === path || !existsSync(beside)) return true;
  // Shipped beside its path, and held against it by a test.
  const expected = JSON.parse(readFileSync(beside, 'utf8')) as Expected;
  for (const line of expected.why) console.log(`  because      ${line}`);
  const told = (all: Expected['fires']) => all.map(({ slot, order }) => `${slot} ${order}`).toSorted();
  const isSame = told(fires).join() === told(expected.fires).join();
  console.log(isSame ? '  as expected' : `  EXPECTED ${told(expected.fires).join(', ')}`);
  return isSame;
}

function frames(path: string): ReturnType<typeof readPath> {
  try {
    return readPath(readFileSync(path, 'utf8'));
  } catch (error) {
    return stop(
      error instanceof PathError ? `${path}: ${error.message}` : `${path}: no such file can be read`,
    );
  }
}

/** One line per length of the push: the orders that fire, and the cost for the pusher. */
async function printPushes(pools: readonly Reserves[]): Promise<void> {
  const costs = pools.map((one) => pushDown(one, PUSH.downBps));
  console.log(
    `${pools.length} pools, ${pools.map(({ sol }) => inSol(sol)).join(' and ')} SOL deep, pushed down by ${PUSH.downBps / 100n} %. Stops at -20 % must hold 6 slots.`,
  );
  for (const all of pools.length > 1 ? [false, true] : [true]) {
    const pushed = all ? costs : costs.slice(0, 1);
    const sum = (of: 'fees' | 'perSlot'): bigint => pushed.reduce((total, one) => total + one[of], 0n);
    console.log(
      `\n${all ? 'all pools' : 'one pool'}: fees ${inSol(sum('fees'))} SOL if nobody trades against it`,
    );
    for (let slots = 1; slots <= PUSH.mostSlots; slots += 1) {
      const { fires } = await replayPath(pushedPath(pools, { slots, all, downBps: PUSH.downBps }));
      const sales = fires.map(({ order }) => order).filter((order) => order !== 'rounds');
      const lost = inSol(sum('perSlot') * BigInt(slots));
      console.log(
        `  ${slots} slots  ${lost.padStart(8)} SOL if others buy the difference away  fires: ${sales.join(', ') || 'nothing'}`,
      );
    }
  }
}

function inSol(lamports: bigint): string {
  return (Number(lamports) / LAMPORTS_PER_SOL).toFixed(2);
}

function optionsGiven(): { readonly path?: string; readonly push?: boolean } {
  try {
    return parseArgs({ options: { path: { type: 'string' }, push: { type: 'boolean' } } }).values;
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

function stop(why: string): never {
  console.error(`${why}\n${USAGE}`);
  process.exit(2);
}
