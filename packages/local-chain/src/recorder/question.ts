import { isRecord } from '../rpc/params.ts';

/** A method's name, as nodes have them: nothing else is written to a file. */
const METHOD = /^[A-Za-z_]\w{0,63}$/;

export type Question = { readonly method: string; readonly params: unknown };

/** Null for anything but a call of a method. */
export function questionOf(request: unknown): Question | null {
  if (!isRecord(request)) return null;
  const { method, params } = request;
  return typeof method === 'string' && METHOD.test(method) ? { method, params: params ?? [] } : null;
}

/** The same text for the same method and params, in any order of their members. */
export function keyOf({ method, params }: Question): string {
  return `${method} ${JSON.stringify(params, (_, value: unknown) => (isRecord(value) ? inOrder(value) : value))}`;
}

function inOrder(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
