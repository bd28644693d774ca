import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const OPS = fileURLToPath(new URL('../../../scripts/ops.ts', import.meta.url));

export type OpsResult = { readonly code: number | null; readonly out: string };

/**
 * Runs `npm run ops -- …` as the process it is. `onLine` sees each line as it comes and may kill it. Nothing of this
 * process's own configuration reaches it.
 */
export function runOps(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onLine?: (line: string, kill: () => void) => void,
): Promise<OpsResult> {
  const child = spawn(process.execPath, ['--import', './scripts/register.mjs', OPS, ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  const read = (chunk: Buffer): void => {
    out += chunk.toString();
    for (const line of chunk.toString().split('\n'))
      if (line !== '') onLine?.(line, () => child.kill('SIGKILL'));
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out })));
}
