import { chmod, lstat, mkdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { AppError } from '../../core/errors/app-error.ts';
import {
  type AllowedCalls,
  type ConnectionLog,
  createTurns,
  serveConnection,
  type VaultHolder,
} from './serve-connection.ts';

export type ServeVaultOptions = {
  /** Of the socket. Its directory must belong to this account, and no other account may write to it. */
  readonly path: string;
  readonly log: ConnectionLog;
  /** Requests that are worked on at a time. */
  readonly concurrency?: number;
  /** Requests that wait beyond them; more are refused as busy. */
  readonly waiting?: number;
  readonly connections?: number;
  /** How long a caller waits for an answer. */
  readonly patienceMs?: number;
  /** The caller at this socket, and its calls; every other is refused. Absent: all of them. */
  readonly only?: AllowedCalls;
};

/**
 * Serves a vault to the other processes of this machine over a unix socket. Bytes that are no frame or no request end their connection; no
 * bytes can end the process or fill its memory. A request that was begun is carried out even when its caller has gone, as far as no call to a node has
 * to wait for it. Throws
 * CONFIG_INVALID for a path that others could take over, or at which a signer listens already.
 */
export async function serveVault(
  holder: VaultHolder,
  options: ServeVaultOptions,
): Promise<{ readonly stop: () => Promise<void> }> {
  const mode = await preparePath(options.path);
  const turns = createTurns(options.concurrency ?? 64, options.waiting ?? 4_096);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const { log, only = null, patienceMs } = options;
    serveConnection(socket, holder, {
      turns,
      log,
      only,
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
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
