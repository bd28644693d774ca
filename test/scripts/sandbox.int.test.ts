import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxWallet } from '../../scripts/sandbox/wallet.ts';
import { runToEnd, script } from '../support/run-to-end.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'tradepost-sandbox-'));
const FREE = { CHAT_PORT: '0', LOCALNET_PORT: '0', API_PORT: '0', PRO_API_PORT: '0', CHARTS_PORT: '0' };
let child: ChildProcess;
let printed = '';
let lines: readonly string[] = [];

beforeAll(async () => {
  child = spawn(process.execPath, [...script('scripts/sandbox.ts')], {
    cwd: root,
    env: { PATH: process.env['PATH'], LOCAL_DIR: scratch, LOG_LEVEL: 'silent', ...FREE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${printed}`)));
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      if (printed.includes('The sandbox is ready')) resolve();
    });
  });
  lines = printed.trim().split('\n');
}, 120_000);
afterAll(async () => {
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  rmSync(scratch, { recursive: true, force: true });
}, 30_000);

/** The printed command with this word, run as it is printed. */
async function printedCommand<T>(word: string): Promise<T> {
  const line = lines.find((one) => one.trim().startsWith('curl') && one.includes(word));
  const { stdout } = await promisify(execFile)('bash', ['-euc', line ?? 'false'], { cwd: tmpdir() });
  const body = JSON.parse(stdout) as { data: T };
  expect(body, stdout).toHaveProperty('data');
  return body.data;
}
const labelled = (label: string): string =>
  lines
    .find((line) => line.startsWith(label))
    ?.slice(12)
    .split(' ')[0] ?? '';
const post = async <T>(path: string, body: object): Promise<T> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${labelled('API')}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return (JSON.parse(text) as { data: T }).data;
};

describe('npm run sandbox', () => {
  it('says all in at most twelve lines, and its docs are there', async () => {
    expect(lines.length).toBeLessThanOrEqual(12);
    const docs = await fetch(labelled('Docs'));
    expect([docs.status, docs.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    expect(labelled('Docs')).toBe(`${labelled('API')}/docs`);
  });

  it('its two commands work as they are printed, and the wallet trades with what they gave it, to the final word', async () => {
    const { lamports } = await printedCommand<{ lamports: string }>('/sandbox/airdrop');
    expect(lamports).toBe('1000000000');
    const quote = await printedCommand<Record<string, string>>('/dex/quote');
    expect(BigInt(quote['toTokenAmount'] ?? 0)).toBeGreaterThan(0n);

    const key = readFileSync(join(scratch, 'sandbox', 'wallet.json'), 'utf8');
    const keypair = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(key) as number[]));
    expect(keypair.publicKey.toBase58()).toBe(labelled('Wallet'));
    const built = await post<{ txBase64: string; submitToken: string }>('/dex/swap', {
      userWalletAddress: labelled('Wallet'),
      fromTokenAddress: quote['fromTokenAddress'],
      toTokenAddress: quote['toTokenAddress'],
      amount: quote['fromTokenAmount'],
    });
    const transaction = VersionedTransaction.deserialize(Buffer.from(built.txBase64, 'base64'));
    transaction.sign([keypair]);
    const { signature } = await post<{ signature: string }>('/transactions', {
      transaction: Buffer.from(transaction.serialize()).toString('base64'),
      submitToken: built.submitToken,
    });
    await expect
      .poll(
        async () => {
          const answer = await fetch(`${labelled('API')}/transactions/${signature}?waitFor=final`);
          return ((await answer.json()) as { data?: { status: string } }).data?.status;
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe('finalized');
  }, 90_000);

  it('its keyed host takes the key that the printed command makes', async () => {
    const command = /\(a key: (.+)\)$/.exec(lines.find((line) => line.startsWith('Keyed API')) ?? '')?.[1];
    const { stdout } = await promisify(execFile)('bash', ['-euc', command ?? 'false'], { cwd: root });
    const key = /dx_live_\w+/.exec(stdout)?.[0] ?? '';
    const headers = { 'x-api-key': key };
    const answer = await fetch(`${labelled('Keyed API')}/usage`, { headers });
    expect(answer.status, stdout).toBe(200);
  }, 60_000);

  it('is refused on a chain that is not its own', async () => {
    const env = { LOCAL_DIR: join(scratch, 'other'), SOLANA_RPC_URL: labelled('Solana RPC'), ...FREE };
    const { code, lines: said } = await runToEnd(script('scripts/sandbox.ts'), env);
    expect([code, said.join(' ')]).toEqual([1, expect.stringContaining('leave SOLANA_RPC_URL out')]);
  }, 90_000);

  it('keeps its wallet, and touches no file of another kind', () => {
    const dir = join(scratch, 'sandbox');
    expect(sandboxWallet(dir).address).toBe(labelled('Wallet'));
    const other = mkdtempSync(join(scratch, 'other-'));
    writeFileSync(join(other, 'wallet.json'), '{"mine": true}');
    expect(() => sandboxWallet(other)).toThrow('expected 64 numbers');
    expect(readFileSync(join(other, 'wallet.json'), 'utf8')).toBe('{"mine": true}');
  });
});
