/** One line of the signer's journal, flushed before it is answered, beside a bare write and flush of the same bytes on that disk. */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedEntry } from '../test/conformance/journal.ts';
import { openBenchJournal } from './bench-journal.ts';
import { percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'journal';

const ROUNDS = 2_000;
const LINE_BYTES = 400;

export async function run(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'journal-bench-'));
  try {
    const bare = bareFlushes(join(folder, 'bare'));
    const alone = await appends(join(folder, 'alone'), 1);
    const together = await appends(join(folder, 'together'), 16);
    const rows = (metric: string, times: readonly number[], p: number): Row => ({
      metric: `${metric}, p${p}`,
      value: percentile(times, p),
      unit: 'ms',
      baseline: `bare write and fsync, p${p}`,
      ratio: percentile(times, p) / percentile(bare, p),
    });
    return [
      { metric: 'bare write and fsync, p50', value: percentile(bare, 50), unit: 'ms' },
      rows('an append alone', alone, 50),
      rows('an append alone', alone, 99),
      rows('an append beside fifteen others', together, 50),
      rows('an append beside fifteen others', together, 99),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The least that any journal on this disk costs. */
function bareFlushes(path: string): readonly number[] {
  const file = openSync(path, 'a');
  const line = Buffer.alloc(LINE_BYTES, 97);
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    writeSync(file, line);
    fsyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  return times;
}

/** Times of single appends while so many are under way at once. */
async function appends(folder: string, atOnce: number): Promise<readonly number[]> {
  const { journal, close } = await openBenchJournal(folder);
  const times: number[] = [];
  const one = async (n: number): Promise<void> => {
    const startedAt = performance.now();
    await journal.append(signedEntry(n));
    times.push(performance.now() - startedAt);
  };
  for (let n = 0; n < ROUNDS; n += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, at) => one(n + at)));
  await close();
  return times;
}
