import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeFailure, runCommand } from '../../../scripts/ops/run-command.ts';
import { loadOpsConfig } from '../../../src/config/index.ts';
import { readRunFile } from '../../../src/local/run-file.ts';

const OPS = fileURLToPath(new URL('../../../scripts/ops.ts', import.meta.url));

/**
 * The same commands inside this process, for the many whose effect is in question and not their process: starting one costs
 * seconds on a busy machine.
 */
export async function runOpsHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<OpsResult & { readonly notes: readonly string[] }> {
  let out = '';
  const notes: string[] = [];
  try {
    const code = await runCommand(
      args,
      () => loadOpsConfig({ NODE_ENV: 'test', ...env }, (dir) => readRunFile(dir)?.databaseUrl ?? null),
      (line) => {
        out += `${line}\n`;
      },
      { note: (line) => notes.push(line) },
    );
    return { code, out, notes };
  } catch (error) {
    const { text, code } = describeFailure(error);
    return { code, out: out + text, notes };
  }
}

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
