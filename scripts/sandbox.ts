/**
 * `npm run sandbox`: the local world for a program that is built against the API: a chain with play SOL, the API with its docs, and what
 * follows transactions. There is no chat to read. Ports are those of `npm start`; its state is in `sandbox` of LOCAL_DIR.
 */
import { join } from 'node:path';
import { startApp } from '../src/app.ts';
import { type LocalWorld, openWorld } from '../src/compose/open-world.ts';
import { describeStartFailure } from '../src/compose/start-failure.ts';
import { loadProcessConfig } from '../src/config/index.ts';
import { readRunFile } from '../src/local/run-file.ts';
import { sandboxLines } from './sandbox/lines.ts';
import { sandboxWallet } from './sandbox/wallet.ts';

/** As in `main.ts`: shorter than the ten seconds after which a supervisor kills. */
const STOP_MS = 8_500;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const stopping = new AbortController();
const stop = (): void => {
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort();
  setTimeout(() => process.exit(0), STOP_MS).unref();
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

try {
  const app = await start();
  if (!stopping.signal.aborted)
    await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
  await app.stop();
} catch (error) {
  // A start that was called off fails wherever it was; that is no failure.
  if (!stopping.signal.aborted) {
    process.stderr.write(`${describeStartFailure(error).replaceAll('Tradepost', 'The sandbox')}\n`);
    process.exit(1);
  }
}
process.exit(0);

async function start() {
  process.env['LOCAL_DIR'] = join(process.env['LOCAL_DIR'] ?? '.local', 'sandbox');
  process.env['ROLES'] = 'worker,api,indexer';
  // The chat is there for the service and without a reader: any free port will do.
  process.env['CHAT_PORT'] ??= '0';
  // One program asks, and its author reads every answer: the limits of a public host would only be in the way.
  process.env['API_RATE_PER_SECOND'] ??= '20';
  process.env['API_RATE_BURST'] ??= '40';
  const config = loadProcessConfig();
  if (config.rpcUrls !== null) throw notOnAnother();
  say('Starting…');
  let world: LocalWorld | null = null;
  const app = await startApp(
    config,
    () => undefined,
    stopping.signal,
    async (...given) => {
      const { ready } = await openWorld(...given);
      const noted = ready.then((opened) => (world = opened));
      return { ready: noted };
    },
  );
  try {
    tell(config.local.dir, world);
  } catch (error) {
    await app.stop();
    throw error;
  }
  return app;
}

function notOnAnother(): Error {
  return new Error('the sandbox has a chain of its own: leave SOLANA_RPC_URL out');
}

/** Says where everything is. Throws a sentence where a setting names a real chain: there is no sandbox on it. */
function tell(dir: string, world: LocalWorld | null): void {
  const run = readRunFile(dir);
  if (world?.chain == null || run?.openApiUrl == null) throw notOnAnother();
  for (const line of sandboxLines({
    openUrl: run.openApiUrl,
    keyedUrl: run.proApiUrl,
    rpcUrl: run.rpcUrl,
    wallet: sandboxWallet(dir),
    mint: world.chain.usdMint,
    dir,
  }))
    say(line);
}
