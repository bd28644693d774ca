import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../src/generated/operations.ts';
import { createMcp, type Reply } from '../src/protocol.ts';
import { createService, ServiceError } from '../src/service.ts';
import { scriptedService } from './scripted-service.ts';

const request = (method: string, params: unknown = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const resultOf = (reply: Reply | null): Record<string, unknown> => {
  if (reply === null || !('result' in reply)) throw new Error(JSON.stringify(reply));
  return reply.result as Record<string, unknown>;
};
const textOf = (reply: Reply | null): string =>
  (resultOf(reply)['content'] as readonly { readonly text: string }[])[0]!.text;

describe('a session', () => {
  const { service, asked } = scriptedService({
    '/tokens/:mint': { symbol: 'PUP' },
    '/dex/swap': new ServiceError('NO_ROUTE: no way leads there'),
    '/markets': new RangeError('a fault of ours'),
  });
  const mcp = createMcp(service, '1.2.3');

  it('greets with the version that the client asks for, and with its newest for any other', async () => {
    const versionFor = async (protocolVersion: unknown) =>
      resultOf(await mcp.handle(request('initialize', { protocolVersion })))['protocolVersion'];
    expect(await versionFor('2025-03-26')).toBe('2025-03-26');
    expect(await versionFor('1999-01-01')).toBe('2025-11-25');
    expect(resultOf(await mcp.handle(request('initialize')))).toMatchObject({
      capabilities: { tools: {} },
      serverInfo: { name: 'tradepost', version: '1.2.3' },
    });
  });

  it('asks only operations that neither sign nor submit, nor change anything of the account', () => {
    expect(
      Object.values(OPERATIONS)
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    ).toEqual([
      'GET /dex/quote',
      'GET /markets',
      'GET /markets/:address/candles',
      'GET /tokens/:mint',
      'GET /tokens/search',
      'GET /tokens/trending',
      'GET /transactions/:signature',
      'POST /dex/swap',
      'POST /prices',
      'POST /token',
    ]);
  });

  it('lists tools whose names promise no signature', async () => {
    const { tools } = resultOf(await mcp.handle(request('tools/list'))) as { tools: { name: string }[] };
    expect(
      tools.map(({ name }) => name).filter((name) => /sign|submit|send|key|withdraw/.test(name)),
    ).toEqual([]);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it('asks an operation with the arguments as they are', async () => {
    expect(
      textOf(await mcp.handle(request('tools/call', { name: 'token', arguments: { mint: 'm' } }))),
    ).toContain('"symbol": "PUP"');
    expect(asked.at(-1)).toEqual({ path: '/tokens/:mint', input: { mint: 'm' } });
  });

  it('gives a refusal as a result that says so', async () => {
    const call = request('tools/call', {
      name: 'build_swap',
      arguments: { userWalletAddress: 'a', amount: '1', fromTokenAddress: 'b', toTokenAddress: 'c' },
    });
    expect(resultOf(await mcp.handle(call))).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'NO_ROUTE: no way leads there' }],
    });
  });

  it('names unknown and missing arguments before it asks anything', async () => {
    const before = asked.length;
    const call = request('tools/call', { name: 'token', arguments: { mnt: 'm' } });
    expect(textOf(await mcp.handle(call))).toBe('mnt: no argument of this tool\nmint: is required');
    expect(asked.length).toBe(before);
  });

  it.each([
    ['no object', 7, -32_600],
    ['a list', [request('ping')], -32_600],
    ['another version', { id: 1, method: 'ping' }, -32_600],
    ['an id that is no text or number', request('ping', {}, {}), -32_600],
    ['an unknown method', request('tools/sign'), -32_601],
    ['an unknown tool', request('tools/call', { name: 'sign' }), -32_602],
    ['a tool of every object', request('tools/call', { name: 'constructor' }), -32_602],
    ['arguments that are a list', request('tools/call', { name: 'token', arguments: [] }), -32_602],
  ])('refuses %s', async (_what, message, code) => {
    expect(await mcp.handle(message)).toMatchObject({ error: { code } });
  });

  it('survives a fault of its own', async () => {
    expect(await mcp.handle(request('tools/call', { name: 'markets' }))).toMatchObject({
      error: { code: -32_603 },
    });
  });

  it('owes nothing to a notification and to an answer', async () => {
    expect(await mcp.handle({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeNull();
    expect(await mcp.handle({ jsonrpc: '2.0', id: 1, result: {} })).toBeNull();
  });
});

it('stops a cancelled request and answers nothing to it', async () => {
  const mcp = createMcp(
    {
      ask: (_operation, _input, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new ServiceError('stopped'))),
        ),
      read: () => Promise.reject(new ServiceError('nothing')),
    },
    '1.0.0',
  );
  const answer = mcp.handle(request('tools/call', { name: 'token', arguments: { mint: 'm' } }, 'x'));
  await mcp.handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'x' } });
  expect(await answer).toBeNull();
});

it.each(['', 'api.example.org', 'file:///x', 'https://api.example.org/?a=1'])(
  'refuses the address %j of a service',
  (baseUrl) => {
    expect(() => createService({ baseUrl })).toThrow(/expected an address such as/);
  },
);
