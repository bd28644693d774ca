import { chmod, lstat, mkdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { Vault } from '../ports/vault.ts';
import { createFrameReader, frameOf } from './frames.ts';
import { fromPlainJson, toPlainJson } from './plain-json.ts';
import { CALLS, type CallName, type InputOf, REQUEST } from './protocol.ts';

/** Answers that wait for a caller who does not read. */
const MOST_UNREAD_BYTES = 4 * 1_024 * 1_024;

export type ServeVaultOptions = {
  /** Of the socket. Its directory must belong to this account, and no other account may write to it. */
  readonly path: string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Requests that are worked on at a time. */
  readonly concurrency?: number;
  /** Requests that wait beyond them; more are refused as busy. */
  readonly waiting?: number;
  readonly connections?: number;
  /** The caller at this socket, and its calls; every other is refused. Absent: all of them. */
  readonly only?: { readonly caller: string; readonly calls: ReadonlySet<CallName> };
};

/**
 * Serves a vault to the other processes of this machine over a unix socket. Bytes that are no frame or no request end their connection; no
 * bytes can end the process or fill its memory. A request that was begun is carried out even when its caller has gone. Throws
 * CONFIG_INVALID for a path that others could take over, or at which a signer listens already.
 */
export async function serveVault(
  vault: Vault,
  options: ServeVaultOptions,
): Promise<{ readonly stop: () => Promise<void> }> {
  const mode = await preparePath(options.path);
  const turns = createTurns(options.concurrency ?? 64, options.waiting ?? 4_096);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveConnection(socket, vault, { turns, log: options.log, only: options.only ?? null });
  });
  server.maxConnections = options.connections ?? 256;
  await listen(server, options.path, mode);
  return {
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The socket takes the rights of its directory: the owner's, and the group's where the directory is the group's too. */
async function preparePath(path: string): Promise<number> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw invalid(`cannot make the directory ${directory}: ${reasonOf(error)}`);
  });
  const { mode, uid } = await lstat(directory);
  const self = process.getuid?.() ?? uid;
  if ((uid !== self && uid !== 0) || (mode & 0o002) !== 0) {
    throw invalid(
      `the directory ${directory} must belong to the signer's account and be writable by nobody else`,
    );
  }
  const present = await lstat(path).catch(() => null);
  if (present !== null) {
    if (!present.isSocket()) throw invalid(`${path} exists and is no socket`);
    if (await answers(path)) throw invalid(`another signer listens at ${path}`);
    await unlink(path);
  }
  return (mode & 0o070) === 0 ? 0o600 : 0o660;
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const end = (is: boolean): void => {
      probe.destroy();
      resolve(is);
    };
    probe.once('connect', () => end(true));
    probe.once('error', () => end(false));
  });
}

async function listen(server: Server, path: string, mode: number): Promise<void> {
  // From its first moment on: between listening and a change of mode anybody could connect.
  const before = process.umask(0o777 & ~mode);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => resolve());
    });
  } catch (error) {
    throw invalid(`cannot listen at ${path}: ${reasonOf(error)}`);
  } finally {
    process.umask(before);
  }
  await chmod(path, mode);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function invalid(problem: string): AppError<'CONFIG_INVALID'> {
  return new AppError('CONFIG_INVALID', { problems: [`SIGNER_SOCKET: ${problem}.`] });
}

type Turns = ReturnType<typeof createTurns>;

/** So many at a time; the others in their order; null when too many wait. */
function createTurns(most: number, mostWaiting: number) {
  let running = 0;
  const queue: (() => void)[] = [];
  const next = (): void => {
    running -= 1;
    queue.shift()?.();
  };
  return {
    take: (work: () => Promise<void>): boolean => {
      const start = (): void => {
        running += 1;
        void work().finally(next);
      };
      if (running < most) start();
      else if (queue.length < mostWaiting) queue.push(start);
      else return false;
      return true;
    },
  };
}

function serveConnection(
  socket: Socket,
  vault: Vault,
  {
    turns,
    log,
    only,
  }: {
    readonly turns: Turns;
    readonly log: ServeVaultOptions['log'];
    readonly only: NonNullable<ServeVaultOptions['only']> | null;
  },
): void {
  const reader = createFrameReader();
  const refuse = (why: string): void => {
    log.warn({ why }, 'a connection to the signer was cut');
    socket.destroy();
  };
  const answer = (body: object): void => {
    if (socket.destroyed) return;
    socket.write(frameOf(toPlainJson(body)));
    if (socket.writableLength > MOST_UNREAD_BYTES) refuse('answers that nobody reads');
  };
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    const bodies = reader.push(chunk);
    if (bodies === null) return refuse('a frame of a size that none has');
    for (const body of bodies) {
      const request = requestIn(body);
      if (request === null) return refuse('a frame that is no request');
      const { id, call, input } = request;
      if (only !== null && !only.calls.has(call)) {
        log.warn(
          { call, caller: only.caller },
          'a call came at the socket of a process that makes none such',
        );
        answer(failure(id, new AppError('POLICY_DENIED', { rule: 'caller' })));
        continue;
      }
      if (input === null) {
        log.warn({ call }, 'a request to the signer was refused: its fields are not those of the call');
        answer(failure(id, new AppError('POLICY_DENIED', { rule: 'request' })));
        continue;
      }
      const isTaken = turns.take(async () =>
        answer(await answerTo(vault, { id, call, input: input.given }, log)),
      );
      if (!isTaken)
        answer(failure(id, new AppError('SIGNER_UNAVAILABLE', { cause: 'too many requests wait' })));
    }
  });
}

type Request = { readonly id: number; readonly call: CallName; readonly input: unknown };

/** Null for a body that is no request at all; its input is null where the fields are not those of the call. */
function requestIn(
  body: Buffer,
): (Omit<Request, 'input'> & { readonly input: { readonly given: unknown } | null }) | null {
  try {
    const request = REQUEST.safeParse(fromPlainJson(body));
    if (!request.success) return null;
    const { id, call } = request.data;
    const input = CALLS[call].input.safeParse(request.data.input);
    return { id, call, input: input.success ? { given: input.data } : null };
  } catch {
    return null;
  }
}

async function answerTo(vault: Vault, { id, call, input }: Request, log: ServeVaultOptions['log']) {
  try {
    return { id, ok: true, output: await perform(vault, call, input) };
  } catch (error) {
    if (isAppError(error)) return failure(id, error);
    // Never its text to the caller: it could hold anything.
    log.error({ err: error, call }, 'the signer failed at a request');
    return failure(id, new AppError('SIGNER_UNAVAILABLE', { cause: 'the signer failed at the request' }));
  }
}

function failure(id: number, { code, details }: AppError): object {
  return { id, ok: false, code, details };
}

/** The calls by name, each with the fields that its schema has passed. */
type Calls = { readonly [N in CallName]: (input: InputOf<N>) => Promise<unknown> };

async function perform(vault: Vault, call: CallName, input: unknown): Promise<unknown> {
  const calls: Calls = {
    ...vault,
    confirm: ({ request, pin }) => vault.confirm(request, pin),
    verifyPin: async (given) => {
      await vault.verifyPin(given);
      return null;
    },
  };
  const run = calls[call] as (given: unknown) => Promise<unknown>;
  return run(input);
}
