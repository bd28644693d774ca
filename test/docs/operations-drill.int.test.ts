import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningChain, startLocalChain } from '@tradepost/local-chain';
import { type LocalTelegram, startLocalTelegram } from '@tradepost/local-telegram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh drill\n(.*?)^```$/gms)].map(([, block = '']) => block);

/** Installs what is not there by copying this checkout's packages: the registry is tried by every other start. */
const LINK = `[ -e node_modules ] || { cp -al '${root}/node_modules' node_modules && rm -rf node_modules/.tradepost/prisma; }\n`;

let folder: string;
let chain: RunningChain;
let telegram: LocalTelegram;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drill-'));
  [chain, telegram] = await Promise.all([
    startLocalChain({ slotMs: 50, seed: 'drill', wsPort: null }),
    startLocalTelegram({}),
  ]);
  await makeSource(join(folder, 'source'));
});
afterAll(async () => {
  const clone = join(folder, 'tradepost');
  const roles = join(clone, 'deploy', 'roles.sh');
  if (existsSync(roles)) execFileSync(roles, ['stop'], { stdio: 'ignore' });
  await telegram?.stop();
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** This checkout as it stands, as a repository with two releases. */
async function makeSource(path: string): Promise<void> {
  await mkdir(path);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=drill', '-c', 'user.email=drill@example.org', ...args], {
      cwd: path,
    });
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root });
  const there = files
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name)));
  const tar = execFileSync('tar', ['-c', '--null', '-T', '-'], {
    cwd: root,
    input: there.join('\0'),
    maxBuffer: 1 << 30,
  });
  execFileSync('tar', ['-x'], { cwd: path, input: tar });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'one');
  git('tag', 'v1.0.0');
  await appendFile(join(path, 'CHANGELOG.md'), '\nThe next release.\n');
  git('commit', '--quiet', '--all', '--message', 'two');
  git('tag', 'v1.0.1');
}

/** Types the lines into one shell; everything that was said. */
function type(lines: string, env: Readonly<Record<string, string>>) {
  const shell = spawn(
    'bash',
    ['-euo', 'pipefail', '-c', `trap 'echo "FAILED: $BASH_COMMAND"' ERR\n${lines}`],
    {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let out = '';
  const hear = (text: string): void => {
    out += text;
  };
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', hear);
  // What a person types when the secrets are made.
  shell.stdin.end(`${telegram.token}\n`);
  return new Promise<{ readonly code: number | null; readonly out: string }>((resolve) =>
    shell.once('exit', (code) => resolve({ code, out })),
  );
}

it('the path of docs/operations.md works as it is written, on a machine without Docker', async () => {
  expect(blocks.length).toBeGreaterThanOrEqual(12);
  const [main, drill] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const lines = blocks.join('\n').replace(/^node scripts\/setup\.mjs/m, `${LINK}node scripts/setup.mjs`);
  const { code, out } = await type(lines, {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    npm_config_update_notifier: 'false',
    SOURCE: join(folder, 'source'),
    RELEASE: 'v1.0.0',
    NEXT: 'v1.0.1',
    DATABASE_URL: main,
    DRILL_URL: drill,
    REDIS_URL: '',
    SOLANA_RPC_URL: chain.rpcUrl,
    // What a real cluster and the real Telegram need not be told.
    BOT_API_ROOT: telegram.botApiUrl,
    API_PORT: '0',
    PRO_API_PORT: '0',
    FIRST_HEALTH_PORT: String(await freePort()),
  });
  // The log of what was typed is the message.
  if (code !== 0) throw new Error(out.slice(-4_000));
  expect(out.match(/^The quarantine is lifted\.$/gm)).toHaveLength(2);
  expect(out.match(/^0 mismatches/gm)?.length).toBeGreaterThanOrEqual(6);
  expect(out).toContain('trading is paused until');
  expect(out).toContain('Paused, as it should be.');
  expect(out).toMatch(/data keys are now under local-/);
  expect(out).not.toMatch(/MISMATCH|ALERT|NOT ready/);
  for (const act of ['kek-rotated', 'reconciled', 'switch-paused', 'switch-resumed', 'api-key-issued'])
    expect(out).toContain(`  ${act}`);
}, 900_000);
