import { GrammyError } from 'grammy';
import { AppError } from '../../core/errors/app-error.ts';
import type { Logger } from '../ports/logger.ts';

const FIRST_PAUSE_MS = 100;
/** While Telegram is away more requests gain nothing, and a person waits at most this long after its return. */
const LONGEST_PAUSE_MS = 5_000;
/** Two processes that poll one token steal each other's updates: the one that waits asks rarely. */
const CONFLICT_PAUSE_MS = 3_000;
const REFUSED_PAUSE_MS = 30_000;

/** The link's messages to the operator: the start of an outage once, and its end once. */
export type TelegramLink = {
  /**
   * Repeats `call` until Telegram answers it, with pauses of at most 30 seconds. Rejects only when `signal` is aborted, or,
   * for `atStart`, with CONFIG_INVALID when Telegram does not know the token.
   */
  ask<T>(call: () => Promise<T>, options: AskOptions): Promise<T>;
  /** When Telegram last answered, by `steadyMs`; null before its first answer. */
  lastAnswerAt(): number | null;
};

type AskOptions = {
  readonly signal: { readonly aborted: boolean };
  readonly atStart?: boolean;
};

/** The state of the connection to Telegram. `pause` ends early, without an error, when the process stops. */
export function createTelegramLink(deps: {
  /** Milliseconds of a clock that cannot be set. */
  readonly steadyMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}): TelegramLink {
  const { steadyMs, pause, log } = deps;
  let answeredAt: number | null = null;
  let away: { readonly since: number; readonly reason: Reason } | null = null;

  const noteAnswer = (): void => {
    const at = steadyMs();
    if (away !== null) log.info({ awayMs: Math.round(at - away.since) }, 'Telegram answers again');
    away = null;
    answeredAt = at;
  };
  const noteFailure = (reason: Reason, error: unknown): void => {
    if (away?.reason === reason) return;
    away = { since: away?.since ?? steadyMs(), reason };
    const level = reason === 'token' || reason === 'refused' ? 'error' : 'warn';
    log[level]({ cause: error instanceof Error ? error.message : String(error) }, SENTENCES[reason]);
  };

  return {
    lastAnswerAt: () => answeredAt,
    async ask(call, { signal, atStart = false }) {
      for (let failures = 0; ; failures += 1) {
        try {
          const answer = await call();
          noteAnswer();
          return answer;
        } catch (error) {
          if (signal.aborted) throw error;
          const reason = reasonOf(error);
          if (atStart && reason === 'token') throw unknownToken(error);
          noteFailure(reason, error);
          await pause(pauseAfter(error, reason, failures));
          if (signal.aborted) throw error;
        }
      }
    },
  };
}

type Reason = 'away' | 'token' | 'conflict' | 'limited' | 'refused';

const SENTENCES: Readonly<Record<Reason, string>> = {
  away: 'Telegram cannot be reached; the bot keeps trying',
  token:
    'Telegram refuses TELEGRAM_BOT_TOKEN: the token was revoked or replaced. Get the new one from @BotFather, set it and restart',
  conflict:
    'another process polls with the same TELEGRAM_BOT_TOKEN; this one waits and takes over when that one ends',
  limited: 'Telegram asks for a pause (429)',
  refused:
    'Telegram refuses this request for good: waiting does not help. The cause is its own sentence; mend the setting that it names',
};

function reasonOf(error: unknown): Reason {
  if (!(error instanceof GrammyError)) return 'away';
  // An unknown token is 404 at getMe and 401 elsewhere.
  if (error.error_code === 401 || error.error_code === 404) return 'token';
  if (error.error_code === 409) return 'conflict';
  if (error.error_code === 400 || error.error_code === 403) return 'refused';
  return error.error_code === 429 ? 'limited' : 'away';
}

function pauseAfter(error: unknown, reason: Reason, failures: number): number {
  if (reason === 'conflict') return CONFLICT_PAUSE_MS;
  if (reason === 'token' || reason === 'refused') return REFUSED_PAUSE_MS;
  const doubling = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);
  const asked = error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1_000 : 0;
  return Math.min(Math.max(doubling, asked), REFUSED_PAUSE_MS);
}

function unknownToken(cause: unknown): AppError<'CONFIG_INVALID'> {
  const problem =
    'TELEGRAM_BOT_TOKEN: Telegram does not know this token. Copy it again from @BotFather, whole and without spaces.';
  return new AppError('CONFIG_INVALID', { problems: [problem] }, { cause });
}
