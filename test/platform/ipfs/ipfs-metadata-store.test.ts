import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BLOCK_BYTES, contentId } from '../../../src/platform/ipfs/content-id.ts';
import { createIpfsMetadataStore } from '../../../src/platform/ipfs/ipfs-metadata-store.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Call = { readonly url: string; readonly authorization: string | undefined; readonly body: Buffer };

/** A stand-in for a node's `add`: answers as `answer` says. */
async function node(answer: (call: Call) => { readonly status?: number; readonly body: string }) {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const call = { url: request.url ?? '', authorization: request.headers.authorization, body };
      calls.push(call);
      const { status = 200, body: text } = answer(call);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { calls, apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const bytes = new TextEncoder().encode('hello world');
/** What every IPFS node answers for these bytes as one raw block. */
const HELLO = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
const hello = () => ({ body: `${JSON.stringify({ Name: 'x', Hash: HELLO, Size: '11' })}\n` });

describe('files at a pinning service', () => {
  it('are pinned as one raw block, with the token, and pointed at by their content', async () => {
    const { calls, apiUrl } = await node(hello);
    const own = fakeMetadataStore();
    const store = createIpfsMetadataStore(own, { apiUrl, token: 'T0KEN', gatewayUrl: null });
    const { uri, sha256 } = await store.put('json', bytes);
    expect(uri).toBe(`ipfs://${HELLO}`);
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(calls).toHaveLength(1);
    const [call] = calls;
    expect(call?.url).toMatch(/^\/api\/v0\/add\?pin=true&cid-version=1&raw-leaves=true/);
    expect(call?.authorization).toBe('Bearer T0KEN');
    expect(call?.body.includes('hello world')).toBe(true);
    // And kept by ourselves.
    expect(await store.find(sha256, 'json')).toEqual(bytes);
    expect(await own.find(sha256, 'json')).toEqual(bytes);
  });

  it('are pointed at through a gateway where one is named', async () => {
    const { apiUrl } = await node(hello);
    const store = createIpfsMetadataStore(fakeMetadataStore(), {
      apiUrl,
      token: null,
      gatewayUrl: 'https://gw.example',
    });
    expect((await store.put('json', bytes)).uri).toBe(`https://gw.example/ipfs/${HELLO}`);
  });

  it('are located by their content without asking the service, and kept nowhere', async () => {
    const { calls, apiUrl } = await node(hello);
    const own = fakeMetadataStore();
    const store = createIpfsMetadataStore(own, { apiUrl, token: null, gatewayUrl: 'https://gw.example' });
    const located = await store.locate('json', bytes);
    expect(located.uri).toBe(`https://gw.example/ipfs/${HELLO}`);
    expect([calls, own.count()]).toEqual([[], 0]);
    expect(await store.put('json', bytes)).toEqual(located);
    await expect(store.locate('json', new Uint8Array(BLOCK_BYTES + 1))).rejects.toThrow(RangeError);
  });

  it('stay when a document points at them by their content, and go when none does', async () => {
    const { apiUrl } = await node(hello);
    const own = fakeMetadataStore();
    const store = createIpfsMetadataStore(own, { apiUrl, token: null, gatewayUrl: null });
    const picture = await store.put('png', bytes);
    const idle = await own.put('png', new Uint8Array(randomBytes(50)));
    const document = await own.put('json', new TextEncoder().encode(JSON.stringify({ image: picture.uri })));
    await own.keep(document.sha256);
    expect(await store.deleteUnused(Date.now() + 60_000)).toBe(1);
    expect(await store.find(picture.sha256, 'png')).toEqual(bytes);
    expect(await store.find(idle.sha256, 'png')).toBeNull();
  });

  it('of several blocks have the id that the service made', async () => {
    const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
    const { apiUrl } = await node(() => ({ body: JSON.stringify({ Hash: cid }) }));
    const store = createIpfsMetadataStore(fakeMetadataStore(), { apiUrl, token: null, gatewayUrl: null });
    const large = new Uint8Array(randomBytes(BLOCK_BYTES + 1));
    expect((await store.put('png', large)).uri).toBe(`ipfs://${cid}`);
  });

  it.each([
    ['says no', () => ({ status: 403, body: 'forbidden' })],
    ['answers no JSON', () => ({ body: '<html>' })],
    ['answers something else than an id', () => ({ body: '{"Hash":"../../etc"}' })],
    ['keeps other bytes', () => ({ body: JSON.stringify({ Hash: HELLO.replace('fz', 'fa') }) })],
  ])('are refused when the service %s', async (_, answer) => {
    const { apiUrl } = await node(answer);
    const store = createIpfsMetadataStore(fakeMetadataStore(), { apiUrl, token: null, gatewayUrl: null });
    await expect(store.put('json', bytes)).rejects.toMatchObject({ code: 'PINNING_FAILED' });
  });

  it('are refused when nobody answers', async () => {
    const store = createIpfsMetadataStore(fakeMetadataStore(), {
      apiUrl: 'http://127.0.0.1:1',
      token: null,
      gatewayUrl: null,
    });
    await expect(store.put('json', bytes)).rejects.toMatchObject({ code: 'PINNING_FAILED' });
  });
});

describe('a content id', () => {
  it('is the one that every node computes', () => {
    expect(contentId(bytes)).toBe(HELLO);
    expect(contentId(new Uint8Array())).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku');
  });

  it('is not guessed for what needs several blocks', () => {
    expect(contentId(new Uint8Array(BLOCK_BYTES + 1))).toBeNull();
  });
});
