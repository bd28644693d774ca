import { describe, expect, it } from 'vitest';
import { readContract } from '../../scripts/contract/document.ts';
import { faultOf } from '../../scripts/contract/judge.ts';
import { createRequests } from '../../scripts/contract/requests.ts';
import { routesOf } from '../../src/compose/routes.ts';
import { buildOpenApi } from '../../src/platform/http/openapi/build-openapi.ts';
import { seededRandom } from '../support/simulator/random.ts';

const contract = readContract(JSON.parse(JSON.stringify(buildOpenApi(routesOf('pro'), 'pro'))));
const operation = (id: string) => {
  const found = contract.operations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};
const json = { 'content-type': 'application/json; charset=utf-8' };
const refusal = (code: string, more: object = {}) =>
  JSON.stringify({ error: { code, message: 'x', details: [], retryable: false, requestId: 'x', ...more } });

describe('an answer is a fault', () => {
  it.each([
    ['of a status', { status: 299, headers: json, text: '{"data":[]}' }, 'status 299'],
    [
      'of the service itself',
      { status: 500, headers: json, text: refusal('INTERNAL') },
      'a fault of the service',
    ],
    ['of a header', { status: 200, headers: { ...json, 'x-unheard-of': '1' }, text: null }, 'x-unheard-of'],
    [
      'of a type',
      { status: 200, headers: { 'content-type': 'text/html' }, text: '<p>' },
      'the type text/html',
    ],
    ['of a code', { status: 400, headers: json, text: refusal('UNHEARD_OF') }, 'the body'],
    ['of a field', { status: 400, headers: json, text: refusal('VALIDATION_FAILED', { x: 1 }) }, 'the body'],
    ['of a body', { status: 200, headers: json, text: '{"data":7}' }, 'the body'],
  ])('%s that the document does not name', (_what, answer, why) => {
    expect(faultOf(operation('listVenues'), answer)).toContain(why);
  });

  it('never where the document names all of it, or where a stream was not read', () => {
    const text = '{"data":[{"name":"desk","programId":null}]}';
    expect(faultOf(operation('listVenues'), { status: 200, headers: json, text })).toBeNull();
    const stream = { status: 200, headers: { 'content-type': 'text/event-stream' }, text: null };
    expect(faultOf(operation('streamTrades'), stream)).toBeNull();
  });
});

describe('calls of an operation', () => {
  const known = { mints: ['m'], markets: ['k'], wallets: ['w'], signatures: ['s'], venues: ['desk'] };
  const calls = (seed: number) => {
    const make = createRequests(contract, known, seededRandom(seed));
    return contract.operations.flatMap((one) => Array.from({ length: 40 }, () => make(one)));
  };

  it('are the same for the same seed, and others for another', () => {
    expect(calls(1)).toEqual(calls(1));
    expect(calls(1)).not.toEqual(calls(2));
  });

  it('lead to no other machine, and hold each body field of a swap in some call', () => {
    const make = createRequests(contract, known, seededRandom(3));
    const swap = operation('createSwapTransaction');
    const bodies = Array.from({ length: 400 }, () => make(swap).body ?? '');
    const fields = Object.keys(contract.resolved(swap.body?.schema ?? {})['properties'] ?? {});
    expect(fields.length).toBeGreaterThan(10);
    for (const field of fields)
      expect(bodies.filter((body) => body.includes(`"${field}"`)).length, field).toBeGreaterThan(5);
    for (const { body } of calls(4)) expect(body ?? '').not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
  });
});
