import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Contract, contractOf } from '../../scripts/api/contract-of.ts';
import { documentOf } from '../../scripts/api/document-of.ts';
import { routesOf } from '../../src/compose/routes.ts';
import { HEALTH_PATH } from '../../src/platform/http/serve-health.ts';

const RELEASED = new URL('../../docs/api/released/', import.meta.url);
const contract = z.record(z.string(), z.array(z.string()));
const kept = z.object({ open: contract, pro: contract });

/**
 * What a client of the older contract would miss in the newer one: an operation, a field, a type, a header or a value that is gone, a
 * field of an answer that may be missing or null now, and a field that a request must have now. Additions are none of these.
 */
function breaksOf(older: Contract, newer: Contract): readonly string[] {
  return Object.entries(older).flatMap(([operation, lines]) => {
    const now = newer[operation];
    if (now === undefined) return [`${operation} is gone`];
    const [before, after] = [new Set(lines), new Set(now)];
    const isDemand = (line: string): boolean => line.startsWith('request ') && line.endsWith(' required');
    return [
      ...lines
        .filter((line) => !after.has(line) && !isDemand(line))
        .map((line) => `${operation} lacks: ${line}`),
      ...now
        .filter((line) => isDemand(line) && !before.has(line))
        .map((line) => `${operation} asks more: ${line}`),
    ];
  });
}

const last = readdirSync(RELEASED)
  .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .at(-1);

describe('a client of the last release', () => {
  const before = kept.parse(JSON.parse(readFileSync(new URL(last ?? 'none', RELEASED), 'utf8')));

  it.each(['open', 'pro'] as const)('finds all that it relies on at the %s host', (host) => {
    expect(Object.keys(before[host]).length).toBeGreaterThan(30);
    expect(breaksOf(before[host], contractOf(host))).toEqual([]);
  });
});

describe('what a client would miss', () => {
  const OLD: Contract = {
    'GET /a': [
      'answer data.x always',
      'answer data.x: string',
      'answer data.y = "one"',
      'answer data.y = "two"',
      'request query q: string',
    ],
  };
  const with_ = (...lines: readonly string[]): Contract => ({
    'GET /a': [...(OLD['GET /a'] ?? []), ...lines],
  });
  const without = (line: string): Contract => ({
    'GET /a': (OLD['GET /a'] ?? []).filter((one) => one !== line),
  });

  it.each([
    ['an operation', {}],
    ['a field of an answer that may be missing', without('answer data.x always')],
    ['a type', without('answer data.x: string')],
    ['a value', without('answer data.y = "two"')],
    ['a field of a request', without('request query q: string')],
    ['a field that must be given', with_('request query q required')],
  ])('%s', (_, now) => {
    expect(breaksOf(OLD, now)).toHaveLength(1);
  });

  it('is no addition, and no field that need not be given any more', () => {
    expect(breaksOf(OLD, with_('answer data.z: string', 'answer data.y = "three"'))).toEqual([]);
    expect(breaksOf(with_('request query q required'), OLD)).toEqual([]);
    expect(breaksOf(OLD, { ...OLD, 'POST /b': ['request x required'] })).toEqual([]);
  });
});

it.each(['open', 'pro', 'charts'] as const)(
  'the document of the %s host says whose it is and who may ask',
  (host) => {
    const shape = z.object({
      info: z.object({ license: z.object({ identifier: z.literal('Apache-2.0') }) }),
      security: z.array(z.unknown()).optional(),
      paths: z.record(
        z.string(),
        z.record(z.string(), z.object({ security: z.array(z.unknown()).optional() })),
      ),
    });
    const { paths, security } = shape.parse(documentOf(host));
    const keyless = routesOf(host).flatMap(({ path, scope }) => (scope === 'none' ? [path] : []));
    for (const [path, operations] of Object.entries(paths))
      for (const operation of Object.values(operations))
        expect(operation.security ?? security).toHaveLength(
          // Load balancers have no key.
          host === 'pro' && path !== HEALTH_PATH && !keyless.includes(path) ? 1 : 0,
        );
    expect(keyless).toEqual(host === 'charts' ? [] : ['/status.json']);
  },
);
