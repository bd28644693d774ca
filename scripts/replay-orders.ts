/**
 * `npm run replay-orders -- --path test/support/replay/paths/wick-3.csv`: plays a recorded price path through the evaluator and the
 * firing of orders, beside what is expected of it (`wick-3.json`). Without `--path` all that are shipped. Exits 1 where they differ,
 * 2 for a path that cannot be read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PathError, readPath } from '../test/support/replay/read-path.ts';
import { replayPath } from '../test/support/replay/replay-path.ts';

const SHIPPED = join(dirname(fileURLToPath(import.meta.url)), '../test/support/replay/paths');
const USAGE = 'usage: npm run replay-orders [-- --path FILE.csv]   (lines of slot,pool,reserveA,reserveB)';

type Expected = {
  readonly why: readonly string[];
  readonly fires: readonly { readonly slot: number; readonly order: string }[];
};

const given = pathGiven();
const paths =
  given === undefined
    ? readdirSync(SHIPPED)
        .filter((name) => name.endsWith('.csv'))
        .map((name) => join(SHIPPED, name))
    : [given];
let differ = 0;
for (const path of paths) differ += (await played(path)) ? 0 : 1;
process.exit(differ === 0 ? 0 : 1);

/** Plays one path and tells; false where it does not do what is expected of it. */
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

function pathGiven(): string | undefined {
  try {
    return parseArgs({ options: { path: { type: 'string' } } }).values.path;
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

function stop(why: string): never {
  console.error(`${why}\n${USAGE}`);
  process.exit(2);
}
