import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

export type End = { readonly code: number | null; readonly signal: string | null };

/** A program that this test started. */
export type Running = {
  readonly pid: number;
  /** Everything it has written, both streams. */
  readonly said: () => string;
  /** Null while it runs. */
  readonly end: () => End | null;
  /** Sends the signal and resolves with how it ended. */
  readonly stop: (signal: NodeJS.Signals) => Promise<End>;
  /** Without waiting for an effect: SIGSTOP and SIGCONT. */
  readonly signal: (signal: NodeJS.Signals) => void;
};

export type ProgramOptions = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
};

export function run(command: readonly string[], options: ProgramOptions): Running {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  hear(child, (part) => {
    text += part;
  });
  let end: End | null = null;
  const ended = new Promise<End>((resolve) => {
    child.once('error', (error) => {
      text += String(error);
      end ??= { code: null, signal: null };
      resolve(end);
    });
    child.once('close', (code, signal) => {
      end ??= { code, signal };
      resolve(end);
    });
  });
  return {
    pid: child.pid ?? 0,
    said: () => text,
    end: () => end,
    stop: async (signal) => {
      child.kill(signal);
      return ended;
    },
    signal: (signal) => void child.kill(signal),
  };
}

export type Answer = End & { readonly out: string; readonly err: string };

/** Runs a command until it ends by itself. `input` is what stands on its standard input. */
export async function runToEnd(
  command: readonly string[],
  options: ProgramOptions,
  input = '',
): Promise<Answer> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    err += part;
  });
  // A command that reads nothing has closed it by then.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}

/** Asks until it holds. The limit is there to end a test that hangs, with what was said until then. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  told: () => string = () => '',
): Promise<void> {
  const limit = performance.now() + 90_000;
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`waited in vain for ${what}\n${told()}`);
    await pause(50);
  }
}

function hear(child: ChildProcess, take: (part: string) => void): void {
  child.stdout?.setEncoding('utf8').on('data', take);
  child.stderr?.setEncoding('utf8').on('data', take);
}
