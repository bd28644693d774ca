import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StateError } from './state-error.ts';

/** Makes this process the only user of the directory. Throws StateError while another live process holds it. */
export function acquireLock(dir: string): { release(): void } {
  const path = join(dir, 'lock');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }));
      closeSync(file);
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(path);
    if (holder !== null && isAlive(holder)) {
      throw new StateError(
        `The local chain's state in ${dir} is in use by process ${holder.pid}: stop it, or choose another directory.`,
      );
    }
    rmSync(path, { force: true });
  }
  throw new StateError(`The local chain's state in ${dir} is being opened by another process: try again.`);
}

type Holder = { readonly pid: number; readonly started: string };

function readHolder(path: string): Holder | null {
  try {
    const { pid, started } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startOf(pid) === started;
}

/** When the process began, where the system tells: a dead holder's number may belong to another process by now. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? '';
  } catch {
    return '';
  }
}
