import type { Socket } from 'node:net';
import type { Config } from '../config/index.ts';
import type { TlsPlaceConfig } from '../config/keys.ts';
import { AppError } from '../core/errors/app-error.ts';
import { createSignerLeases } from '../engine/signing/store/signer-lease.ts';
import { createSigningBooks } from '../engine/signing/store/signing-books.ts';
import { pause } from '../platform/clock/clock.ts';
import type { PrismaDatabase } from '../platform/db/prisma-database.ts';
import type { OpenLogFile } from '../platform/journal/log-file.ts';
import type { PeerPlace } from '../platform/journal/mirror/mirrors.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { Logger } from '../platform/ports/logger.ts';
import { dialSigner, nameOf } from '../platform/signer/dial.ts';
import { onHangUp } from '../platform/signer/on-hang-up.ts';
import { serveCallers } from '../platform/signer/serve-callers.ts';
import type { VaultHolder } from '../platform/signer/serve-connection.ts';
import { serveTls } from '../platform/signer/serve-tls.ts';
import { serveVault } from '../platform/signer/serve-vault.ts';
import { nameIn } from '../platform/signer/tls-identity.ts';
import { type MemberOptions, runMember, type SignerMember } from './run-member.ts';

type Open = MemberOptions['open'];
type Prove = MemberOptions['prove'];
type Served = { readonly greeting: string; readonly stop: () => Promise<void> };

/** Opens the vault at once, or as one of several signers, and listens at every configured place. `stop` ends all of it. */
export async function serveSigner(
  config: Config,
  parts: {
    readonly open: (openFile?: OpenLogFile) => ReturnType<Open>;
    readonly prove: Prove;
    readonly db: PrismaDatabase;
    readonly clock: Clock;
    readonly log: Logger;
    readonly stopping: AbortSignal;
  },
): Promise<Served> {
  const { log, open } = parts;
  if (config.signerPeers.length + config.signerWitnesses.length === 0) {
    const { vault, stop } = await open();
    try {
      const doors = await openDoors(config, {
        vault: () => vault,
        log,
        peer: (socket) => void socket.destroy(),
      });
      return { greeting: `Signer ready at ${doors.places}`, stop: () => doors.stop().then(stop) };
    } catch (error) {
      await stop();
      throw error;
    }
  }
  const member = await openMember(config, parts);
  try {
    const doors = await openDoors(config, { vault: member.vault, log, peer: member.accept });
    const stop = () => doors.stop().then(member.stop);
    const as = await Promise.race([member.settled, rejectedBy(parts.stopping)]).catch(
      async (error: unknown) => {
        await doors.stop();
        throw error;
      },
    );
    const greeting = as === 'holder' ? 'Signer ready' : 'Signer ready: a standby, for another one signs';
    return { greeting: `${greeting}. It listens at ${doors.places}`, stop };
  } catch (error) {
    await member.stop();
    throw error;
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** This signer beside its peers and witnesses. */
async function openMember(
  config: Config,
  {
    open,
    prove,
    db,
    clock,
    log,
  }: Pick<Parameters<typeof serveSigner>[1], 'open' | 'prove' | 'db' | 'clock' | 'log'>,
): Promise<SignerMember> {
  const { signerPeers, signerWitnesses, journalDir } = config;
  const own = (config.signerListen ?? signerWitnesses[0])?.files;
  if (own === undefined)
    throw new AppError('CONFIG_INVALID', { problems: ['SIGNER_PEERS needs SIGNER_LISTEN.'] });
  const books = createSigningBooks(db.query);
  const peer = (place: TlsPlaceConfig, role: 'signer' | 'witness'): PeerPlace => ({
    name: nameOf(place),
    isWitness: role === 'witness',
    dial: () => dialSigner(place, role),
  });
  return runMember({
    name: await nameIn(own),
    folder: journalDir,
    // A witness is asked last: a signer that signs says so first.
    peers: [
      ...signerPeers.map((place) => peer(place, 'signer')),
      ...signerWitnesses.map((place) => peer(place, 'witness')),
    ],
    leases: createSignerLeases(db.query),
    knowsJournal: async () => (await books.heads()).length > 0,
    open,
    prove,
    steadyMs: () => performance.now(),
    now: () => clock.now(),
    pause,
    log,
  });
}

/** Listens at the sockets and the port of the configuration. `SIGHUP` reads the certificates anew. */
async function openDoors(
  { signerSocket, signerSockets, signerListen }: Config,
  {
    vault,
    log,
    peer,
  }: {
    readonly vault: VaultHolder;
    readonly log: Logger;
    readonly peer: (socket: Socket, name: string) => void;
  },
): Promise<{ readonly places: string; readonly stop: () => Promise<void> }> {
  const doors: { readonly stop: () => Promise<void> }[] = [];
  const places: string[] = [];
  const stop = async (): Promise<void> => {
    for (const door of doors.splice(0).toReversed()) await door.stop();
  };
  try {
    if (signerSockets !== null) doors.push(await serveCallers(vault, { folder: signerSockets, log }));
    else if (signerSocket !== null) doors.push(await serveVault(vault, { path: signerSocket, log }));
    const path = signerSockets ?? signerSocket;
    if (path !== null) places.push(path);
    if (signerListen !== null) {
      const server = await serveTls(vault, { ...signerListen, log, peer });
      doors.push(server, { stop: onHangUp(() => server.reload(), log) });
      places.push(nameOf({ ...signerListen, port: server.port }));
    }
    return { places: places.join(' and '), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
