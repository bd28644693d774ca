import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { startLocalTelegram } from '../src/index.ts';

it.each([
  [
    { port: 70_000 },
    'The local Telegram cannot start: port: expected a whole number from 0 to 65535, got 70000.',
  ],
  [{ botUsername: 'a b' }, 'botUsername: expected 5 to 32 characters of A-Z, a-z, 0-9 and _, got a b.'],
  [{ pages: 'x' }, 'pages: expected a function, got x.'],
  [{ ports: 1 }, 'The local Telegram has no option "ports": expected host, port, dir,'],
])('says what it expected of %j', async (options, sentence) => {
  await expect(startLocalTelegram(options as never)).rejects.toThrow(sentence);
});

it('says on the command line what it expected', () => {
  const cli = new URL('../src/cli.ts', import.meta.url).pathname;
  const ended = spawnSync(process.execPath, ['--import', 'tsx', cli, '--port', 'many'], { encoding: 'utf8' });
  expect([ended.status, ended.stderr.split('\n')[0]]).toEqual([
    1,
    '--port must be a whole number from 0 to 65535, not "many"',
  ]);
});
