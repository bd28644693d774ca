import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type End = { readonly code: number | null; readonly lines: readonly string[] };

/** Runs a script of the program until it ends by itself; answers its exit code and what it wrote to stderr, line by line. */
export function runToEnd(script: string, environment: Readonly<Record<string, string>>): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', './scripts/register.mjs', script], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, lines: text.trim().split('\n') }));
  });
}
