import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), 'tradepost-stop-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Starts the program, ends it with SIGTERM once `ripe` holds for what it printed, and says how it ended. */
function stoppedWhen(ripe: (output: string) => boolean, environment: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: root,
      env: { PATH: process.env['PATH'], LOCAL_DIR: join(scratch, 'state'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let told = false;
    const look = (part: string): void => {
      output += part;
      if (told || !ripe(output)) return;
      told = true;
      child.kill('SIGTERM');
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

describe('SIGTERM', () => {
  it('ends a start that waits for a database that never answers', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const end = await stoppedWhen((output) => output.includes('Starting'), {
        CHAT_PORT: '0',
        LOCALNET_PORT: '0',
        API_PORT: '0',
        PRO_API_PORT: '0',
        DATABASE_URL: `postgresql://a:b@127.0.0.1:${port}/c`,
      });
      expect(end).toEqual({ code: 0, signal: null });
    } finally {
      silent.close();
    }
  });

  it('ends a program that runs', async () => {
    const end = await stoppedWhen((output) => output.includes('is ready'), {
      CHAT_PORT: '0',
      LOCALNET_PORT: '0',
      API_PORT: '0',
      PRO_API_PORT: '0',
    });
    expect(end).toEqual({ code: 0, signal: null });
  });
});
