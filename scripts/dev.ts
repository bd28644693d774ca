/**
 * `npm run dev`: the product, started again whenever a file of it changes, beside stand-ins that stay: the chain, the chat, the mail
 * and Postgres keep running, so that a restart takes seconds and nothing is lost. Its state is in `dev` of LOCAL_DIR.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeStartFailure } from '../src/compose/start-failure.ts';
import { loadProcessConfig } from '../src/config/index.ts';
import { makeLocalSecrets } from '../src/local/make-secrets.ts';
import { startLocalPostgres } from '../src/local/postgres/index.ts';
import { serveWorld } from '../src/local/serve-world.ts';

const INSPECT = '127.0.0.1:9229';
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const stops: (() => Promise<unknown>)[] = [];
let isStopping = false;

try {
  const { local, production } = loadProcessConfig();
  const dir = join(local.dir, 'dev');
  const nodeEnv = production ? 'production' : 'development';
  const world = await serveWorld({
    dir: join(dir, 'world'),
    nodeEnv,
    chain: {
      port: local.chainPort,
      slotMs: local.slotMs,
      network: local.network,
      programsDir: local.programsDir,
      provider: local.provider,
    },
    chatPort: local.chatPort,
  });
  stops.push(() => world.stop());
  const postgres = await startLocalPostgres({ dir: join(dir, 'postgres') });
  stops.push(() => postgres.stop());
  await makeLocalSecrets(dir);
  say(`Solana RPC  ${world.rpcUrl}`);
  say(`psql        psql '${postgres.url}'`);
  say(`Debugger    ${INSPECT}   (chrome://inspect, or "attach" of your editor)`);
  say('The product starts again when a file changes. Ctrl-C stops everything; the state is kept.');
  const product = spawn(
    process.execPath,
    [
      '--watch',
      '--watch-preserve-output',
      `--inspect=${INSPECT}`,
      '--import',
      './scripts/register.mjs',
      'src/main.ts',
    ],
    {
      stdio: 'inherit',
      env: { ...process.env, LOCAL_DIR: dir, LOCAL_WORLD: world.file, DATABASE_URL: postgres.url },
    },
  );
  stops.push(() => end(product));
  product.on('exit', (code) => void stop(code ?? 0));
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  await stop(1);
}

async function end(product: ChildProcess): Promise<void> {
  if (product.exitCode !== null || product.signalCode !== null) return;
  const ended = once(product, 'exit');
  product.kill('SIGTERM');
  await ended;
}

/** The product first: it ends its work while the stand-ins still answer. */
async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const one of stops.splice(0).toReversed()) await one();
  process.exit(code);
}
