import { OPERATIONS } from './generated/operations.ts';
import type { Settings } from './options.ts';
import type { Input, OperationId } from './types.ts';

export type Request = {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** The request of an operation. Throws TypeError where a field of the path is missing. */
export function requestOf<Op extends OperationId>(
  settings: Pick<Settings, 'base' | 'apiKey'>,
  operation: Op,
  input: Input<Op>,
  idempotencyKey: string | null,
): Request {
  const { method, path, in: place, pathFields } = OPERATIONS[operation];
  const inPath: readonly string[] = pathFields;
  const fields = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const named: Readonly<Record<string, unknown>> = Object.fromEntries(fields);
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = named[name];
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${operation}: expected a text for ${name}`);
    return encodeURIComponent(value);
  });
  const query =
    place === 'query'
      ? fields.filter(([name]) => !inPath.includes(name)).map(([name, value]) => [name, String(value)])
      : [];
  const body = place === 'body' ? JSON.stringify(named) : null;
  return {
    method,
    url: `${settings.base}${filled}${query.length === 0 ? '' : `?${new URLSearchParams(query)}`}`,
    headers: {
      accept: 'application/json',
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(settings.apiKey === null ? {} : { 'x-api-key': settings.apiKey }),
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body,
  };
}

/** A key of 128 random bits. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
