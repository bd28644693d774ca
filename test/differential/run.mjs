/**
 * Compares our quotes with the vendors' own SDKs, offline, on seeded random pools:
 *
 *   node test/differential/run.mjs [--seed 1] [--states 2000] [venue …]
 *
 * The SDKs live in this folder's own node_modules (`npm ci --ignore-scripts` here); without them this prints a line and
 * ends well. Licences differ (two are copyleft or non-commercial): nothing in src may import them.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
// Another place for the SDKs keeps 300 MB out of a checkout that many tools walk through.
const home = process.env.DIFFERENTIAL_HOME ?? here;
if (!existsSync(join(home, 'node_modules'))) {
  process.stdout.write('skipped: run npm ci in test/differential\n');
  process.exit(0);
}

const args = process.argv.slice(2);
const option = (name, fallback) => {
  const at = args.indexOf(`--${name}`);
  if (at === -1) return fallback;
  const [, value] = args.splice(at, 2);
  if (!/^[1-9][0-9]*$/.test(value ?? ''))
    throw new Error(`--${name} wants a positive whole number, got ${value}`);
  return Number(value);
};
const seed = option('seed', 1);
const states = option('states', 2000);

const { register } = await import('tsx/esm/api');
register();
const suites = readdirSync(join(here, 'suites')).map((file) => file.replace(/\.mjs$/, ''));
const unknown = args.filter((name) => !suites.includes(name));
if (unknown.length > 0)
  throw new Error(`no such venue: ${unknown.join(', ')}; there are ${suites.join(', ')}`);

const sdk = createRequire(pathToFileURL(join(home, 'package.json')));
let failed = false;
for (const name of suites.filter((suite) => args.length === 0 || args.includes(suite))) {
  const { runSuite } = await import(`./suites/${name}.mjs`);
  for (const tally of await runSuite({ sdk, seed, states })) {
    process.stdout.write(`${JSON.stringify(tally)}\n`);
    // A comparison that filled next to nothing compared next to nothing.
    if (tally.mismatches > 0 || tally.filled * 3 < tally.compared) failed = true;
  }
}
process.exitCode = failed ? 1 : 0;
