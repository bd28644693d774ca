import type { Operation } from './operation.ts';

const TIMEOUT_MS = 20_000;
const LARGEST_ANSWER = 8 * 1024 * 1024;

/** A refusal of the service, or no answer. The message is for the agent. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
}

export type Arguments = Readonly<Record<string, unknown>>;

export type Service = {
  /** Asks one operation; its `data`. Rejects with ServiceError. */
  readonly ask: (operation: Operation, input: Arguments, signal: AbortSignal) => Promise<unknown>;
  /** The text behind a path of the documentation. Rejects with ServiceError. */
  readonly read: (path: string, signal: AbortSignal) => Promise<string>;
};

/** A client of one host. Throws TypeError for an address or key that cannot work. */
export function createService({
  baseUrl,
  apiKey,
}: {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
}): Service {
  const given = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (given === null || !/^https?:$/.test(given.protocol) || given.search !== '' || given.hash !== '')
    throw new TypeError('TRADEPOST_URL: expected an address such as https://api.example.org');
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('TRADEPOST_KEY: expected visible ASCII characters');
  const base = given.href.replace(/\/+$/, '');
  const access: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  return {
    ask: async (operation, input, signal) => {
      const { path, rest } = pathOf(operation, input);
      const query = operation.in === 'query' ? queryOf(rest) : '';
      const asked = await textOf(`${base}${path}${query}`, signal, {
        method: operation.method,
        headers: { ...access, ...(operation.in === 'body' ? { 'content-type': 'application/json' } : {}) },
        ...(operation.in === 'body' ? { body: JSON.stringify(rest) } : {}),
      });
      return dataOf(asked);
    },
    read: async (path, signal) => {
      const { status, text } = await textOf(`${base}${path}`, signal, { headers: access });
      if (status !== 200) throw new ServiceError(`${path} answered ${status}`);
      return text;
    },
  };
}

function pathOf({ path, pathFields }: Operation, input: Arguments): { path: string; rest: Arguments } {
  let filled = path;
  for (const name of pathFields) {
    const value = input[name];
    if (typeof value !== 'string' || value === '')
      throw new ServiceError(`${name}: expected a text, because it is a part of the path`);
    filled = filled.replace(`:${name}`, encodeURIComponent(value));
  }
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !pathFields.includes(name)));
  return { path: filled, rest };
}

/** Numbers and booleans are texts in a query; an absent value is no field. */
function queryOf(input: Arguments): string {
  const fields = Object.entries(input).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'object')
      throw new ServiceError(`${name}: expected a text, not a list or an object`);
    return [[name, String(value)]];
  });
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields).toString()}`;
}

type Answer = { readonly status: number; readonly text: string };

async function textOf(url: string, signal: AbortSignal, init: RequestInit): Promise<Answer> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: limited });
    return { status: response.status, text: await bodyOf(response) };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError(`no answer from the service (${reasonOf(error)}); ask again later`);
  }
}

/** Rejects for a body beyond the limit, however much of it would still come. */
async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > LARGEST_ANSWER) throw new ServiceError('the answer is larger than 8 MiB; ask for less');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function dataOf({ status, text }: Answer): unknown {
  const body = jsonOf(text);
  if (status === 200 && isObject(body) && 'data' in body) return body['data'];
  const refusal = isObject(body) && isObject(body['error']) ? body['error'] : null;
  if (refusal === null) throw new ServiceError(`the service answered ${status} without a body of its API`);
  const { code, message, details, retryable } = refusal;
  const fields = (Array.isArray(details) ? details : []).flatMap((detail: unknown) =>
    isObject(detail) ? [`${String(detail['field'])}: ${String(detail['message'])}`] : [],
  );
  throw new ServiceError(
    [
      `${String(code)}: ${String(message)}`,
      ...fields,
      retryable === true ? 'The same request may succeed later.' : 'The same request fails again.',
    ].join('\n'),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
