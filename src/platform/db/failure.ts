import { AppError, isAppError } from '../../core/errors/app-error.ts';
import { connectionSentence, unreachable } from './connection-error.ts';

/** SQLSTATE classes and codes that speak of the connection or the server, not of the statement. */
const SERVER_STATES = /^(08|57P0|28|3D000$)/;
/** The server's own reasons for taking nothing now. */
const REFUSALS: Readonly<Record<string, 'DATABASE_FULL' | 'DATABASE_BUSY' | 'DATABASE_READ_ONLY'>> = {
  '53100': 'DATABASE_FULL',
  '53200': 'DATABASE_BUSY',
  '53300': 'DATABASE_BUSY',
  '25006': 'DATABASE_READ_ONLY',
};
const SOCKET_CODES = /^(ECONN|ENOTFOUND$|EAI_AGAIN$|ETIMEDOUT$|EPIPE$|EHOSTUNREACH$|ENETUNREACH$)/;
/** Prisma's codes for the same: unreachable, timeouts, closed, no free connection, no transaction in time. */
const PRISMA_SERVER_CODES = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2024',
]);
const LOST =
  /Connection terminated|Query read timeout|Connection ended|timeout exceeded when trying to connect|Unable to start a transaction|not queryable|closed the connection|Server has closed|not currently accepting connections|ConnectionClosed|SocketTimeout/i;

/**
 * The error as it leaves the adapter: a lost server is DATABASE_UNREACHABLE, one that is full, busy or read-only says so, every other error
 * stays as it is.
 */
export function translate(error: unknown, url: string): unknown {
  if (isAppError(error)) return error;
  const refusal = refusalOf(error);
  if (refusal !== null)
    return new AppError(refusal, { cause: connectionSentence(root(error), url) }, { cause: error });
  return isUnreachable(error) ? unreachable(root(error), url) : error;
}

function refusalOf(error: unknown) {
  for (const part of chain(error)) {
    const refusal = REFUSALS[textOf(part, 'originalCode') ?? ''] ?? REFUSALS[textOf(part, 'code') ?? ''];
    if (refusal !== undefined) return refusal;
  }
  return null;
}

function isUnreachable(error: unknown): boolean {
  return chain(error).some((part) => {
    const code = textOf(part, 'code');
    const state = textOf(part, 'originalCode');
    return (
      (code !== null &&
        (SERVER_STATES.test(code) || SOCKET_CODES.test(code) || PRISMA_SERVER_CODES.has(code))) ||
      (state !== null && (SERVER_STATES.test(state) || SOCKET_CODES.test(state))) ||
      // FATAL ends the connection, with any code.
      textOf(part, 'severity') === 'FATAL' ||
      LOST.test(textOf(part, 'message') ?? '') ||
      LOST.test(textOf(part, 'originalMessage') ?? '') ||
      LOST.test(textOf(part, 'kind') ?? '')
    );
  });
}

/** Serialization failure or deadlock: the whole transaction may be run again. */
export function isConflict(error: unknown): boolean {
  return chain(error).some(
    (part) =>
      ['40001', '40P01', 'P2034'].includes(textOf(part, 'code') ?? '') ||
      ['40001', '40P01'].includes(textOf(part, 'originalCode') ?? '') ||
      textOf(part, 'kind') === 'TransactionWriteConflict',
  );
}

/** Whether the statement broke the constraint or unique index `name`. */
export function violates(error: unknown, name: string): boolean {
  return chain(error).some(
    (part) =>
      textOf(part, 'constraint') === name ||
      (textOf(part, 'message') ?? '').includes(`"${name}"`) ||
      (textOf(part, 'originalMessage') ?? '').includes(`"${name}"`),
  );
}

/** The error and its wrapped errors: Prisma keeps the driver's error under `meta.driverAdapterError.cause`. */
function chain(error: unknown): readonly object[] {
  const parts: object[] = [];
  for (let part = error; typeof part === 'object' && part !== null && parts.length < 8; ) {
    parts.push(part);
    const meta = 'meta' in part ? part.meta : undefined;
    const wrapped =
      typeof meta === 'object' && meta !== null && 'driverAdapterError' in meta
        ? meta.driverAdapterError
        : undefined;
    const causes: readonly unknown[] = part instanceof AggregateError ? part.errors : [];
    const [first] = causes;
    part = wrapped ?? first ?? ('cause' in part ? part.cause : undefined);
  }
  return parts;
}

/** The innermost part that names a code: that one comes from Postgres or the socket. */
function root(error: unknown): unknown {
  const named = chain(error).findLast((part) => textOf(part, 'originalCode') ?? textOf(part, 'code'));
  const state = named ? textOf(named, 'originalCode') : null;
  if (named && state)
    return Object.assign(new Error(textOf(named, 'originalMessage') ?? state), { code: state });
  return named ?? error;
}

function textOf(part: object, key: string): string | null {
  const value: unknown = Reflect.get(part, key);
  return typeof value === 'string' ? value : null;
}
