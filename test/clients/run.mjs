/**
 * Makes strict clients of the documents that the hosts serve, and lets a linter judge these: `npm run test:clients`.
 *
 * openapi-typescript writes the types of each host, and the least request of every operation is compiled under `--strict`, with what
 * its answer and its refusal have. Redocly's recommended rules must find nothing. Both need an older compiler than the root has,
 * so they live in this folder's own node_modules, and are installed when they are missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentOf } from '../../scripts/api/document-of.ts';
import { leastRequests } from './least-requests.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const MADE = join(HERE, 'node_modules', '.made');
const bin = (name) => join(HERE, 'node_modules', '.bin', name);
const HOSTS = ['open', 'pro', 'charts'];

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: HERE, stdio: 'inherit' });
  return status === 0;
}

function need(isDone, what) {
  if (isDone) return;
  console.error(`Failed: ${what}.`);
  process.exit(1);
}

if (!existsSync(join(HERE, 'node_modules', 'openapi-typescript')))
  need(run('npm', ['ci', '--no-audit', '--no-fund']), 'the clients were not installed');
rmSync(MADE, { recursive: true, force: true });
mkdirSync(MADE, { recursive: true });
for (const host of HOSTS) {
  const document = documentOf(host);
  const file = join(MADE, `${host}.json`);
  writeFileSync(file, JSON.stringify(document, null, 1));
  need(
    run(bin('openapi-typescript'), [file, '-o', join(MADE, `${host}.ts`)]),
    `openapi-typescript cannot read the document of the ${host} host`,
  );
  writeFileSync(join(MADE, `${host}.requests.ts`), leastRequests(document, host));
}
const FLAGS = '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target esnext';
const MODULES = '--module nodenext --moduleResolution nodenext --allowImportingTsExtensions';
const files = HOSTS.map((host) => join(MADE, `${host}.requests.ts`));
writeFileSync(join(MADE, 'package.json'), '{ "type": "module" }');
need(run(bin('tsc'), [...`${FLAGS} ${MODULES}`.split(' '), ...files]), 'a least request does not compile');
const linted = spawnSync(
  bin('redocly'),
  [
    'lint',
    '--extends',
    'recommended',
    '--format',
    'json',
    ...HOSTS.map((host) => join(MADE, `${host}.json`)),
  ],
  { cwd: HERE, encoding: 'utf8', maxBuffer: 1e9 },
);
const rules = [...linted.stdout.matchAll(/"ruleId": "([\w-]+)"/g)].map(([, rule]) => rule);
need(
  linted.status === 0 && rules.length === 0,
  `redocly names ${[...new Set(rules)].join(', ') || linted.stderr.trim()}`,
);
console.log(`Strict clients of ${HOSTS.length} hosts compile, and the linter names nothing.`);
