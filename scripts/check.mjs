/**
 * `npm run check`: types, style, lint, unused code and code that only tests use, side by side, in half a minute. `npm test` runs the tests.
 * Prints the output of a check that fails, and exits with 1 then.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CACHE = 'node_modules/.tradepost';

/** Types of the product remember the checked files: the second run looks at the changed ones. */
const CHECKS = {
  types: ['tsc', '--incremental', '--tsBuildInfoFile', `${CACHE}/types.tsbuildinfo`],
  'types of the chat page': ['tsc', '-p', 'packages/local-telegram/src/page'],
  style: ['biome', 'check', '.'],
  lint: ['oxlint', '--type-aware', 'src', 'test', 'scripts', 'bench', 'packages'],
  'unused code': ['knip', '--cache', '--cache-location', `${CACHE}/knip`],
  'code for tests only': ['knip', '--production', '--cache', '--cache-location', `${CACHE}/knip-production`],
};

const startedAt = performance.now();
const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

const results = await Promise.all(
  Object.entries(CHECKS).map(async ([name, [tool, ...args]]) => {
    const { code, text } = await run(join(root, 'node_modules', '.bin', tool), args);
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}, ${seconds()}\n`);
    if (code !== 0) process.stdout.write(`${text.trimEnd()}\n\n`);
    return code;
  }),
);
process.exit(results.every((code) => code === 0) ? 0 : 1);

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' });
    const parts = [];
    child.stdout.on('data', (part) => parts.push(part));
    child.stderr.on('data', (part) => parts.push(part));
    child.on('error', (error) => resolve({ code: 1, text: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, text: Buffer.concat(parts).toString() }));
  });
}
