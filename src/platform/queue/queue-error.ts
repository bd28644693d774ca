/** One sentence about a queue that cannot be used: the server, the fault, and the setting to change. Never holds a password. */
export function queueSentence(error: unknown, url: string): string {
  const redis = /^rediss?:/.test(url);
  const name = redis ? 'REDIS_URL' : 'DATABASE_URL';
  if (!URL.canParse(url)) {
    return `${name} is not a URL. Expected ${redis ? 'redis://host:6379' : 'postgresql://user:password@host:5432/database'}.`;
  }
  const { host } = new URL(url);
  const message = messageOf(error);
  if (
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|Connection is closed|isn't writeable|timed out|max retries per request/.test(
      message,
    )
  ) {
    return `${redis ? 'Redis' : 'Postgres'} does not answer at ${host}. Start it, or correct ${name}.`;
  }
  if (/NOAUTH|WRONGPASS|password authentication|SASL/i.test(message)) {
    return `${redis ? 'Redis' : 'Postgres'} at ${host} refuses the password. Correct ${name}.`;
  }
  return `the queue at ${host}: ${message.replace(/\.?$/, '.')}`;
}

/** ioredis hides the reason in `cause` or in the last of several errors. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return messageOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code} ` : '';
  const cause = error.cause === undefined ? '' : ` (${messageOf(error.cause)})`;
  return `${code}${error.message}${cause}`;
}
