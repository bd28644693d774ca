import { describe, expect, it } from 'vitest';
import { routesOf } from '../../../src/compose/routes.ts';
import { ApiError } from '../../../src/platform/http/errors/api-error.ts';
import { CATALOGUE, isApiCode } from '../../../src/platform/http/errors/catalogue.ts';
import { codesOf } from '../../../src/platform/http/openapi/codes-of.ts';

const HOSTS = ['open', 'pro', 'charts'] as const;

describe('the catalogue of refusals', () => {
  it('knows every code of a field', () => {
    const codes = HOSTS.flatMap((host) => routesOf(host).flatMap((route) => Object.values(route.codes)));
    expect(codes.filter((code) => !isApiCode(code))).toEqual([]);
  });

  it('tells an operation which codes each of its statuses may carry', () => {
    const swap = routesOf('pro').find(({ path }) => path === '/dex/swap');
    if (swap === undefined) throw new Error('the keyed host swaps');
    const codes = codesOf(swap, 'pro');
    expect(codes['401']).toEqual(['KEY_INVALID', 'KEY_MISSING']);
    expect(codes['400']).toContain('NO_ROUTE');
    expect(codes['503']).toEqual(['PAUSED', 'SEARCHING']);
    expect(codesOf(swap, 'open')).not.toHaveProperty('401');
  });

  it('has every code under a status that is one, and each sorted once', () => {
    expect(Object.keys(CATALOGUE)).toEqual(Object.keys(CATALOGUE).toSorted());
    for (const { status } of Object.values(CATALOGUE)) expect(status).toBeGreaterThanOrEqual(400);
    expect(new ApiError({ status: 404, code: 'NOT_FOUND', message: '' }).code).toBe('NOT_FOUND');
  });
});
