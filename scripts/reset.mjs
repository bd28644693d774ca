/** Wipes the embedded defaults' state. Refuses while a program still runs on it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dir = resolve(root, process.env['LOCAL_DIR'] || '.local');
const runFile = join(dir, 'run.json');

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The pid in a pid file's first line, or null: Postgres writes its own into postmaster.pid. */
function pidIn(path, read) {
  if (!existsSync(path)) return null;
  try {
    return read(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

for (const file of [runFile, join(dir, 'world', 'world.json')]) {
  const owner = pidIn(file, (text) => JSON.parse(text).pid);
  if (typeof owner !== 'number' || !isAlive(owner)) continue;
  const what = file === runFile ? 'Tradepost' : 'A world ("npm run world")';
  process.stderr.write(
    `${what} is running on ${dir} (pid ${owner}). Stop it first (Ctrl-C), then run "npm run reset" again.\n`,
  );
  process.exit(1);
}

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** The data of a state folder that its server's user could not reach: see src/local/postgres/elsewhere.ts. Null where it is not tied to it. */
function homeOf(postgres) {
  const home = join('/var/lib', `tradepost-${sha256(postgres).slice(0, 16)}`);
  try {
    const password = readFileSync(join(postgres, 'password'), 'utf8').trim();
    return readFileSync(join(home, 'tie'), 'utf8') === `${postgres}\n${sha256(password)}\n` ? home : null;
  } catch {
    return null;
  }
}

const databases = [join(dir, 'postgres'), join(dir, 'dev', 'postgres')];
// Asked before the passwords are gone.
const homes = databases.map(homeOf).filter((home) => home !== null);
for (const folder of [...databases, ...homes]) {
  const postmaster = pidIn(join(folder, 'data', 'postmaster.pid'), (text) => Number(text.split('\n')[0]));
  if (postmaster === null || !(postmaster > 0) || !isAlive(postmaster)) continue;
  // Left behind by a killed program: without its files it could only write errors.
  process.kill(postmaster, 'SIGINT');
  const deadline = Date.now() + 5_000;
  while (isAlive(postmaster) && Date.now() < deadline)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}

for (const folder of [dir, ...homes]) rmSync(folder, { recursive: true, force: true });
process.stdout.write(
  `Removed ${dir}. The next "npm start" begins with an empty chain and an empty database.\n`,
);
