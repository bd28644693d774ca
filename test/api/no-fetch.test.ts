import { request } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi } from './build-api.ts';

/** Where a server that follows links could be led: loopback and private ranges in every spelling, metadata services, ports. */
const HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  'localhost',
  'localhost.localdomain',
  'LOCALHOST',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[fe80::1]',
  '[fc00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '[fd00:ec2::254]',
  'metadata.google.internal',
  '127.0.0.1.nip.example',
  'rebind.example',
  '①②⑦.⓪.⓪.①',
  'user:password@127.0.0.1',
  'expected.example@127.0.0.1',
];
const SCHEMES = ['https', 'http'];
const URIS = [
  ...HOSTS.flatMap((host) => SCHEMES.map((scheme) => `${scheme}://${host}:PORT/a.json`)),
  'ipfs://127.0.0.1:PORT/a',
  'ar://127.0.0.1:PORT',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_GET',
  'data:application/json,{}',
  '//127.0.0.1:PORT/a',
];

/** Nobody listens there. */
const PORT = 40_961;

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('no-fetch');
  api = buildApi(rig);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

/** Every address that this process tries to reach, whatever client it uses: all of them open a socket in the end. */
const reached: string[] = [];
const connect = Reflect.get(Socket.prototype, 'connect') as (this: Socket, ...all: unknown[]) => Socket;
beforeEach(() => {
  reached.length = 0;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [first] = args.flat() as readonly ({ host?: string; port?: number } | number | string)[];
    reached.push(typeof first === 'object' ? `${first.host ?? 'localhost'}:${first.port}` : String(first));
    return connect.apply(this, args);
  });
});
afterEach(() => vi.restoreAllMocks());

describe('links that callers bring', () => {
  const port = (): string => new URL(rig.local.rpcUrl).port;
  /** The chain's own node is the one place that an answer may need. */
  const foreign = (): readonly string[] => reached.filter((one) => !one.endsWith(`:${port()}`));

  it('would be noticed if anybody followed one', async () => {
    for (const host of ['127.0.0.1', 'rebind.invalid']) {
      await fetch(`https://${host}:${PORT}/a.json`).catch(() => undefined);
      await new Promise((resolve) => request({ host, port: PORT }).once('error', resolve).end());
    }
    expect(foreign()).toEqual(
      ['127.0.0.1', '127.0.0.1', 'rebind.invalid', 'rebind.invalid'].map((host) => `${host}:${PORT}`),
    );
  });

  it('are never followed when a token is made, as metadata or as its picture', async () => {
    expect(URIS.length).toBeGreaterThanOrEqual(60);
    const answers = { 200: 0, 400: 0 };
    for (const uri of URIS) {
      const link = uri.replace('PORT', String(PORT));
      for (const body of [
        { metadataUri: link },
        { metadata: { description: 'x', imageUri: link } },
        { metadata: { website: link, twitter: link, telegram: link } },
      ]) {
        const answer = await api.open.inject({
          method: 'POST',
          url: '/token',
          // An address each: the documents of one are counted.
          remoteAddress: `203.0.${answers[200] % 250}.${answers[400] % 250}`,
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify({ payer: rig.wallet, symbol: 'PUP', ...body }),
        });
        expect([200, 400], answer.body).toContain(answer.statusCode);
        answers[answer.statusCode as 200 | 400] += 1;
      }
    }
    expect(foreign()).toEqual([]);
    // Both ways were walked: refused by their form, and taken as mere text.
    expect(Math.min(answers[200], answers[400])).toBeGreaterThan(10);
  });

  it('of schemes that a wallet could not follow are refused', async () => {
    for (const link of ['http://x.example/a.json', 'file:///etc/passwd', 'data:,x', 'javascript:alert(1)']) {
      const answer = await api.open.inject({
        method: 'POST',
        url: '/token',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ payer: rig.wallet, symbol: 'PUP', metadataUri: link }),
      });
      expect(answer.statusCode, link).toBe(400);
    }
  });
});
