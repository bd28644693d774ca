/** `npm start` from an installed checkout: cold (first start ever) and warm, and what the whole demo keeps in memory. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../test/support/program.ts';
import { median } from './median.ts';
import type { Row } from './run.ts';

export const name = 'start';

const ROUNDS = 3;

export async function run(): Promise<readonly Row[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
    for (const times of [cold, warm]) {
      const program = await startProgram(dir, { CHAT_UPDATES: '1000' });
      times.push(program.readyMs / 1000);
      memory.push(residentMegabytes(program.child.pid ?? 0));
      await program.stop();
    }
    rmSync(dir, { recursive: true, force: true });
  }
  return [
    { metric: 'first start to ready', value: median(cold), unit: 's', note: 'goal 6 s' },
    { metric: 'warm start to ready', value: median(warm), unit: 's', note: 'goal 3 s' },
    {
      metric: 'resident memory of the demo, Postgres included',
      value: median(memory),
      unit: 'MB',
      note: 'proportional set size, goal 600 MB',
    },
  ];
}

/** Proportional set size of a process and everything below it: shared pages of Postgres count once. Linux only. */
function residentMegabytes(root: number): number {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? readText(`/proc/${entry}/stat`) : '';
    const parent = /\) \S (\d+)/.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(entry), Number(parent));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  let kilobytes = 0;
  for (const pid of parents.keys()) {
    if (isBelow(pid))
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
