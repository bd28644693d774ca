import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAccountReader } from '../../../src/platform/chain/account-reader.ts';
import { addressOf } from '../../engine/intents/build.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function node(status: number, answer: unknown): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const account = {
  lamports: 5,
  owner: addressOf(1),
  executable: false,
  rentEpoch: 0,
  space: 2,
  data: ['AQI=', 'base64'],
};
const good = { jsonrpc: '2.0', id: 1, result: { context: { slot: 7 }, value: [account, null] } };

describe('the signer’s reader of accounts', () => {
  it('asks the next node where one fails, says an error, or answers with something else', async () => {
    const urls = await Promise.all([
      node(500, {}),
      node(200, { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } }),
      node(200, { jsonrpc: '2.0', id: 1, result: { context: { slot: 7 }, value: [account] } }),
      node(200, good),
    ]);
    const { slot, accounts } = await createAccountReader(urls).accounts([addressOf(2), addressOf(3)]);
    expect(slot).toBe(7n);
    expect(accounts).toMatchObject([{ lamports: 5n, owner: addressOf(1) }, null]);
  });

  it('says that the chain cannot be reached when none answers', async () => {
    const urls = [await node(429, {})];
    await expect(createAccountReader(urls).accounts([addressOf(2)])).rejects.toMatchObject({
      code: 'CHAIN_UNREACHABLE',
    });
    await expect(createAccountReader([]).accounts([addressOf(2)])).rejects.toMatchObject({
      code: 'CHAIN_UNREACHABLE',
    });
  });
});
