/**
 * Makes a checkout runnable before node_modules exists: plain Node, no imports from packages.
 * Idempotent and quick when there is nothing to do (a few file reads).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `Tradepost needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and run the command again.`,
  );
}

/** Runs `work` unless `stamp` already holds the hash of `inputs`: done once per change of its inputs. */
function once(stamp, inputs, ready, work) {
  const hash = createHash('sha256');
  for (const file of inputs) hash.update(readFileSync(join(root, file)));
  const digest = hash.digest('hex');
  const path = join(root, 'node_modules', '.tradepost', stamp);
  if (ready() && existsSync(path) && readFileSync(path, 'utf8') === digest) return;
  work();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, digest);
}

function run(command, args, env = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) fail(`"${command} ${args.join(' ')}" failed. Its message stands above.`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/**
 * Whether node_modules holds the packages of the lockfile, by the list that npm leaves in it when it has ended: so that a person's own `npm
 * ci` is not done again. An optional package may be missing: it is for another system.
 */
function isInstalled() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const found = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
      if (path === '') return true;
      if (found[path] === undefined) return optional === true;
      return found[path].version === version && found[path].integrity === integrity;
    });
  } catch {
    return false;
  }
}

if (!isInstalled()) {
  process.stdout.write('Installing packages (once)…\n');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

const schemaFiles = readdirSync(join(root, 'prisma/schema')).sort();

once(
  'prisma',
  [...schemaFiles.map((name) => `prisma/schema/${name}`), 'package-lock.json'],
  () => existsSync(join(root, 'src/platform/db/generated/client.ts')),
  () => {
    // `generate` asks for a schema engine binary that it never runs; any executable satisfies it, and none is downloaded.
    const generated = spawnSync(
      process.execPath,
      [join(root, 'node_modules/prisma/build/index.js'), 'generate'],
      {
        cwd: root,
        encoding: 'utf8',
        env: {
          ...process.env,
          PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
          PRISMA_HIDE_UPDATE_MESSAGE: '1',
          CHECKPOINT_DISABLE: '1',
        },
      },
    );
    if (generated.status !== 0) fail(`prisma generate failed:\n${generated.stdout}${generated.stderr}`);
  },
);
