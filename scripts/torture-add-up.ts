/**
 * `npm run torture:add-up -- [--least N] FILE…` adds up the runs in reports of `npm run torture -- --calls N --report FILE`, and prints the
 * sum as JSON. Exits 1 when a run had a problem, when they have fewer than N calls together, or when the storm was none.
 */
import { parseArgs } from 'node:util';
import { addUp, readReports, shortfallsOf } from './torture/calls/report.ts';

const { values, positionals: files } = parseArgs({
  options: { least: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const least = Number(values.least);
if (files.length === 0) refuse('expected the files of reports');
if (!Number.isInteger(least) || least < 1)
  refuse(`--least: expected a whole number of at least 1, got "${values.least}"`);
try {
  const total = addUp(readReports(files));
  console.log(JSON.stringify(total, null, 2));
  const shortfalls = shortfallsOf(total, least);
  for (const one of shortfalls) console.log(`PROBLEM ${one}`);
  process.exitCode = shortfalls.length === 0 ? 0 : 1;
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error));
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
