import { AppError } from '../../../core/errors/app-error.ts';
import { runBeat } from '../../../core/time/run-beat.ts';
import type { Logger } from '../../../platform/ports/logger.ts';

/** Beyond it the operator is warned. */
const WARN_MS = 2_000;
/** Beyond it nothing is begun: expiries, waits and leases would be wrong by as much. */
const OFF_MS = 5_000;
/** A database that is so far from the chain has a wrong clock itself, and every process agrees with it. */
const CHAIN_MS = 120_000;
const CHAIN_EVERY_MS = 60_000;
const EVERY_MS = 5_000;

export type ClockState = 'well' | 'late' | 'off';

export type ClockWatch = {
  /** Throws CLOCK_OFF while this process's clock and the database's are apart. */
  readonly assertWell: () => void;
  /** One beat and its effects. Throws the beat's errors. */
  readonly look: () => Promise<ClockState>;
  /**
   * Beats every five seconds until the function that it returns is called, which resolves when the last beat is over. A failure is
   * reported by the parts that need the database.
   */
  readonly start: () => () => Promise<void>;
};

/**
 * Compares this process's clock with the database's at each beat, and the database's with the chain's once a minute. The time that the
 * beat itself took is no difference: only a certain difference counts.
 */
export function createClockWatch(deps: {
  readonly beat: () => Promise<number>;
  /** Unix milliseconds of a recent block; null where the chain gives none. */
  readonly chainTime: () => Promise<number | null>;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Is handed each reading of another clock, as of this moment. */
  readonly compared?: (other: 'database' | 'chain', at: number) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}): ClockWatch {
  const { beat, chainTime, now, log } = deps;
  let state: ClockState = 'well';
  let offMs = 0;
  let chainAskedAt: number | null = null;
  let isChainFar = false;

  const compareWithChain = async (database: number): Promise<void> => {
    if (chainAskedAt !== null && Math.abs(database - chainAskedAt) < CHAIN_EVERY_MS) return;
    chainAskedAt = database;
    const chain = await chainTime().catch(() => null);
    if (chain === null) return;
    deps.compared?.('chain', chain);
    const isFar = Math.abs(database - chain) > CHAIN_MS;
    if (isFar && !isChainFar)
      log.error(
        { aheadMs: database - chain },
        'ALERT: the clock of the database and the newest block are minutes apart',
      );
    if (!isFar && isChainFar) log.info({}, 'the clock of the database and the newest block agree again');
    isChainFar = isFar;
  };

  const look = async (): Promise<ClockState> => {
    const before = now();
    const database = await beat();
    const after = now();
    // The database answered between the two readings: a time within them is no difference.
    const ahead = before > database ? before - database : after < database ? after - database : 0;
    const next: ClockState = Math.abs(ahead) > OFF_MS ? 'off' : Math.abs(ahead) > WARN_MS ? 'late' : 'well';
    offMs = ahead;
    deps.compared?.('database', after - ahead);
    if (next !== state) {
      tellState(log, next, ahead);
      state = next;
    }
    await compareWithChain(database);
    return state;
  };

  return {
    look,
    assertWell: () => {
      if (state === 'off') throw new AppError('CLOCK_OFF', { aheadMs: offMs });
    },
    start: () => runBeat({ beat: look, pauseMs: () => EVERY_MS, pause: deps.pause }),
  };
}

function tellState(log: Pick<Logger, 'info' | 'warn' | 'error'>, state: ClockState, aheadMs: number): void {
  if (state === 'off')
    log.error(
      { aheadMs },
      'ALERT: CLOCK_OFF: this clock and that of the database are apart; no work until they agree',
    );
  else if (state === 'late') log.warn({ aheadMs }, 'this clock and that of the database drift apart');
  else log.info({}, 'this clock and that of the database agree again');
}
