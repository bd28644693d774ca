import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type End = { readonly code: number | null; readonly lines: readonly string[] };

/** What `npm start` runs. */
export const START = ['scripts/start.mjs'];
/** A script in TypeScript. */
export const script = (path: string): readonly string[] => ['--import', './scripts/register.mjs', path];

/** Runs a program until it ends by itself; answers its exit code and what it wrote to stderr, line by line. */
export function runToEnd(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
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
