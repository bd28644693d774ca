import { SolanaJSONRPCError } from '@solana/web3.js';
import { WSOL_MINT } from '@tradepost/solana';
import { afterEach, describe, expect, it } from 'vitest';
import { CallerGoneError } from '../../../src/platform/caller-limit.ts';
import { createEndpoint } from '../../../src/platform/chain/endpoint.ts';
import { createEndpointPool } from '../../../src/platform/chain/endpoint-pool.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import { HttpStatusError } from '../../../src/platform/http-post.ts';
import { deadUrl, type Reply, startScriptedRpc } from './scripted-rpc.ts';

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

const balance: Reply = { result: { context: { slot: 9 }, value: 42 } };

async function serve(answer: (count: number) => Reply) {
  const server = await startScriptedRpc((_, count) => answer(count));
  running.push(server);
  return server;
}

/** Long enough that only silence runs into it, on a busy machine too. */
const readTimeoutMs = 2_000;
const read = (...urls: readonly string[]) => createRpcChain({ urls, readTimeoutMs }).balance(WSOL_MINT);

describe('reads', () => {
  it.each<[string, Reply]>([
    ['a 503', { status: 503 }],
    ['a 429', { status: 429 }],
    ['a torn connection', 'hang-up'],
    ['silence', 'silence'],
    ['a page instead of JSON', { status: 200, body: '<html>' }],
    ['a node that is behind', { error: { code: -32_005, message: 'behind' } }],
    ['an answer of another shape', { result: { value: 'many' } }],
  ])('go on to the next endpoint after %s', async (_, reply) => {
    const [bad, good] = [await serve(() => reply), await serve(() => balance)];
    expect(await read(bad.url, good.url)).toBe(42n);
    expect(bad.calls).toHaveLength(1);
  });

  it('try a single endpoint again after a pause', async () => {
    const server = await serve((count) => (count === 1 ? { status: 429 } : balance));
    expect(await read(server.url)).toBe(42n);
    expect(server.calls).toHaveLength(2);
  });

  it('throw CHAIN_UNREACHABLE naming the host and never the key in its address', async () => {
    const server = await serve(() => ({ status: 500, body: 'internal' }));
    const error: unknown = await read(server.url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'CHAIN_UNREACHABLE',
      details: { endpoint: server.label, cause: 'HTTP 500' },
    });
    expect(server.calls).toHaveLength(3);
    await expect(read(await deadUrl())).rejects.toMatchObject({ details: { cause: 'ECONNREFUSED' } });
  });

  it('do not repeat a request that is itself wrong', async () => {
    const server = await serve(() => ({ error: { code: -32_602, message: 'Invalid param' } }));
    await expect(read(server.url, server.url)).rejects.toMatchObject({ code: -32_602 });
    expect(server.calls).toHaveLength(1);
  });
});

describe('createEndpointPool', () => {
  function pool(count: number) {
    let now = 0;
    let waitedMs = 0;
    const endpoints = Array.from({ length: count }, (_, index) =>
      createEndpoint(`http://node-${index}.example/`, 100),
    );
    const made = createEndpointPool(endpoints, {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
        waitedMs += ms;
      },
    });
    return {
      made,
      waited: () => waitedMs,
      labels: () => made.ranked().map((endpoint) => endpoint.label),
      advance: (ms: number) => {
        now += ms;
      },
    };
  }
  const failing = () => Promise.reject(new Error('down'));

  it('rests an endpoint that failed for a doubling pause and takes it back afterwards', async () => {
    const { made, labels, advance } = pool(2);
    const [first] = made.endpoints;
    await expect(made.readFrom(first!, failing)).rejects.toThrow();
    expect(labels()).toEqual(['node-1.example', 'node-0.example']);
    advance(250);
    expect(labels()).toEqual(['node-0.example', 'node-1.example']);
    await expect(made.readFrom(first!, failing)).rejects.toThrow();
    advance(250);
    expect(labels()).toEqual(['node-1.example', 'node-0.example']);
    advance(250);
    expect(labels()).toEqual(['node-0.example', 'node-1.example']);
  });

  it('waits before it disturbs an endpoint that asked for a rest, and only then', async () => {
    const { made, waited } = pool(1);
    const answer = async () => 'ok';
    const [only] = made.endpoints;
    made.noteFailure(only!, new Error('down'));
    expect(await made.read(answer)).toBe('ok');
    expect(waited()).toBe(0);
    made.noteFailure(only!, new HttpStatusError(429, 700));
    expect(await made.read(answer)).toBe('ok');
    expect(waited()).toBe(700);
  });

  it.each([
    ['99999', 99_999_000, 60_000],
    ['30', 30_000, 30_000],
    ['-1', null, 250],
    ['a date', null, 250],
  ])(
    'rests an endpoint that asks for %s seconds no longer than a minute, and a person waits a second',
    async (_, askedMs, restMs) => {
      const { made, labels, advance } = pool(2);
      made.noteFailure(made.endpoints[0]!, new HttpStatusError(429, askedMs));
      advance(restMs - 1);
      expect(labels()).toEqual(['node-1.example', 'node-0.example']);
      advance(1);
      expect(labels()).toEqual(['node-0.example', 'node-1.example']);
      const { made: alone, waited } = pool(1);
      alone.noteFailure(alone.endpoints[0]!, new HttpStatusError(429, askedMs));
      expect(await alone.read(async () => 'ok')).toBe('ok');
      expect(waited()).toBe(Math.min(restMs, 1_000));
    },
  );

  it('asks again for eight seconds where the only endpoint limits calls, and then says that it did not answer', async () => {
    const { made, waited } = pool(1);
    let calls = 0;
    const limited = async (): Promise<string> => {
      calls += 1;
      throw new HttpStatusError(429, 1_000);
    };
    await expect(made.read(limited)).rejects.toThrow('CHAIN_UNREACHABLE');
    expect([calls, waited()]).toEqual([9, 8_000]);
    const { made: other } = pool(1);
    expect(await other.read(async () => (calls < 13 ? limited() : 'ok'))).toBe('ok');
  });

  it('asks each endpoint once for what none of them serves, and rests none of them', async () => {
    const { made, labels, waited } = pool(2);
    const asked: string[] = [];
    const refuse = ({ label }: { label: string }): Promise<string> => {
      asked.push(label);
      return Promise.reject(new SolanaJSONRPCError({ code: -32_010, message: 'not served' }, 'refused'));
    };
    await expect(made.read(refuse)).rejects.toThrow('CHAIN_UNREACHABLE');
    expect(asked).toEqual(['node-0.example', 'node-1.example']);
    expect([labels(), waited()]).toEqual([['node-0.example', 'node-1.example'], 0]);
    const second = ({ label }: { label: string }) =>
      label === 'node-1.example' ? Promise.resolve('ok') : refuse({ label });
    expect(await made.read(second)).toBe('ok');
  });

  it('asks none again for a caller who has gone, and rests none for it', async () => {
    const { made, labels, waited } = pool(2);
    let asked = 0;
    const gone = made.read(() => {
      asked += 1;
      return Promise.reject(new CallerGoneError());
    });
    await expect(gone).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
    expect([asked, labels(), waited()]).toEqual([1, ['node-0.example', 'node-1.example'], 0]);
  });

  it('prefers the faster of two healthy endpoints', async () => {
    const { made, labels, advance } = pool(2);
    const [slow, fast] = made.endpoints;
    await made.readFrom(slow!, async () => advance(400));
    await made.readFrom(fast!, async () => advance(20));
    expect(labels()).toEqual(['node-1.example', 'node-0.example']);
  });

  it('asks exactly the endpoint that a death probe names', async () => {
    const { made } = pool(3);
    const asked: string[] = [];
    const note = async ({ label }: { label: string }) => void asked.push(label);
    for (const endpoint of made.endpoints) await made.readFrom(endpoint, note);
    expect(asked).toEqual(['node-0.example', 'node-1.example', 'node-2.example']);
  });
});
