import { type AppError, hasCode, isAppError } from '../core/errors/app-error.ts';
import { fileProblem } from '../core/errors/file-problem.ts';

/**
 * The operator's message when the program cannot start or stop: one clear line per problem, each with its mend. A stack is shown only for
 * unforeseen errors. `kekVariable` names the key where it is configured.
 */
export function describeStartFailure(error: unknown, kekVariable = 'KEK_FILE'): string {
  const telegram = telegramFailure(error);
  if (telegram !== null) return `Tradepost cannot start: ${telegram}`;
  if (!isAppError(error)) {
    const file = fileProblem(error, { path: 'a file', variable: null });
    if (file !== null) return `Tradepost cannot start: ${file}`;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  if (hasCode(error, 'CONFIG_INVALID'))
    return error.details.problems.map((problem) => `Tradepost cannot start: ${problem}`).join('\n');
  if (hasCode(error, 'SECRET_UNREADABLE'))
    return `Tradepost cannot start: ${kekVariable}: the key-encryption key is not the one that sealed this database. Name its own in ${kekVariable}, or the former one in KEK_OLD_FILES.`;
  if (hasCode(error, 'CHAIN_UNREACHABLE'))
    return `Tradepost cannot start: SOLANA_RPC_URL: ${error.details.endpoint} does not answer (${error.details.cause}). Start the node, or correct the URL.`;
  if (hasCode(error, 'SIGNER_UNAVAILABLE'))
    return `Tradepost cannot start: SIGNER_SOCKET, SIGNER_URLS: ${error.details.cause}. Start the process with ROLES=signer, or correct the place.`;
  const journal = journalFailure(error);
  if (journal !== null) return `Tradepost cannot start: JOURNAL_DIR: ${journal}`;
  const { details } = error;
  const cause = 'cause' in details ? details.cause : error.code;
  return `Tradepost cannot start: ${SUBJECT[error.code] ?? ''}${cause}`;
}

/** The fault of the signer's own files, and its mend. */
function journalFailure(error: AppError): string | null {
  if (hasCode(error, 'JOURNAL_MISSING'))
    return `there is no journal in ${error.details.folder} that this database knows, and something was signed by its word. Name the folder of the signer's journal. If there is none, run "npm run ops -- journal adopt".`;
  if (hasCode(error, 'JOURNAL_BEHIND'))
    return `the journal ends at line ${error.details.journal}, and the database has seen line ${error.details.database}: it is an older copy. Put the newest one back, or run "npm run ops -- journal adopt".`;
  if (hasCode(error, 'JOURNAL_BROKEN'))
    return `${error.details.file} is not as it was written after line ${error.details.after} (${error.details.cause}). Put a good copy back, or run "npm run ops -- journal adopt".`;
  if (hasCode(error, 'JOURNAL_TAKEN'))
    return `${error.details.cause}. Let the others ask the signer (SIGNER_SOCKET).`;
  if (hasCode(error, 'JOURNAL_FULL'))
    return `it cannot be written (${error.details.cause}). Make room on its disk.`;
  return null;
}

const SUBJECT: Readonly<Record<string, string>> = {
  DATABASE_UNREACHABLE: 'the database: ',
  DATABASE_REPLICA_ASYNC: 'the database: ',
  COMMIT_NOT_REPLICATED: 'the database: ',
  QUEUE_UNREACHABLE: 'the queue: ',
  CHAIN_UNREACHABLE: 'the chain: ',
  KEK_UNAVAILABLE: 'the key-encryption key: ',
  DATABASE_FORGETFUL: 'the database may forget what it has confirmed: ',
};

/** grammY's own errors, recognized by their shape: Telegram's refusal is a code. Null for everything else. */
function telegramFailure(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'GrammyError' || !('error_code' in error)) return null;
  // Telegram answers 404 to a token that is not even of a token's shape.
  if (error.error_code === 401 || error.error_code === 404)
    return 'TELEGRAM_BOT_TOKEN: Telegram does not know this token. Copy it from @BotFather again; "/revoke" there makes old ones useless.';
  return null;
}
