import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Thousands of each operation are `npm run contract -- --cases N`. */
it('both hosts of the program answer as their own documents say', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './scripts/register.mjs', 'scripts/contract.ts', '--cases', '40', '--seed', '7'],
    { timeout: 600_000, maxBuffer: 16 * 1024 * 1024 },
  ).catch((error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? String(error) }));
  expect(stdout.split('\n').filter((line) => /FAULT|Error/.test(line))).toEqual([]);
  expect(stdout).toContain('Each answer was as documented.');
  const answered = stdout.split('\n').filter((line) => /^http\S+ [A-Z]+ \//.test(line));
  expect(answered.length).toBeGreaterThan(80);
  // The storm is no storm of refusals alone.
  expect(answered.filter((line) => / 200: /.test(line)).length).toBeGreaterThan(50);
}, 700_000);
