#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { type LocalTelegramOptions, startLocalTelegram } from './index.ts';

const USAGE = 'usage: local-telegram [--port 4400] [--dir folder] [--username my_bot] [--name "My bot"]';
const DEFAULT_PORT = 4400;

function readOptions(argv: readonly string[]): LocalTelegramOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      dir: { type: 'string' },
      username: { type: 'string' },
      name: { type: 'string' },
    },
  });
  if (!/^\d{1,5}$/.test(values.port))
    throw new RangeError(`--port must be a whole number from 0 to 65535, not "${values.port}"`);
  return {
    port: Number(values.port),
    ...(values.dir === undefined ? {} : { dir: values.dir }),
    ...(values.username === undefined ? {} : { botUsername: values.username }),
    ...(values.name === undefined ? {} : { botName: values.name }),
  };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const telegram = await startLocalTelegram(readOptions(process.argv.slice(2)));
  say(`Chat page  ${telegram.chatUrl}`);
  say(`Bot API    ${telegram.botApiUrl}   (the bot's apiRoot)`);
  say(`Token      ${telegram.token}`);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    telegram.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
  process.exit(1);
}
