import { toBase58 } from '@tradepost/solana';
import { afterEach, describe, expect, it } from 'vitest';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import { deadUrl, type Reply, startScriptedRpc } from './scripted-rpc.ts';

const bytes = Uint8Array.from({ length: 200 }, (_, index) => (index === 0 ? 1 : index % 251));
const signature = toBase58(bytes.subarray(1, 65));
const accepted: Reply = { result: signature };

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function serve(reply: Reply) {
  const server = await startScriptedRpc(() => reply);
  running.push(server);
  return server;
}

/** Long enough that only silence runs into it, on a busy machine too. */
const sendTimeoutMs = 2_000;

function send(...servers: readonly { readonly url: string }[]) {
  return createRpcChain({ urls: servers.map((one) => one.url), sendTimeoutMs }).send(bytes);
}

describe('Chain.send', () => {
  it('hands over exactly the bytes, once, with preflight at confirmed and no retries by the node', async () => {
    const server = await serve(accepted);
    expect(await send(server)).toEqual({ kind: 'accepted' });
    expect(server.calls).toEqual([
      {
        method: 'sendTransaction',
        params: [
          Buffer.from(bytes).toString('base64'),
          { encoding: 'base64', maxRetries: 0, preflightCommitment: 'confirmed' },
        ],
      },
    ]);
  });

  it('takes "already processed" as delivered', async () => {
    const server = await serve({
      error: {
        code: -32_002,
        message: 'Transaction simulation failed: This transaction has already been processed',
        data: { err: 'AlreadyProcessed', logs: [] },
      },
    });
    expect(await send(server)).toEqual({ kind: 'already-processed' });
  });

  it("reports a preflight refusal with the chain's error and logs", async () => {
    const err = { InstructionError: [3, { Custom: 1 }] };
    const error = {
      code: -32_002,
      message: 'Transaction simulation failed',
      data: { err, logs: ['a', 'b'] },
    };
    const server = await serve({ error });
    expect(await send(server)).toEqual({ kind: 'refused', err: JSON.stringify(err), logs: ['a', 'b'] });
  });

  it('reads a refusal that a gateway wrapped into an HTTP error', async () => {
    const body = JSON.stringify({
      id: 1,
      error: { code: -32_002, message: 'x', data: { err: 'BlockhashNotFound' } },
    });
    const server = await serve({ status: 400, body });
    expect(await send(server)).toEqual({ kind: 'refused', err: '"BlockhashNotFound"', logs: [] });
  });

  it.each<[string, Reply]>([
    ['a 500', { status: 500, body: 'oops' }],
    ['a 502 page', { status: 502, body: '<html></html>' }],
    ['a torn connection', 'hang-up'],
    ['silence', 'silence'],
    ['an answer that is no JSON', { status: 200, body: 'hello' }],
    ['a node that is behind', { error: { code: -32_005, message: 'Node is behind by 200 slots' } }],
    ['an internal error', { error: { code: -32_603, message: 'Internal error' } }],
    ['the signature of something else', { result: toBase58(new Uint8Array(64).fill(7)) }],
  ])('calls %s unknown, also beside a refusal, unless another endpoint accepts', async (_, reply) => {
    const refusing = await serve({
      error: { code: -32_002, message: 'x', data: { err: 'BlockhashNotFound' } },
    });
    const [first, second] = [await serve(reply), await serve(accepted)];
    const outcome = await send(refusing, first);
    expect(outcome.kind).toBe('unknown');
    expect(JSON.stringify(outcome)).not.toContain('SECRET');
    expect(await send(first, second)).toEqual({ kind: 'accepted' });
  });

  it('hands the bytes to every endpoint at once, and takes the first acceptance', async () => {
    const [limited, silent, good] = [
      await serve({ status: 429 }),
      await serve('silence'),
      await serve(accepted),
    ];
    expect(await send({ url: await deadUrl() }, limited, silent, good)).toEqual({ kind: 'accepted' });
    expect([limited.calls.length, silent.calls.length, good.calls.length]).toEqual([1, 1, 1]);
  });

  it('is refused only where every endpoint that got the bytes refuses', async () => {
    const refusing = await serve({
      error: { code: -32_002, message: 'x', data: { err: 'BlockhashNotFound' } },
    });
    expect(await send(refusing, { url: await deadUrl() })).toMatchObject({ kind: 'refused' });
    expect(await send(refusing, await serve(accepted))).toEqual({ kind: 'accepted' });
  });

  it('throws CHAIN_UNREACHABLE only when no endpoint got the bytes', async () => {
    const limited = await serve({ status: 429 });
    await expect(send({ url: await deadUrl() }, limited)).rejects.toMatchObject({
      code: 'CHAIN_UNREACHABLE',
    });
  });
});
