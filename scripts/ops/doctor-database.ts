import { kekOptions, openKeyring } from '../../src/compose/open-keyring.ts';
import type { Config } from '../../src/config/index.ts';
import { createKeyRegistry } from '../../src/engine/signing/store/key-registry.ts';
import {
  type Finding,
  judgeChainClock,
  judgeClock,
  judgeConnections,
  judgeProcesses,
} from '../../src/modules/operations/rules/check-up.ts';
import { judgeRoles } from '../../src/modules/operations/rules/database-role.ts';
import { standbyProblem } from '../../src/modules/operations/rules/replication.ts';
import { VERSION } from '../../src/modules/operations/rules/version.ts';
import { readReplication } from '../../src/modules/operations/store/replication-store.ts';
import { readChainTime } from '../../src/modules/operations/use/chain-time.ts';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import type { Query } from '../../src/platform/db/connection.ts';
import { readConnectedRoles } from '../../src/platform/db/own-role.ts';
import { createSecretRotation } from '../../src/platform/db/secret-rotation.ts';
import {
  openToLook,
  readArchiving,
  readBeats,
  readConnections,
  readDataFolder,
  readServerTime,
} from '../../src/platform/db/server-state.ts';
import { keyDigits, openProbe } from '../../src/platform/vault/prove-key.ts';
import type { Io } from './command.ts';
import { lookAtDisk, type Machine } from './doctor-disk.ts';
import { find, type Look } from './doctor-find.ts';
import { lookAtRestore } from './doctor-restore.ts';
import { openDatabaseUrl } from './open.ts';

const DATABASE: Look = {
  part: 'database',
  why: 'every balance and every order is in it: without it people read that orders cannot be taken',
  mend: 'psql "$DATABASE_URL" -c "SELECT 1"   (then start that server, or correct DATABASE_URL)',
};

/** The database and everything that it knows of the others; where it does not answer, that alone. */
export async function lookAtDatabase(
  io: Io,
  rpcUrls: readonly string[],
  machine: Machine,
): Promise<readonly Finding[]> {
  let where: Awaited<ReturnType<typeof openDatabaseUrl>> | null = null;
  let seen: Awaited<ReturnType<typeof openToLook>> | null = null;
  const opened = await find(DATABASE, async () => {
    where = await openDatabaseUrl(io, 'in-use');
    seen = await openToLook(where.url);
    return { state: 'ok', fact: 'it answers', mend: '' };
  });
  const { query, close } = (seen as Awaited<ReturnType<typeof openToLook>> | null) ?? {};
  try {
    if (query === undefined) return [opened];
    const config = io.config();
    return [
      opened,
      await lookAtKeys(config, query),
      await lookAtRoles(config, query),
      await lookAtReplicas(config, query),
      await lookAtArchive(query),
      await lookAtClock(query, machine),
      await lookAtChainClock(query, rpcUrls),
      await lookAtConnections(query),
      await lookAtProcesses(query),
      ...(await lookAtRestore(io, query, machine)),
      ...(await lookAtDataFolder(io, query, machine)),
    ];
  } finally {
    await close?.();
    await (where as Awaited<ReturnType<typeof openDatabaseUrl>> | null)?.close();
  }
}

function lookAtKeys(config: Config, query: Query): Promise<Finding> {
  const look: Look = {
    part: 'keys',
    why: 'a wallet whose key-encryption key is not at hand can be neither used nor exported',
    mend: 'npm run ops -- kek status   (then name the right file in KEK_FILE, and the former one in KEK_OLD_FILES)',
  };
  return find(look, async () => {
    // Beside a signer only that process has them: it is asked there.
    if (config.kek === null)
      return { state: 'ok', fact: 'only the signer has them: run this there, too', mend: '' };
    const [current, ...older] = kekOptions(config);
    const ring = await openKeyring(current, older);
    const counts = await createSecretRotation(query).countByKek();
    const lost = counts.filter(({ kekId }) => ring.find(kekId) === null);
    if (lost.length > 0) {
      const names = lost.map(({ kekId, wallets }) => `${wallets} wallets are under ${kekId}`).join(', ');
      return { state: 'bad', fact: `${names}, which is not configured`, mend: look.mend };
    }
    const known = await createKeyRegistry(query).find(ring.current.id);
    const digits = keyDigits(ring.current.id);
    if (known?.probe == null || known.retiredAt !== null) {
      const state = known?.retiredAt == null ? 'never sealed a probe here' : 'was retired here';
      const mend = `npm run ops -- kek rotate --to ${digits}   (if it is the key that you mean)`;
      return { state: 'warn', fact: `the current key ${digits} ${state}`, mend };
    }
    await openProbe(ring.current, known.probe);
    return { state: 'ok', fact: `the current key ${digits} opens its probe`, mend: '' };
  });
}

function lookAtRoles(config: Config, query: Query): Promise<Finding> {
  const look: Look = {
    part: 'roles of the database',
    why: 'whoever takes over a process that is the owner of the tables rewrites the ledger and the audit log',
    mend: 'npm run ops -- db roles --yes   (as the owner; then give each process the DATABASE_URL of its own role)',
  };
  return find(look, async () => ({
    ...judgeRoles(await readConnectedRoles(query), config),
    mend: look.mend,
  }));
}

function lookAtReplicas({ standbys }: Config, query: Query): Promise<Finding> {
  const look: Look = {
    part: 'replicas',
    why: 'a standby that lacks the last commits would pay them again once it is promoted',
    mend: 'psql "$DATABASE_URL" -c "SELECT application_name, state, sync_state FROM pg_stat_replication"   (see "A standby")',
  };
  return find(look, async () => {
    const replication = await readReplication(query);
    const problem = standbyProblem(replication, standbys);
    if (problem !== null) return { state: 'bad', fact: problem, mend: look.mend };
    const names = replication.replicas.map(({ name, sync }) => `${name} (${sync ?? 'unseen'})`).join(', ');
    return { state: 'ok', fact: names === '' ? 'none, and POSTGRES_HA=off' : names, mend: '' };
  });
}

function lookAtArchive(query: Query): Promise<Finding> {
  const look: Look = {
    part: 'write-ahead log',
    why: 'the minutes since the last archived piece cannot be restored, and pieces that wait fill the disk',
    mend: 'pgbackrest --stanza=tradepost check   (then read the log of Postgres)',
  };
  return find(look, async () => {
    const { mode, failing } = await readArchiving(query);
    if (failing !== null) return { state: 'bad', fact: `the archive refuses ${failing}`, mend: look.mend };
    return { state: 'ok', fact: mode === 'off' ? 'not archived: dumps alone' : 'archived', mend: '' };
  });
}

function lookAtClock(query: Query, { now }: Machine): Promise<Finding> {
  const look: Look = {
    part: 'clock',
    why: 'beyond five seconds no work is begun: expiries, waits and leases would be wrong by as much',
    mend: DATABASE.mend,
  };
  return find(look, async () => {
    const before = now();
    const database = await readServerTime(query);
    return judgeClock({ before, database, after: now() });
  });
}

function lookAtChainClock(query: Query, urls: readonly string[]): Promise<Finding> {
  const look: Look = {
    part: 'clock of the chain',
    why: 'a database server with a wrong clock ends waits too early or never, and every process agrees with it',
    mend: 'correct SOLANA_RPC_URL, or start that node',
  };
  return find(look, async () => {
    const chain = await readChainTime(createRpcChain({ urls, readTimeoutMs: 5_000 }));
    return judgeChainClock(await readServerTime(query), chain);
  });
}

function lookAtConnections(query: Query): Promise<Finding> {
  const look = { ...DATABASE, part: 'connections', why: 'beyond the last one nothing is asked or written' };
  return find(look, async () => {
    const { open, most } = await readConnections(query);
    return judgeConnections(open, most);
  });
}

function lookAtProcesses(query: Query): Promise<Finding> {
  const look: Look = {
    part: 'processes',
    why: 'without a worker no order moves; processes of two versions read each other’s rows only during an upgrade',
    mend: 'npm start   (once, with this version: it brings the database to its schema)',
  };
  return find(look, async () => judgeProcesses(await readBeats(query), VERSION));
}

/** The disk of the database, where the server runs on this machine and lets its folder be known. */
async function lookAtDataFolder(io: Io, query: Query, machine: Machine): Promise<readonly Finding[]> {
  const folder = await readDataFolder(query);
  if (folder === null || !isHere(io.config().databaseUrl)) return [];
  const finding = await lookAtDisk(folder, machine);
  // Another user's folder: its disk is named with --folder.
  return finding.state === 'bad' && /EACCES|ENOENT/.test(finding.fact) ? [] : [finding];
}

function isHere(url: string | null): boolean {
  return url === null || ['127.0.0.1', 'localhost', '[::1]', ''].includes(new URL(url).hostname);
}
