import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type Run = {
  readonly pid: number;
  readonly chatUrl: string;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly openApiUrl: string;
  readonly proApiUrl: string;
  readonly databaseUrl: string;
};

export type Program = {
  readonly run: Run;
  /** Milliseconds from spawn to ready. */
  readonly readyMs: number;
  readonly child: ChildProcess;
  /** Ends it as Ctrl-C does and waits. */
  readonly stop: () => Promise<void>;
};

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The real program as a child process on free ports, with its state in `dir`; resolves when it says that it is ready. */
export async function startProgram(
  dir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', './scripts/register.mjs', 'src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      LOCAL_DIR: dir,
      CHAT_PORT: '0',
      LOCALNET_PORT: '0',
      API_PORT: '0',
      PRO_API_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  let printed = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('is ready')) resolve();
    });
    child.once('exit', (code) =>
      reject(new Error(`the program ended with ${code} before it was ready:\n${printed}`)),
    );
  });
  await ready;
  const readyMs = performance.now() - startedAt;
  const runFile = join(dir, 'run.json');
  while (!existsSync(runFile)) await pause(5);
  const run = JSON.parse(readFileSync(runFile, 'utf8')) as Run;
  return {
    run,
    readyMs,
    child,
    stop: async () => {
      if (ended) return;
      const end = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await end;
    },
  };
}
