import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type VaultTransitOptions, vaultTransitKek } from '../../../src/platform/vault/kek-vault-transit.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
});

/** A server that answers as told, and the key that is spoken to there. */
async function speak(
  answer: (response: ServerResponse, request: IncomingMessage) => unknown,
  options: Partial<VaultTransitOptions> = {},
) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kek = vaultTransitKek({ address, token: { text: 't' }, mount: 'transit', key: 'one', ...options });
  return { address, requests, wrap: () => kek.wrap(new Uint8Array([1]), new Uint8Array([2])), kek };
}
const json = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify(body));
const unavailable = (cause: string) => ({ code: 'KEK_UNAVAILABLE', details: { cause } });

describe('the transit engine', () => {
  it('is posted JSON under the token, marked as a request for Vault itself', async () => {
    const { requests, wrap } = await speak(json(200, { data: { ciphertext: 'vault:v1:x' } }));
    expect(Buffer.from(await wrap()).toString()).toBe('vault:v1:x');
    expect(requests[0]?.method).toBe('POST');
    expect(requests[0]?.headers).toMatchObject({
      'x-vault-token': 't',
      'x-vault-request': 'true',
      'content-type': 'application/json',
    });
  });

  it('finds a key whose name needs escaping', async () => {
    const { requests, wrap, kek } = await speak(json(200, { data: { ciphertext: 'x' } }), {
      mount: 'team/transit',
      key: 'a b/c',
    });
    await wrap();
    expect(requests[0]?.url).toBe('/v1/team/transit/encrypt/a%20b%2Fc');
    expect(kek.id).toBe('vault-transit:team/transit/a b/c');
  });

  it('sends the bytes of a view, not of the memory behind it', async () => {
    let body = '';
    const { kek } = await speak((response, request) => {
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => json(200, { data: { ciphertext: 'x' } })(response));
    });
    const memory = new Uint8Array([9, 9, 1, 2, 9, 9]);
    await kek.wrap(memory.subarray(2, 4), memory.subarray(0, 1));
    expect(JSON.parse(body)).toEqual({ plaintext: 'AQI=', associated_data: 'CQ==' });
  });

  it.each([403, 404, 500, 503])('is unavailable when it answers %i', async (status) => {
    const { address, wrap } = await speak(json(status, { errors: [] }));
    await expect(wrap()).rejects.toMatchObject(
      unavailable(`Vault at ${address} answered ${status} to transit/encrypt/one`),
    );
  });

  it('refuses a box that is not its own, which is no outage', async () => {
    const { kek } = await speak(json(400, { errors: ['invalid ciphertext'] }));
    await expect(kek.unwrap(new Uint8Array([1]), new Uint8Array())).rejects.toThrow(
      new Error('Vault refuses to decrypt: not a box of transit/one'),
    );
  });

  it.each([
    ['nothing', 'null'],
    ['no data', '{}'],
    ['data of nothing', '{"data":null}'],
    ['a number', '{"data":{"ciphertext":5,"plaintext":5}}'],
    ['no JSON', '<html>'],
  ])('is unavailable when its answer holds %s', async (_, text) => {
    const { kek, wrap } = await speak((response) => response.writeHead(200).end(text));
    await expect(wrap()).rejects.toMatchObject(unavailable("Vault's answer holds no ciphertext"));
    await expect(kek.unwrap(new Uint8Array([1]), new Uint8Array())).rejects.toMatchObject(
      unavailable("Vault's answer holds no plaintext"),
    );
  });

  it('never follows a redirect: token and data key would travel on', async () => {
    const stranger = await speak(json(200, { data: { ciphertext: 'x' } }));
    const { address, wrap } = await speak((response) =>
      response.writeHead(307, { location: `${stranger.address}/v1/transit/encrypt/one` }).end(),
    );
    await expect(wrap()).rejects.toMatchObject(unavailable(`Vault at ${address} does not answer`));
    expect(stranger.requests).toEqual([]);
  });

  it('waits five seconds for an answer, or as long as it was told', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockClear();
    const answer = json(200, { data: { ciphertext: 'x' } });
    await (await speak(answer)).wrap();
    await (await speak(answer, { timeoutMs: 60_000 })).wrap();
    expect(timeout.mock.calls).toEqual([[5_000], [60_000]]);
    const { address, wrap } = await speak(() => undefined, { timeoutMs: 20 });
    await expect(wrap()).rejects.toMatchObject({
      ...unavailable(`Vault at ${address} does not answer`),
      cause: expect.objectContaining({ name: 'TimeoutError' }),
    });
  });

  it('is not asked without its token', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'transit-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'none');
    const { requests, wrap } = await speak(json(200, {}), { token: { path } });
    await expect(wrap()).rejects.toMatchObject({
      ...unavailable(`VAULT_TOKEN_FILE ${path} cannot be read`),
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
    expect(requests).toEqual([]);
  });

  it.each([
    'http://localhost:8200',
    'http://127.0.0.1:8200',
    'http://[::1]:8200',
    'https://vault.example.org',
  ])('may stand at %s', (address) => {
    expect(vaultTransitKek({ address, token: { text: 't' }, mount: 'm', key: 'k' }).id).toBe(
      'vault-transit:m/k',
    );
  });

  it.each(['http://vault.example.org:8200', 'http://localhost.example.org', 'http://10.0.0.1:8200'])(
    'may not stand at %s, where data keys would travel in clear',
    (address) => {
      expect(() => vaultTransitKek({ address, token: { text: 't' }, mount: 'm', key: 'k' })).toThrow(
        expect.objectContaining(
          unavailable(`VAULT_ADDR ${new URL(address).origin} is not https: data keys would travel in clear`),
        ),
      );
    },
  );
});
