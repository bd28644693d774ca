import { AppError, isAppError } from '../../core/errors/app-error.ts';
import { runBeat } from '../../core/time/run-beat.ts';
import { type StandbyRules, standbyProblem } from '../../modules/operations/rules/replication.ts';
import { readReplication } from '../../modules/operations/store/replication-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Query } from './connection.ts';

const BEAT_MS = 5_000;
// SQL: the server's facts on itself and on its replicas are in no model.

/** A commit that takes this long waits for a standby that is gone. */
const PATIENCE_MS = 3_000;

export type StandbyWatch = {
  /** Returns while a commit here survives the loss of this server. Throws DATABASE_REPLICA_ASYNC, COMMIT_NOT_REPLICATED. */
  readonly assertSafe: () => void;
  readonly stop: () => Promise<void>;
};

/**
 * Looks at the replicas of the database now and every five seconds, and with `ha: 'sync'` whether a write commits within three.
 * Throws DATABASE_REPLICA_ASYNC when nothing may be signed from the beginning, DATABASE_UNREACHABLE. A look that the database
 * does not answer changes nothing: then nothing is written either.
 */
export async function watchStandbys(
  db: { readonly query: Query; readonly onUnreplicated: (listener: () => void) => void },
  rules: StandbyRules,
  {
    log,
    pause,
  }: { readonly log: Pick<Logger, 'error' | 'warn'>; readonly pause: (ms: number) => Promise<void> },
): Promise<StandbyWatch> {
  let problem: AppError | null = null;
  const say = (found: AppError | null): void => {
    if (found !== null && found.code !== problem?.code)
      log.error({ err: found }, 'nothing is signed: the database is not safe to write to');
    if (found === null && problem !== null) log.warn({}, 'the database is safe to write to again');
    problem = found;
  };
  db.onUnreplicated(() => say(notReplicated('the server answered a commit with a warning')));
  const write = probe(db.query);
  const look = async (): Promise<void> => {
    const cause = standbyProblem(await readReplication(db.query), rules);
    if (cause !== null) return say(new AppError('DATABASE_REPLICA_ASYNC', { cause }));
    if (rules.ha === 'sync' && !(await write())) {
      return say(notReplicated('a write is not answered: the synchronous standby is away'));
    }
    say(null);
  };
  const assertSafe = (): void => {
    if (problem !== null) throw problem;
  };
  await look();
  assertSafe();
  const stop = runBeat({
    // A fault that the database itself does not answer is reported by the parts that need it.
    beat: () =>
      look().catch((error) => {
        if (!isAppError(error)) throw error;
      }),
    pauseMs: () => BEAT_MS,
    pause,
    told: {
      log,
      failing: 'the replicas could not be looked at',
      again: 'the replicas are looked at again',
    },
  });
  return { assertSafe, stop };
}

const notReplicated = (cause: string) => new AppError('COMMIT_NOT_REPLICATED', { cause });

/** Whether a commit is answered in time. One at a time: each that hangs holds a connection. */
function probe(query: Query): () => Promise<boolean> {
  let hanging: Promise<boolean> | null = null;
  return async () => {
    // A message in the write-ahead log: it waits for the standby as every commit does, and no table is needed.
    hanging ??= query("SELECT pg_logical_emit_message(true, 'tradepost', '')", [])
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        hanging = null;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
    });
    return Promise.race([hanging, late]).finally(() => clearTimeout(timer));
  };
}
