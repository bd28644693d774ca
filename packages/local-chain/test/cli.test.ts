import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startReplayer } from '../src/index.ts';
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
    'Unknown argument "--prot": expected --port, --dir, --programs, --slot-ms, --seed, --provider, --network.\n',
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
  ['record-cli.ts', ['--to', 'ftp://node'], '--to must be the http(s) URL of a Solana RPC.\n'],
  ['record-cli.ts', ['--to', 'http://127.0.0.1:1'], '--out must name the file to write.\n'],
  [
    'record-cli.ts',
    ['--to', 'http://127.0.0.1:1', '--out', 'x', '--ws-to', 'http://x'],
    '--ws-to must be the ws(s) URL of a Solana RPC.\n',
  ],
  [
    'record-cli.ts',
    ['--to', 'http://127.0.0.1:1/?key=of-the-operator', '--out', 'x'],
    'No node answers at 127.0.0.1:1.\n',
  ],
  ['replay-cli.ts', [], 'Name a file of npm run rpc:record first.\n'],
  ['replay-cli.ts', ['no-such-file'], 'no-such-file cannot be read: ENOENT.\n'],
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

it('records until it is asked to end, and the file replays', async () => {
  const running = await manualChain();
  const out = join(mkdtempSync(join(tmpdir(), 'record-cli-')), 'recording.gz');
  onTestFinished(() => rmSync(dirname(out), { recursive: true }));
  const path = new URL('../src/record-cli.ts', import.meta.url).pathname;
  const args = ['--import', LOADER, path, '--to', running.rpcUrl, '--out', out, '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, found] = /RPC +(http:\S+)[\s\S]*Recording/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
  const ask = async (to: string): Promise<unknown> =>
    (await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
  const live = await ask(url);
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  expect(said).toContain('Written: 1 lines.');
  const replayer = await startReplayer({ file: out, wsPort: null });
  onTestFinished(() => replayer.stop());
  expect(await ask(replayer.rpcUrl)).toEqual(live);
});
