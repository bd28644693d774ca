import type { Random } from '../../test/support/simulator/random.ts';
import type { Contract, Operation, Schema } from './document.ts';

export type Call = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** Values that lead further than chance does: addresses of the local world, in the order of their use. */
export type Known = {
  readonly mints: readonly string[];
  readonly markets: readonly string[];
  readonly wallets: readonly string[];
  readonly signatures: readonly string[];
  readonly venues: readonly string[];
};

const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '0x10',
  '１２',
  'null',
  'undefined',
  '\u0000',
  '\u202e<b>',
  '😀'.repeat(20),
  'a'.repeat(65),
  'a'.repeat(600),
  "'; DROP TABLE intents; --",
  '../../etc/passwd',
  '%',
  '%00',
  '{}',
  '18446744073709551615',
  '18446744073709551616',
  '9'.repeat(40),
  '11111111111111111111111111111111',
  0,
  -1,
  0.5,
  2 ** 53,
  1e308,
  true,
  false,
  null,
  [],
  [[]],
  {},
  { constructor: { prototype: 1 } },
  Array.from({ length: 200 }, () => 'x'),
];
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'];
const DEPTH = 4;
/** Links of examples lead elsewhere: no call may make the service ask another machine. */
const LOOPBACK = 'http://127.0.0.1:9/hook';

const onLoopback = (example: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(example).replaceAll(/https?:[^"\s]*/g, LOOPBACK));

/** Makes calls of an operation: most are near to the expected ones, the others are hostile in one place or in many. */
export function createRequests(
  contract: Contract,
  known: Known,
  random: Random,
): (operation: Operation) => Call {
  const pick = <T>(items: readonly T[]): T => random.pick(items);
  const chance = (share: number): boolean => random.chance(share);
  function fitting(name: string): unknown {
    if (/mint|token|base|quote|symbol/i.test(name)) return pick(known.mints);
    if (/wallet|payer|referrer|owner|user/i.test(name)) return pick(known.wallets);
    if (/signature|transaction/i.test(name)) return pick(known.signatures);
    if (/venue/i.test(name)) return pick(known.venues);
    if (/address|market/i.test(name)) return pick([...known.markets, ...known.mints, ...known.wallets]);
    if (/amount|sol|lamports/i.test(name)) return pick(['1', '1000000', '10000000', '2500000000']);
    if (/since|from|to|before|after/i.test(name))
      return pick(['0', '1700000000', '2026-11-30T00:00:00Z', String(Math.floor(random.next() * 2e9))]);
    return null;
  }

  function drawn(name: string, given: Schema, depth = 0): unknown {
    const schema = contract.resolved(given);
    const choices = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(choices)) return drawn(name, pick(choices as Schema[]), depth);
    const { enum: options, const: constant, default: usual, type } = schema;
    if (constant !== undefined) return constant;
    if (Array.isArray(options)) return pick(options);
    if (usual !== undefined && chance(0.3)) return usual;
    const fits = fitting(name);
    if (type === 'object' || schema['properties'] !== undefined) return objectOf(schema, depth + 1);
    if (type === 'array') {
      const count = pick([0, 1, 1, 2, 5]);
      const items = (schema['items'] ?? {}) as Schema;
      return depth > DEPTH ? [] : Array.from({ length: count }, () => drawn(name, items, depth + 1));
    }
    if (type === 'boolean') return chance(0.5);
    if (type === 'integer' || type === 'number') return numberOf(schema);
    if (fits !== null && chance(0.85)) return fits;
    return pick(['1', '10', 'abc', 'PUP', '1000000', 'true', '2026-11-30', ...known.mints.slice(0, 1)]);
  }

  function numberOf({ minimum, maximum }: Schema): number {
    const [least, most] = [Number(minimum ?? 0), Number(maximum ?? 10_000)];
    return pick([least, most, least - 1, most + 1, random.between(least, most)]);
  }

  function objectOf(schema: Schema, depth: number): Record<string, unknown> {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
    const required = new Set((schema['required'] ?? []) as readonly string[]);
    const made: Record<string, unknown> = {};
    for (const [name, property] of properties)
      if (required.has(name) ? chance(0.97) : chance(0.25)) made[name] = drawn(name, property, depth);
    return made;
  }

  /** The same with one place changed, so that no reader expects it. */
  function spoiled(made: Record<string, unknown>): Record<string, unknown> {
    const names = [...Object.keys(made), 'constructor', 'unheardOf'];
    return { ...made, [pick(names)]: pick(HOSTILE) };
  }

  const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

  function pathOf(operation: Operation): string {
    const { parameters, path } = operation;
    const value = (name: string, schema: Schema): string =>
      textOf(chance(0.12) ? pick(HOSTILE) : drawn(name, schema));
    let filled = path;
    for (const { name, schema } of parameters.filter((one) => one.in === 'path'))
      filled = filled.replace(`{${name}}`, encodeURIComponent(value(name, schema)) || '%20');
    const query = new URLSearchParams();
    for (const { name, schema, required } of parameters.filter((one) => one.in === 'query')) {
      if (required ? chance(0.97) : chance(0.35)) query.append(name, value(name, schema));
      if (chance(0.02)) query.append(name, value(name, schema));
    }
    if (chance(0.03)) query.append('unheardOf', '1');
    const text = query.toString();
    return text === '' ? filled : `${filled}?${text}`;
  }

  function bodyOf({ body }: Operation): string | null {
    if (body === null) return null;
    if (chance(0.03)) return pick(['', '{', '[]', 'null', '"x"', '{"a":'.repeat(300), 'a=1']);
    const example = body.example;
    const isExample = typeof example === 'object' && example !== null && chance(0.25);
    const made = isExample ? onLoopback(example) : objectOf(contract.resolved(body.schema), 0);
    return JSON.stringify(chance(0.4) ? spoiled(made) : made);
  }

  return (operation: Operation): Call => {
    const body = bodyOf(operation);
    const headers: Record<string, string> = {};
    if (body !== null) headers['content-type'] = chance(0.97) ? 'application/json' : 'text/plain';
    // A header is of one line: others never leave the client.
    for (const { name, schema } of operation.parameters.filter((one) => one.in === 'header'))
      if (chance(0.2)) headers[name] = textOf(drawn(name, schema)).replace(/[^ -~]/g, '?');
    if (operation.answers.has(304) && chance(0.05)) headers['if-none-match'] = '*';
    const method = chance(0.02) ? pick(METHODS) : operation.method;
    const isOther = method !== operation.method;
    return { method, path: pathOf(operation), headers: isOther ? {} : headers, body: isOther ? null : body };
  };
}
