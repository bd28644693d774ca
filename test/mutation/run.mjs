/**
 * Changes the code in small ways, one at a time, and asks whether a test notices:
 *
 *   npm run mutation [-- part …] [--force] [--concurrency=1]
 *
 * The mutation tester lives in this folder's own node_modules and is installed when it is missing; it runs the root's vitest.
 * Exits non-zero when a part scores below the `break` threshold of stryker.config.json. Results of earlier runs are reused
 * for what did not change since (`--force` runs everything). Reports: reports/mutation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What is changed, and the tests that have to notice: with only these, a change at module level need not run them all. */
const PARTS = {
  ledger: { mutate: ['src/engine/ledger/rules/**/*.ts'], tests: ['test/engine/ledger/**/*.test.ts'] },
  intents: {
    mutate: ['src/engine/intents/rules/**/*.ts'],
    tests: ['test/engine/intents/**/*.test.ts', 'test/modules/operations/review-intent.test.ts'],
  },
  vault: { mutate: ['src/platform/vault/**/!(*.d).ts'], tests: ['test/platform/vault/**/!(memory).test.ts'] },
  signing: {
    mutate: ['src/engine/signing/rules/**/*.ts', 'src/engine/intents/kinds/*/policy.ts'],
    tests: ['test/engine/signing/**/*.test.ts'],
    shared: true,
  },
  guard: {
    mutate: ['src/modules/guard/rules/**/*.ts'],
    tests: [
      'test/modules/guard/guard.test.ts',
      'test/modules/guard/judge-trade.test.ts',
      'test/modules/guard/lock-out-clock.test.ts',
      'test/modules/guard/settings.test.ts',
      'test/modules/guard/rules/*.test.ts',
      'test/trust/thief-table.test.ts',
      'test/core/time/span.test.ts',
    ],
    shared: true,
  },
  // Markets and paths at random are left to the whole suite: a change that lives runs all of its noticers.
  orders: {
    mutate: ['src/modules/orders/rules/**/*.ts'],
    tests: [
      'test/modules/orders/rules/*.test.ts',
      ...'agreed-out budget fire-terms hold-window machine placement schedule trail trigger'
        .split(' ')
        .map((name) => `test/modules/orders/${name}.test.ts`),
    ],
    shared: true,
  },
  // The loop over these parts, and the saving of whole wallets, need a chain: `watch-deposits.test.ts` takes half a minute.
  deposits: {
    mutate: [
      'src/modules/deposits/rules/**/*.ts',
      'src/modules/deposits/use/!(own-wallets|watch-deposits).ts',
    ],
    tests: ['agreement', 'arrivals', 'reading'].map((name) => `test/modules/deposits/${name}.test.ts`),
    shared: true,
  },
  // Wiring and the words of mails are left out; what they say is compared by `key-pages.test.ts`.
  keys: {
    mutate: ['src/modules/keys/rules/**/*.ts', 'src/modules/keys/use/!(key-desk|send-mail).ts'],
    tests: ['check-api-key', 'count-usage', 'desk', 'key-request'].map(
      (name) => `test/modules/keys/${name}.test.ts`,
    ),
    shared: true,
  },
  escaper: {
    mutate: ['src/platform/telegram/ui/html.ts'],
    tests: ['test/platform/telegram/ui/html.test.ts'],
  },
};

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const args = process.argv.slice(2);
const options = args.filter((arg) => arg === '--force' || /^--concurrency=\d+$/.test(arg));
const wanted = args.filter((arg) => !options.includes(arg));
const unknown = wanted.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.\n`,
  );
  process.exit(2);
}

const stryker = join(here, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
if (!existsSync(stryker)) {
  const installed = spawnSync('npm', ['ci'], { cwd: here, stdio: 'inherit' });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}

const base = JSON.parse(readFileSync(join(here, 'stryker.config.json'), 'utf8'));
const scores = [];
for (const part of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
  const folder = join('reports', 'mutation', part);
  mkdirSync(join(root, folder), { recursive: true });
  const config = join(folder, 'stryker.config.json');
  const report = join(folder, 'report.json');
  writeFileSync(
    join(root, config),
    JSON.stringify({
      ...base,
      mutate: PARTS[part].mutate,
      incrementalFile: join(folder, 'incremental.json'),
      jsonReporter: { fileName: report },
      htmlReporter: { fileName: join(folder, 'report.html') },
    }),
  );
  const run = spawnSync(process.execPath, [stryker, 'run', config, ...options], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      MUTATION_TESTS: PARTS[part].tests.join(),
      MUTATION_SHARED: PARTS[part].shared === true ? 'yes' : 'no',
    },
  });
  scores.push({ part, ok: run.status === 0, ...tally(join(root, report)) });
}
for (const { part, ok, detected, valid } of scores) {
  const score = valid === 0 ? 'no result' : `${((100 * detected) / valid).toFixed(1)} %`;
  process.stdout.write(
    `${part.padEnd(8)} ${score.padStart(8)}  ${detected} of ${valid} mutants noticed${ok ? '' : '  FAILED'}\n`,
  );
}
process.exitCode = scores.every(({ ok }) => ok) ? 0 : 1;

/** Mutants that a test noticed, of those that are valid code and not switched off by a comment with a reason. */
function tally(report) {
  if (!existsSync(report)) return { detected: 0, valid: 0 };
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const detected = statuses.filter((status) => status === 'Killed' || status === 'Timeout').length;
  const missed = statuses.filter((status) => status === 'Survived' || status === 'NoCoverage').length;
  return { detected, valid: detected + missed };
}
