import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

type Run = { readonly pid: number; readonly chatUrl: string; readonly rpcUrl: string };

export type Program = Run & {
  /** Ends it as Ctrl-C does and waits. */
  readonly stop: () => Promise<void>;
  /** Ends it as a power cut does, with nothing to be done about it, and waits. */
  readonly kill: () => Promise<void>;
};

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The variables that would make the program use something real instead of its stand-ins. */
const REAL = [
  'TELEGRAM_BOT_TOKEN',
  'SOLANA_RPC_URL',
  'DATABASE_URL',
  'REDIS_URL',
  'KEK',
  'KEK_FILE',
  'NODE_ENV',
];

/**
 * The real program as a child process with its state in `dir`; resolves when it says that it is ready. Slots of 100 ms make
 * finality, which rewards wait for, come after 3 seconds instead of 13. Given the `before` of an earlier run it listens where
 * that one did, so that an open page finds it again.
 */
export async function startProgram(dir: string, before?: Run): Promise<Program> {
  const environment = Object.entries(process.env).filter(([name]) => !REAL.includes(name));
  const child = spawn(process.execPath, ['--import', './scripts/register.mjs', 'src/main.ts'], {
    cwd: root,
    env: {
      ...Object.fromEntries(environment),
      LOCAL_DIR: dir,
      LOCALNET_SLOT_MS: '100',
      API_PORT: '0',
      PRO_API_PORT: '0',
      CHAT_PORT: before === undefined ? '0' : new URL(before.chatUrl).port,
      LOCALNET_PORT: before === undefined ? '0' : new URL(before.rpcUrl).port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await ready(child);
  const run = await runFile(dir, child.pid);
  const end = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return { ...run, stop: () => end('SIGINT'), kill: () => end('SIGKILL') };
}

/** The file is replaced a moment after the last line is printed; before that it may be of an earlier run. */
async function runFile(dir: string, pid: number | undefined): Promise<Run> {
  for (;;) {
    const run = await readFile(join(dir, 'run.json'), 'utf8').then(JSON.parse, () => null);
    if (run?.pid === pid) return run;
    await pause(10);
  }
}

/** Rejects with everything the program printed when it ends before it is ready. */
function ready(child: ChildProcess): Promise<void> {
  let printed = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (printed.includes('is ready')) resolve();
      });
    }
    child.once('exit', (code) =>
      reject(new Error(`the program ended with ${code} before it was ready:\n${printed}`)),
    );
  });
}
