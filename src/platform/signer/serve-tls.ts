import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { AppError } from '../../core/errors/app-error.ts';
import { CALLERS, callsOf } from './callers.ts';
import { type ConnectionLog, createTurns, serveConnection, type VaultHolder } from './serve-connection.ts';
import { readTlsIdentity, rolesIn, type TlsFiles } from './tls-identity.ts';

/** Requests that are worked on at a time, those that wait, and connections; as at a socket. */
const CONCURRENCY = 64;
const WAITING = 4_096;
const CONNECTIONS = 256;
/** A stranger's handshake ends within this time. */
const HANDSHAKE_MS = 5_000;

/**
 * Serves a vault at a port to processes with a certificate of the authority. The certificate names the roles, and a role has its calls alone.
 * A connection with the role `signer` goes to `peer`, by the certificate's common name. Null for `holder`: no call of another role is heard. Throws CONFIG_INVALID for files that cannot be read
 * and for a port that cannot be had.
 */
export async function serveTls(
  holder: VaultHolder | null,
  options: {
    readonly host: string;
    readonly port: number;
    readonly files: TlsFiles;
    readonly log: ConnectionLog;
    readonly peer: (socket: TLSSocket, name: string) => void;
  },
): Promise<{
  readonly port: number;
  /** Uses the files as they are now for connections from here on. Throws CONFIG_INVALID, and the former ones stay. */
  readonly reload: () => Promise<void>;
  readonly stop: () => Promise<void>;
}> {
  const { host, port, files, log } = options;
  const turns = createTurns(CONCURRENCY, WAITING);
  const sockets = new Set<TLSSocket>();
  const server = createServer(
    {
      ...(await readTlsIdentity(files)),
      minVersion: 'TLSv1.3',
      requestCert: true,
      rejectUnauthorized: true,
      handshakeTimeout: HANDSHAKE_MS,
    },
    (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serveRoles(socket, holder, { turns, log, peer: options.peer });
    },
  );
  server.on('tlsClientError', (error) => {
    log.warn({ why: error.message }, 'a connection to the signer was refused');
  });
  server.maxConnections = CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const problems = [`SIGNER_LISTEN: cannot listen at ${host}:${port}: ${error.message}.`];
      reject(new AppError('CONFIG_INVALID', { problems }, { cause: error }));
    });
    server.listen(port, host, () => resolve());
  });
  return {
    port: portOf(server.address()),
    reload: async () => server.setSecureContext({ ...(await readTlsIdentity(files)), minVersion: 'TLSv1.3' }),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

/** Serves a connection as the roles of its certificate are served. */
function serveRoles(
  socket: TLSSocket,
  holder: VaultHolder | null,
  {
    turns,
    log,
    peer,
  }: {
    readonly turns: ReturnType<typeof createTurns>;
    readonly log: ConnectionLog;
    readonly peer: (socket: TLSSocket, name: string) => void;
  },
): void {
  // Before anything is read: an error without a listener ends the process.
  socket.on('error', () => socket.destroy());
  const certificate = socket.getPeerCertificate();
  const roles = rolesIn(certificate);
  if (roles.has('signer')) {
    peer(socket, certificate.subject.CN);
    return;
  }
  const callers = CALLERS.filter((caller) => roles.has(caller));
  if (holder === null || callers.length === 0) {
    const what =
      holder === null ? 'no signer came to the witness' : 'a certificate of no role came to the signer';
    log.warn({ name: certificate.subject.CN }, what);
    socket.destroy();
    return;
  }
  const calls = new Set(callers.flatMap((caller) => [...callsOf(caller)]));
  serveConnection(socket, holder, { turns, log, only: { caller: callers.join('+'), calls } });
}
