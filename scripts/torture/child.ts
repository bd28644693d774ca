import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const ENDS_WITH_PARENT = new URL('../ends-with-parent.mjs', import.meta.url).href;

/**
 * A process of Node with the file and arguments of `command`. It ends with this process, also when this one gets `kill -9`; a Ctrl-C in the
 * terminal reaches this one alone. Standard output and standard error are pipes; standard input belongs to that bond and carries nothing.
 * `env` is the child's whole environment; that of this process when absent.
 */
export function startChild(command: readonly string[], env?: Readonly<Record<string, string>>): Child {
  return spawn(process.execPath, ['--import', ENDS_WITH_PARENT, ...command], {
    ...(env === undefined ? {} : { env: { ...env } }),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own.
    detached: true,
  });
}
