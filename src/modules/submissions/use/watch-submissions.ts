import { isAppError } from '../../../core/errors/app-error.ts';
import { isDatabaseDown } from '../../../core/errors/database-down.ts';
import type { Outages } from '../../../engine/watch/use/watch-attempts.ts';
import type { Chain, SignatureStatus } from '../../../platform/ports/chain.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Submission } from '../rules/submission.ts';
import { type FollowDeps, followSubmission } from './follow-submission.ts';

export type SubmissionWatchDeps = Omit<FollowDeps, 'chain'> & {
  readonly chain: FollowDeps['chain'] & Pick<Chain, 'statuses'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Whether this process answers for such a name. */
  readonly owns: (name: string) => boolean;
  readonly outages?: Outages;
  /** A record changed: an event may wait. */
  readonly onEvent?: () => void;
};

export type SubmissionWatch = {
  /** Looks at everything that is under way and is this process's. Milliseconds until the next round; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  /** There may be work: the next round comes at once. */
  wake(): void;
  stop(): Promise<void>;
  /** Submissions that the last round looked at. */
  size(): number;
};

const READ_AT_MOST = 5_000;
/** While something is under way. */
const ROUND_MS = 1_000;
/** While nothing is: news wakes it before. */
const IDLE_MS = 60_000;
/** Disputed ones are looked at in one round of so many. */
const DISPUTED_EACH = 30;
/** Steps that run at once. */
const PLACES = 16;

/** Follows submissions in rounds: one read, one question for all statuses, and a step for each. It keeps nothing between rounds. */
export function createSubmissionWatch(deps: SubmissionWatchDeps): SubmissionWatch {
  let poke = (): void => undefined;
  let rounds = 0;
  let size = 0;
  const told = createTeller(deps);

  async function round(): Promise<number> {
    rounds += 1;
    try {
      const open = await deps.submissions.open(deps.clock.now(), READ_AT_MOST);
      const own = open.filter(({ signature }) => deps.owns(signature));
      size = own.length;
      const due = own.filter(({ status }) => status !== 'disputed' || rounds % DISPUTED_EACH === 0);
      if (due.length > 0) await lookAt(due);
      told.worked();
      // It waits for those of other watchers too: they may end.
      return open.length === 0 ? IDLE_MS : ROUND_MS;
    } catch (err) {
      told.failed(err);
      return ROUND_MS;
    }
  }

  async function lookAt(due: readonly Submission[]): Promise<void> {
    const statuses = await deps.chain.statuses(due.map(({ signature }) => signature));
    const waiting = due.map((submission, index) => ({ submission, status: statuses[index] ?? null }));
    await Promise.all(Array.from({ length: PLACES }, () => stepAll(waiting)));
  }

  async function stepAll(
    waiting: { readonly submission: Submission; readonly status: SignatureStatus | null }[],
  ): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        if (await followSubmission(deps, next.submission, next.status)) deps.onEvent?.();
      } catch (err) {
        told.failed(err);
      }
    }
  }

  return {
    round,
    onAdd: (call) => {
      poke = call;
    },
    wake: () => poke(),
    stop: async () => undefined,
    size: () => size,
  };
}

/** Says a failure once until something works again; the watch of outages reports an outage. */
function createTeller({ log, outages }: Pick<SubmissionWatchDeps, 'log' | 'outages'>) {
  let failures = 0;
  return {
    worked: () => {
      failures = 0;
    },
    failed: (err: unknown) => {
      if (outages !== undefined && isAppError(err)) {
        if (err.code === 'CHAIN_UNREACHABLE') return outages.suspect('chain', err);
        if (isDatabaseDown(err)) return outages.suspect('database', err);
      }
      failures += 1;
      if (failures === 1) log.warn({ err }, 'a submission could not be followed and is looked at again');
    },
  };
}
