/**
 * `npm run world`: the stand-ins alone (chain, Telegram, mail), for any number of products. Ports are those of `npm start`; the state
 * is kept in `world` of LOCAL_DIR, so that a product of the same LOCAL_DIR does not touch it.
 */
import { join } from 'node:path';
import { describeStartFailure } from '../src/compose/start-failure.ts';
import { loadProcessConfig } from '../src/config/index.ts';
import { serveWorld } from '../src/local/serve-world.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const { local, production } = loadProcessConfig();
  const world = await serveWorld({
    dir: join(local.dir, 'world'),
    nodeEnv: production ? 'production' : 'development',
    chain: {
      port: local.chainPort,
      slotMs: local.slotMs,
      network: local.network,
      programsDir: local.programsDir,
      provider: local.provider,
    },
    chatPort: local.chatPort,
  });
  say(`Solana RPC  ${world.rpcUrl}   (WebSocket ${world.wsUrl})`);
  say(`World file  ${world.file}`);
  say(
    'A product   LOCAL_WORLD=<that file> LOCAL_DIR=<a folder of its own> API_PORT=0 PRO_API_PORT=0 npm start',
  );
  say('The world is ready. Ctrl-C stops it; its state is kept.');
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    world.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} catch (error) {
  fail(error);
}

function fail(error: unknown): never {
  process.stderr.write(
    `${describeStartFailure(error).replaceAll('Tradepost cannot start', 'The world cannot start')}\n`,
  );
  process.exit(1);
}
