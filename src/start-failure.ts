import { hasCode, isAppError } from './core/errors/app-error.ts';

/**
 * What an operator reads when the program cannot start or stop: one clear line per problem, each with its mend. A stack is
 * shown only for what nobody foresaw.
 */
export function describeStartFailure(error: unknown): string {
  if (!isAppError(error)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  if (hasCode(error, 'CONFIG_INVALID'))
    return error.details.problems.map((problem) => `Tradepost cannot start: ${problem}`).join('\n');
  const { details } = error;
  const cause = 'cause' in details ? details.cause : error.code;
  return `Tradepost cannot start: ${SUBJECT[error.code] ?? ''}${cause}`;
}

const SUBJECT: Readonly<Record<string, string>> = {
  DATABASE_UNREACHABLE: 'the database: ',
  QUEUE_UNREACHABLE: 'the queue: ',
  CHAIN_UNREACHABLE: 'the chain: ',
  KEK_UNAVAILABLE: 'the key-encryption key: ',
};
