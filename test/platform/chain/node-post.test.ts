import { afterEach, describe, expect, it } from 'vitest';
import { CallerGoneError, whileWaited } from '../../../src/platform/caller-limit.ts';
import { turnsOf } from '../../../src/platform/chain/call-turns.ts';
import { createNodePost } from '../../../src/platform/chain/node-post.ts';
import { type Reply, startScriptedRpc } from './scripted-rpc.ts';

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

/** A node that answers so, one call after another, and a poster to it. */
async function node(...replies: readonly Reply[]) {
  const server = await startScriptedRpc((_, count) => replies[count - 1] ?? { result: 1 });
  running.push(server);
  const post = createNodePost(server.url, 2_000);
  const ask = async (calls: number): Promise<readonly string[]> => {
    const heard: string[] = [];
    for (let n = 0; n < calls; n += 1) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot', params: [] });
      heard.push(
        await post(body, 'getSlot').then(
          () => 'answered',
          (error: Error) => error.message,
        ),
      );
    }
    return heard;
  };
  return { ask, calls: server.calls, limit: () => turnsOf(server.url).limit('getSlot') };
}

describe('a call to a node', () => {
  it('teaches no limit by refusals between which it is answered', async () => {
    const twice: readonly Reply[] = [{ status: 429 }, { status: 429 }, { result: 1 }];
    const one = await node(...twice, ...twice);
    const heard = ['HTTP 429', 'HTTP 429', 'answered'];
    expect(await one.ask(6)).toEqual([...heard, ...heard]);
    expect(one.limit()).toBeNull();
  });

  it('teaches one by three refusals in a row, and by no other bad status', async () => {
    const one = await node({ status: 503 }, { status: 503 }, { status: 503 }, { status: 500 });
    await one.ask(4);
    expect(one.limit()).toBeNull();
    const limited = await node({ status: 429 }, { status: 429 }, { status: 429 });
    await limited.ask(3);
    expect(limited.limit()).not.toBeNull();
  });

  it('is not made for a caller who has gone', async () => {
    const one = await node();
    const heard = await whileWaited(AbortSignal.abort(), () => one.ask(1));
    expect([heard, one.calls]).toEqual([[new CallerGoneError().message], []]);
  });
});
