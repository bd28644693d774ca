import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type Run = {
  readonly pid: number;
  readonly chatUrl: string;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly openApiUrl: string;
  readonly chartUrl: string;
  readonly proApiUrl: string;
  readonly databaseUrl: string;
  readonly mailUrl: string;
};

export type Program = {
  readonly run: Run;
  /** Milliseconds from spawn to ready. */
  readonly readyMs: number;
  readonly child: ChildProcess;
  /** Ends it as Ctrl-C does and waits. */
  readonly stop: () => Promise<void>;
  /** Ends it as a power cut does, with nothing to be done about it, and waits. */
  readonly kill: () => Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The variables that would make the program use something real instead of its stand-ins. */
const REAL = [
  'TELEGRAM_BOT_TOKEN',
  'SOLANA_RPC_URL',
  'DATABASE_URL',
  'REDIS_URL',
  'KEK',
  'KEK_FILE',
  'NODE_ENV',
  'SMTP_URL',
  'MAIL_FROM',
  'OPERATORS',
  'KEY_MAIL',
  'LOCAL_WORLD',
];

/**
 * The real program as a child process on free ports, with its state in `dir`; resolves when it says that it is ready. Of this
 * process's own variables it gets none that would lead it to something real; `env` comes last.
 */
export async function startProgram(
  dir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const startedAt = performance.now();
  const inherited = Object.entries(process.env).filter(([name]) => !REAL.includes(name));
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: {
      ...Object.fromEntries(inherited),
      LOCAL_DIR: dir,
      CHAT_PORT: '0',
      LOCALNET_PORT: '0',
      API_PORT: '0',
      PRO_API_PORT: '0',
      // By itself it is a fixed one wherever the API's is, as after a restart.
      CHARTS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await ready(child);
  const readyMs = performance.now() - startedAt;
  const end = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return {
    run: await runFile(dir, child.pid),
    readyMs,
    child,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  };
}

/** The file is replaced a moment after the last line is printed; before that it may be of an earlier run. */
async function runFile(dir: string, pid: number | undefined): Promise<Run> {
  for (;;) {
    const run: Run | null = await readFile(join(dir, 'run.json'), 'utf8').then(JSON.parse, () => null);
    if (run?.pid === pid && run !== null) return run;
    await pause(5);
  }
}

/** Rejects with everything the program printed when it ends before it is ready. */
function ready(child: ChildProcess): Promise<void> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('is ready')) resolve();
    });
    child.once('exit', (code) =>
      reject(new Error(`the program ended with ${code} before it was ready:\n${printed}`)),
    );
  });
}
