/** A server that streams from our database server, as `pg_stat_replication` shows it. */
export type Replica = {
  readonly name: string;
  /** Null where our role may not see it: it lacks `pg_monitor`. */
  readonly state: string | null;
  readonly sync: string | null;
};

/** How the database server is followed, at one moment. */
export type Replication = {
  readonly replicas: readonly Replica[];
  /** The acknowledgement for which this connection's commits wait. */
  readonly synchronousCommit: string;
};

export type StandbyRules = {
  /** `sync` = a commit is answered when a standby has it, too. */
  readonly ha: 'off' | 'sync';
  /** Names of replicas that are never promoted. */
  readonly readReplicas: ReadonlySet<string>;
};

/** The names of base backups: such a connection ends by itself and cannot be promoted. */
const BACKUPS: ReadonlySet<string> = new Set(['pg_basebackup', 'pgbackrest']);
const SYNCHRONOUS: ReadonlySet<string> = new Set(['sync', 'quorum', 'potential']);
/** `local`, `off` and `remote_write` answer before a standby has the commit on its disk. */
const WAITS: ReadonlySet<string> = new Set(['on', 'remote_apply']);

/**
 * Why nothing may be signed on this server, in one sentence; null when nothing speaks against it. A replica that is not synchronous lacks
 * the last commits: promoted, it would repeat the payments in them.
 */
export function standbyProblem(seen: Replication, { ha, readReplicas }: StandbyRules): string | null {
  const standbys = seen.replicas.filter(({ name }) => !readReplicas.has(name) && !BACKUPS.has(name));
  const blind = standbys.find(({ sync }) => sync === null);
  if (blind !== undefined) {
    return `the replica "${blind.name}" may be asynchronous, which only a role with pg_monitor sees: GRANT pg_monitor to the role of DATABASE_URL, or name it in POSTGRES_READ_REPLICAS if nobody will promote it`;
  }
  const loose = standbys.find(({ sync }) => sync === null || !SYNCHRONOUS.has(sync));
  if (loose !== undefined) {
    return `the replica "${loose.name}" is asynchronous: promoted, it would lack what was paid last. Name it in synchronous_standby_names, or in POSTGRES_READ_REPLICAS if nobody will promote it`;
  }
  if (ha === 'off') return null;
  if (!WAITS.has(seen.synchronousCommit)) {
    return `POSTGRES_HA=sync, and synchronous_commit is ${seen.synchronousCommit}: commits do not wait for the standby. Set it to on`;
  }
  const holds = standbys.some(
    ({ state, sync }) => state === 'streaming' && (sync === 'sync' || sync === 'quorum'),
  );
  return holds ? null : 'POSTGRES_HA=sync, and no synchronous standby is connected';
}
