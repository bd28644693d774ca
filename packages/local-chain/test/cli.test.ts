import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { LOADER, manualChain } from './support/start.ts';

function runCli(name: string, args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const path = new URL(`../src/${name}`, import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', LOADER, path, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, stderr })));
}

it.each([
  [
    'cli.ts',
    ['--prot', '1'],
    'Unknown argument "--prot": expected --port, --dir, --programs, --slot-ms, --seed, --provider.\n',
  ],
  ['cli.ts', ['--port', 'many'], '--port must be a whole number, not "many".\n'],
  ['cli.ts', ['--programs', 'no/such/folder'], 'The programs directory no/such/folder does not exist.\n'],
  ['clone-cli.ts', ['--program', 'x'], '--url must be the http(s) URL of a Solana RPC.\n'],
  ['clone-cli.ts', ['--url', 'http://127.0.0.1:1'], 'Name at least one --program or --account.\n'],
  [
    'clone-cli.ts',
    ['--url', 'http://127.0.0.1:1', '--account', 'x'],
    '--account must be an address in base58, not "x".\n',
  ],
])('%s ends with one clear line for %j', async (name, args, line) => {
  expect(await runCli(name, args)).toEqual({ code: 1, stderr: line });
});

it('says which port is taken', async () => {
  const running = await manualChain();
  const { port } = new URL(running.rpcUrl);
  const { code, stderr } = await runCli('cli.ts', ['--port', port]);
  expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 1, lines: 2 });
  expect(stderr).toContain(`${port}): choose another with --port.`);
});
