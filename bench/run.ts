/**
 * `npm run bench [-- name …]`: runs every bench/*.bench.ts in a process of its own, one after the other, and prints a table.
 * Figures of a shared machine are noisy: each file measures its baseline in the same run, and the ratio is what counts.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from '../scripts/bundle.mjs';

export type Row = {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** What `ratio` compares with, measured in the same run. */
  readonly baseline?: string;
  readonly ratio?: number;
  readonly note?: string;
};

export type Bench = { readonly name: string; readonly run: () => Promise<readonly Row[]> };

const here = dirname(fileURLToPath(import.meta.url));
const MARK = '\u0000rows ';

/** Bundled, as `npm start` runs the product: under the loader of scripts, functions cost more than they do there. */
async function child(file: string): Promise<void> {
  const bench = (await import(await bundled(`bench/${file}`))) as Bench;
  process.stdout.write(`${MARK}${JSON.stringify({ name: bench.name, rows: await bench.run() })}\n`);
  process.exit(0);
}

function parent(wanted: readonly string[]): number {
  const files = readdirSync(here)
    .filter((file) => file.endsWith('.bench.ts'))
    .filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)));
  if (files.length === 0) {
    console.error(
      `No benchmark is called ${wanted.join(', ')}. There are: ${readdirSync(here)
        .filter((f) => f.endsWith('.bench.ts'))
        .join(', ')}`,
    );
    return 1;
  }
  let failed = 0;
  for (const file of files) {
    const result = spawnSync(
      process.execPath,
      ['--import', './scripts/register.mjs', fileURLToPath(import.meta.url), '--child', file],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const line = result.stdout.split('\n').find((text) => text.startsWith(MARK));
    if (result.status !== 0 || line === undefined) {
      failed += 1;
      console.error(`${file} failed (exit ${result.status ?? result.signal}).`);
      continue;
    }
    const { name, rows } = JSON.parse(line.slice(MARK.length)) as { name: string; rows: readonly Row[] };
    console.log(`\n${name}`);
    for (const row of rows) {
      const ratio =
        row.ratio === undefined ? '' : `  = ${row.ratio.toFixed(2)} × ${row.baseline ?? 'baseline'}`;
      const note = row.note === undefined ? '' : `  (${row.note})`;
      console.log(`  ${row.metric.padEnd(52)} ${format(row.value).padStart(10)} ${row.unit}${ratio}${note}`);
    }
  }
  return failed === 0 ? 0 : 1;
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 10 ? 1 : 2);
}

const [flag, file] = process.argv.slice(2);
if (flag === '--child' && file !== undefined) await child(file);
else process.exit(parent(process.argv.slice(2)));
