import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { whileWaited } from '../../../src/platform/caller-limit.ts';
import { turnsOf } from '../../../src/platform/chain/call-turns.ts';
import { createWitness } from '../../../src/platform/chain/witness.ts';
import { networkFile, readNetwork } from '../../../src/platform/journal/network-file.ts';
import { type Lie, startLyingNode } from '../../support/lying-node.ts';

type Truth = {
  height: number;
  slot: number;
  finalized: number;
  genesis: string;
  /** Taken blockhashes by the state that is asked for. */
  hashes: { processed: readonly string[]; finalized: readonly string[] };
};
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A node of this process; `asked` names the methods in their order. */
async function startNode(given: Partial<Truth> = {}) {
  const truth: Truth = {
    height: 1_000,
    slot: 1_100,
    finalized: 960,
    genesis: 'genesis-a',
    hashes: { processed: [], finalized: [] },
    ...given,
  };
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, params } = JSON.parse(Buffer.concat(parts).toString());
      asked.push(method);
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer(truth, method, params) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { truth, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function answer(truth: Truth, method: string, params: readonly { commitment?: string }[]): unknown {
  if (method === 'isBlockhashValid') {
    const [hash, config] = params as unknown as [string, { commitment: 'processed' | 'finalized' }];
    const slot = config.commitment === 'finalized' ? truth.finalized + 100 : truth.slot;
    return { context: { slot }, value: truth.hashes[config.commitment].includes(hash) };
  }
  const isFinal = params[0]?.commitment === 'finalized';
  if (method === 'getGenesisHash') return truth.genesis;
  if (method === 'getFirstAvailableBlock') return 5;
  if (method === 'getSignatureStatuses') return { context: { slot: truth.slot }, value: [null] };
  const blockHeight = isFinal ? truth.finalized : truth.height;
  return { blockHeight, absoluteSlot: isFinal ? truth.finalized + 100 : truth.slot };
}

async function startLiar(url: string, lie: Lie) {
  const node = await startLyingNode(url);
  node.tell(lie);
  stops.push(node.stop);
  return node;
}

describe('the signer’s own look at the chain', () => {
  it('takes the highest height and the lowest slot of all nodes, so that a lagging one shortens nothing', async () => {
    const ahead = await startNode();
    const behind = await startNode({ height: 700, slot: 760 });
    const witness = createWitness([behind.url, ahead.url]);
    expect(await witness.newest()).toMatchObject({ height: 1_000n, slot: 760n });
  });

  it('goes on with the nodes that answer, and says so when none does', async () => {
    const [one, other] = [await startNode(), await startNode()];
    const silent = await startLiar(one.url, (_call, result) => result);
    silent.down(true);
    expect(await createWitness([silent.url, other.url]).newest()).toMatchObject({ height: 1_000n });
    await expect(createWitness([silent.url]).newest()).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
    await expect(createWitness([silent.url]).probe('a', 0)).rejects.toMatchObject({
      code: 'CHAIN_UNREACHABLE',
      details: { endpoint: new URL(silent.url).host },
    });
  });

  it.each<[string, Lie]>([
    ['no number', ({ method }, result) => (method === 'getEpochInfo' ? { blockHeight: 'x' } : result)],
    [
      'a negative height',
      ({ method }, result) => (method === 'getEpochInfo' ? { blockHeight: -1, absoluteSlot: 1 } : result),
    ],
    ['nothing', ({ method }, result) => (method === 'getEpochInfo' ? null : result)],
    ['another network', ({ method }, result) => (method === 'getGenesisHash' ? 'genesis-b' : result)],
  ])('does not hear a node that tells %s', async (_, lie) => {
    const honest = await startNode();
    const witness = createWitness([honest.url]);
    await witness.newest();
    const other = await startNode({ height: 9_000 });
    const liar = await startLiar(other.url, lie);
    const both = createWitness([honest.url, liar.url]);
    // The first that answered names the network.
    await both.probe('a', 0);
    expect(await both.newest()).toMatchObject({ height: 1_000n });
    await expect(both.probe('a', 1)).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
  });

  it('hears no node of another network after a restart, though it is the only one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'network-'));
    const [mine, foreign] = [await startNode(), await startNode({ genesis: 'genesis-b' })];
    const network = networkFile(join(folder, 'journal'));
    await createWitness([mine.url], { network }).newest();
    expect(await readNetwork(join(folder, 'journal'))).toBe('genesis-a');

    const restarted = createWitness([foreign.url], { network });
    await expect(restarted.newest()).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
    await expect(restarted.probe('a', 0)).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
    const both = createWitness([foreign.url, mine.url], { network });
    await expect(both.probe('a', 0)).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
    expect(await both.probe('a', 1)).toMatchObject({ endpoint: new URL(mine.url).host });
    expect(await network.claim('genesis-b')).toBe('genesis-a');
    await rm(folder, { recursive: true });
  });

  it('asks for the finalized height before the status, and each node in its turn', async () => {
    const [one, other] = [await startNode(), await startNode({ finalized: 500 })];
    const witness = createWitness([one.url, other.url]);
    expect(await witness.probe('a', 0)).toMatchObject({
      endpoint: new URL(one.url).host,
      endpoints: 2,
      finalizedHeight: 960n,
      status: null,
      statusSlot: 1_100n,
      firstAvailableBlock: 5n,
    });
    expect(one.asked.filter((method) => method !== 'getGenesisHash')).toEqual([
      'getEpochInfo',
      'getSignatureStatuses',
      'getFirstAvailableBlock',
    ]);
    expect(await witness.probe('a', 1)).toMatchObject({ finalizedHeight: 500n });
    expect(await witness.probe('a', 2)).toMatchObject({ endpoint: new URL(one.url).host });
  });

  it('asks for the blockhash before the status, in the finalized state', async () => {
    const node = await startNode({ hashes: { processed: ['gone', 'kept'], finalized: ['kept'] } });
    const witness = createWitness([node.url]);
    expect(await witness.probe('a', 0, 'gone')).toMatchObject({ goneAt: 1_060n });
    expect(node.asked.filter((method) => method !== 'getGenesisHash').slice(0, 3)).toEqual([
      'isBlockhashValid',
      'getEpochInfo',
      'getSignatureStatuses',
    ]);
    expect(await witness.probe('a', 0, 'kept')).toMatchObject({ goneAt: null });
    node.asked.splice(0);
    expect(await witness.probe('a', 0)).toMatchObject({ goneAt: null });
    expect(node.asked).not.toContain('isBlockhashValid');
  });

  it('names the nodes that take a blockhash, each with its slot, and leaves out who is silent', async () => {
    const hashes = { processed: ['kept'], finalized: [] };
    const [one, behind, other] = [
      await startNode({ hashes }),
      await startNode({ slot: 900 }),
      await startNode({ hashes }),
    ];
    const silent = await startLiar(other.url, (_call, result) => result);
    silent.down(true);
    const witness = createWitness([silent.url, behind.url, one.url]);
    expect(await witness.takers('kept')).toEqual([{ endpoint: new URL(one.url).host, slot: 1_100n }]);
    expect(await createWitness([silent.url]).takers('kept')).toEqual([]);
  });

  it('says nothing of a blockhash where the node does not serve the question', async () => {
    const node = await startNode();
    const liar = await startLiar(node.url, ({ method }, result) =>
      method === 'isBlockhashValid' ? null : result,
    );
    const witness = createWitness([liar.url]);
    expect(await witness.probe('a', 0, 'gone')).toMatchObject({ goneAt: null, finalizedHeight: 960n });
    expect(await witness.takers('gone')).toEqual([]);
  });

  it('counts two paths of one host as one witness', async () => {
    const node = await startNode();
    const witness = createWitness([`${node.url}/a`, `${node.url}/b`]);
    expect(await witness.probe('a', 1)).toMatchObject({ endpoints: 1 });
  });

  it('gives a height of the last 20 s at once, and waits for a new one after that', async () => {
    let now = 0;
    const node = await startNode();
    const witness = createWitness([node.url], { now: () => now });
    await witness.newest();
    node.truth.height = 2_000;
    now = 3_999;
    expect(await witness.newest()).toMatchObject({ height: 1_000n });
    now = 20_001;
    expect(await witness.newest()).toMatchObject({ height: 2_000n });
  });
});

describe('a look at the chain that several signatures wait for', () => {
  it('goes on when the caller who began it has gone', async () => {
    const node = await startNode();
    // A node that refused all: the next call waits for its turn.
    for (let n = 0; n < 3; n += 1) (await turnsOf(node.url).take('person', 'getGenesisHash')).refused();
    const witness = createWitness([node.url]);
    const caller = new AbortController();
    const first = whileWaited(caller.signal, () => witness.newest());
    const second = witness.newest();
    caller.abort();
    expect([await first, await second]).toMatchObject([{ height: 1_000n }, { height: 1_000n }]);
  });
});
