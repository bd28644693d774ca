import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type CallsRunOptions, runCalls } from '../../scripts/torture/calls/run.ts';
import { isAlive } from '../../src/local/postgres/postmaster-file.ts';

const LONG_MS = 900_000;
const run = (options: Pick<CallsRunOptions, 'calls' | 'callers' | 'seed' | 'plant'>) =>
  runCalls({ ...options, say: () => undefined });

/** Ten thousand of them, over several seeds, are `npm run torture -- --calls 2500 --seed S --report FILE`. */
it(
  'no final word is wrong and nothing happens twice while answers are lost and processes are killed',
  async () => {
    const { calls, answers, faults, lies, kills, postgresKills, ...found } = await run({
      calls: 50,
      callers: 25,
      seed: 7,
      plant: null,
    });
    expect(found).toMatchObject({ problems: [], violations: [], ownDeaths: [] });
    expect(calls).toBe(50);
    // The storm was one.
    expect(answers.lost).toBeGreaterThan(20);
    expect(kills).toBeGreaterThan(0);
    expect(postgresKills).toBe(1);
    for (const fault of ['fork', 'drop', 'late', 'lose-answer', 'lag'])
      expect(faults[fault]).toBeGreaterThan(0);
    expect(Object.values(lies).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    expect(found.events.forged).toBe(0);
  },
  LONG_MS,
);

it(
  'names bytes that go out before their row is committed',
  async () => {
    const { violations } = await run({ calls: 12, callers: 12, seed: 3, plant: 'sent-before-kept' });
    expect(violations.map(({ rule }) => rule)).toContain('bytes-before-commit');
  },
  LONG_MS,
);

it(
  'leaves no process behind when it gets kill -9',
  async () => {
    const rig = spawn(
      process.execPath,
      ['--import', './scripts/register.mjs', 'scripts/torture.ts', '--calls', '400', '--callers', '2'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void rig.kill('SIGKILL'));
    let said = '';
    rig.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 300_000, interval: 200 }).toContain('2 callers are ready');
    const children = childrenOf(rig.pid ?? 0);
    // The signer, two of the API, two workers, and Postgres.
    expect(children.length).toBeGreaterThanOrEqual(6);
    rig.kill('SIGKILL');
    const startedAt = performance.now();
    while (children.some(isRunning) && performance.now() - startedAt < 60_000) await pause(100);
    expect(children.filter(isRunning)).toEqual([]);
  },
  LONG_MS,
);

/** All processes below this one, by the system's table. */
function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const direct = pids.map(Number).filter((pid) => statOf(pid)?.parent === parent);
  return direct.flatMap((pid) => [pid, ...childrenOf(pid)]);
}

/** One that has ended and that its new parent has not looked at yet is none. */
const isRunning = (pid: number): boolean => isAlive(pid) && statOf(pid)?.state !== 'Z';

function statOf(pid: number): { readonly state: string; readonly parent: number } | null {
  try {
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}
