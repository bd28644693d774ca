import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isPostgresCommand } from './binaries.ts';

export type Postmaster = { readonly pid: number; readonly port: number; readonly status: string };

/** The content of `postmaster.pid`, or null. Source of truth: src/include/utils/pidfile.h (line 1 pid, 4 port, 8 status). */
export async function readPostmaster(data: string): Promise<Postmaster | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n').map((line) => line.trim());
  return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]), status: lines[7] ?? '' };
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether `pid` is a running Postgres. After a reboot a left-over pid file may name another program, such as an editor: that one is neither
 * waited for nor signalled.
 */
export async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => commandByPs(pid));
  // It could not be named: then it is Postgres if it is still there; it may have ended while we looked.
  return command === null ? isAlive(pid) : isPostgresCommand(command.trim());
}

async function commandByPs(pid: number): Promise<string | null> {
  return await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).then(
    ({ stdout }) => stdout,
    () => null,
  );
}
