import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startChild } from '../../scripts/torture/child.ts';
import { isAlive } from '../../src/local/postgres/postmaster-file.ts';

/** Says its process id, and would work for an hour. */
const CHILD = `process.stdout.write(process.pid + '\\n'); setTimeout(() => {}, 3_600_000);`;

it('ends a child whose parent got kill -9, and not by a Ctrl-C that the parent hears', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-child-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'child.mjs');
  writeFileSync(file, CHILD);
  const script = `
    process.on('SIGINT', () => {});
    const { startChild } = await import(${JSON.stringify(new URL('../../scripts/torture/child.ts', import.meta.url).href)});
    startChild([${JSON.stringify(file)}]).stdout.pipe(process.stdout);`;
  const parent = spawn(
    process.execPath,
    ['--import', './scripts/register.mjs', '--input-type=module', '-e', script],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
  // A terminal signals the whole group.
  process.kill(-(parent.pid ?? 0), 'SIGINT');
  await pause(500);
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
});

it('lets a child that is done end by itself, and gives it the environment that is named', async () => {
  const child = startChild(['-e', 'process.stdout.write(Object.keys(process.env).join())'], { ONLY: 'this' });
  const said = once(child.stdout, 'data');
  const [code] = await once(child, 'exit');
  expect(String((await said)[0])).toBe('ONLY');
  expect(code).toBe(0);
});
