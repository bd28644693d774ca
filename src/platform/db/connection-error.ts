import { AppError } from '../../core/errors/app-error.ts';

/** Where a URL points, without its password: safe to print. Null when it is not a Postgres URL. */
export function describeTarget(
  url: string,
): { readonly host: string; readonly database: string; readonly user: string } | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol) || parsed.hostname === '') return null;
  return {
    host: `${parsed.hostname}:${parsed.port || '5432'}`,
    database: decodeURIComponent(parsed.pathname.slice(1)) || 'postgres',
    user: decodeURIComponent(parsed.username) || 'postgres',
  };
}

/** One sentence that names the connection's fault and its mend. Never holds the password. */
export function connectionSentence(error: unknown, url: string): string {
  const target = describeTarget(url);
  if (!target)
    return 'DATABASE_URL is not a Postgres URL. Expected postgresql://user:password@host:5432/database.';
  const { host, database, user } = target;
  const code = errorCode(error);
  const message = errorMessage(error);
  switch (code ?? '') {
    case 'ECONNREFUSED':
      return `nothing answers at ${host}. Start Postgres there, or correct the host and port in DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host of ${host} has no address. Correct the host in DATABASE_URL.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${host} cannot be reached. Check the host in DATABASE_URL and the firewall before it.`;
    case '28P01':
    case '28000':
      return `Postgres at ${host} refuses user "${user}": wrong password, or not allowed in. Correct DATABASE_URL.`;
    case '3D000':
      return `Postgres at ${host} has no database "${database}". Create it, or correct the name in DATABASE_URL.`;
    case '42501':
      return `user "${user}" may not do that in "${database}" at ${host}: ${message}. Make it the owner of the database. A role of "ops db roles" needs REDIS_URL: without it the queue makes tables of its own.`;
    case '53100':
      return `the disk under Postgres at ${host} is full. Make room there: nothing is written until then.`;
    case '53200':
      return `Postgres at ${host} has no memory left. Give the machine more, or run fewer processes.`;
    case '25006':
      return `Postgres at ${host} takes no writes: it is a replica, or was told so. Name the primary in DATABASE_URL.`;
    case '53300':
      return `Postgres at ${host} has no free connection. Raise max_connections or run fewer processes.`;
    case '57P03':
      return `Postgres at ${host} is starting or stopping. Try again in a moment.`;
    default:
      break;
  }
  if (/password must be a string|SASL/i.test(message)) {
    return `Postgres at ${host} wants a password for user "${user}". Put it into DATABASE_URL.`;
  }
  if (/timeout/i.test(message)) return `${host} did not answer in time. Check the host in DATABASE_URL.`;
  return `Postgres at ${host}: ${message.replace(/\.?$/, '.')}`;
}

export function unreachable(error: unknown, url: string): AppError<'DATABASE_UNREACHABLE'> {
  return new AppError('DATABASE_UNREACHABLE', { cause: connectionSentence(error, url) }, { cause: error });
}

/** A dual-stack host fails as an AggregateError whose parts carry the code. */
function errorCode(error: unknown): string | null {
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
    return error.code;
  return null;
}

function errorMessage(error: unknown): string {
  if (error instanceof AggregateError) return errorMessage(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
