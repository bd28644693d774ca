import type { Operation } from './document.ts';

/** Headers of HTTP itself and of every host; a document need not name them. */
export const ORDINARY =
  /^(content-(type|length|encoding)|date|connection|keep-alive|vary|cache-control|transfer-encoding|x-content-type-options|x-accel-buffering|access-control-.*)$/;

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the body is a stream and was not read. */
  readonly text: string | null;
};

/** The fault of an answer by the document of its host; null where the document names all of it. */
export function faultOf(operation: Operation, { status, headers, text }: Answer): string | null {
  if (status === 500) return `a fault of the service: ${text?.slice(0, 200)}`;
  const documented = operation.answers.get(status);
  if (documented === undefined) return `status ${status} is not documented`;
  const unknown = Object.keys(headers).filter(
    (name) => !ORDINARY.test(name) && !documented.headers.has(name.toLowerCase()),
  );
  if (unknown.length > 0) return `headers are not documented: ${unknown.join(', ')}`;
  if (text === null || text === '') return null;
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!documented.types.includes(type)) return `the type ${type} is not documented for ${status}`;
  if (documented.isBody === null || type !== 'application/json') return null;
  if (documented.isBody(JSON.parse(text))) return null;
  const why = JSON.stringify(documented.isBody.errors?.slice(0, 2));
  return `the body is not as documented: ${why} ${text.slice(0, 300)}`;
}
