import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiKey } from '../../src/modules/keys/store/api-key-store-port.ts';
import { checkApiKey } from '../../src/modules/keys/use/check-api-key.ts';
import { issueApiKey } from '../../src/modules/keys/use/issue-api-key.ts';
import { createKeyCache } from '../../src/modules/keys/use/key-cache.ts';
import { createHmacSecrets } from '../../src/platform/api-keys/hmac-secrets.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { PASSED } from '../support/passed.ts';
import { newMarkets } from '../support/tape-rows.ts';
import { type MarketRig, openMarketRig } from './market-rig.ts';

let rig: MarketRig;
beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig.close());

/** The real server on a port, with keys, and one market. */
async function proHost() {
  const { apiKeys: keys } = fakeDatabase();
  const secrets = createHmacSecrets(new Uint8Array(32).fill(7));
  const time = { set: 0 };
  const clock = { now: () => Date.now() + time.set };
  const known = createKeyCache({ keys, clock });
  const asked = { fails: false };
  const app = rig.host({
    kind: 'pro',
    checkKey: async (text) => {
      if (asked.fails) throw new Error('the database is away');
      return checkApiKey({ keys: known, secrets, clock }, text);
    },
    limiter: fakeApiLimiter(),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const [market] = await newMarkets(rig.markets, ['PUP']);
  const issue = (grant: Partial<ApiKey> = {}) =>
    issueApiKey({ keys, secrets, clock }, PASSED, {
      account: 'acme',
      scopes: ['market'],
      ratePerSecond: 10,
      burst: 20,
      maxReferrerFeeBps: 500,
      expiresAt: null,
      ...grant,
    });
  const open = async (key: string) => {
    const call = request(`${url}/stream?markets=${market?.address}`, {
      agent: false,
      headers: { 'x-api-key': key },
    });
    call.end();
    const [answer] = await once(call, 'response');
    answer.resume();
    let isOver = false;
    const ended = new Promise<void>((resolve) => {
      answer.once('end', () => {
        isOver = true;
        resolve();
      });
    });
    // A stream that the test itself hangs up.
    answer.once('error', () => undefined);
    return { status: answer.statusCode, ended, isOver: () => isOver, close: () => call.destroy() };
  };
  return { keys, clock, time, asked, issue, open };
}

it('a revoked key ends its open stream, and no other', async () => {
  const { keys, clock, issue, open } = await proHost();
  const [mine, other] = [await issue(), await issue({ account: 'other' })];
  const [stream, others] = [await open(mine.text), await open(other.text)];
  expect([stream.status, others.status]).toEqual([200, 200]);
  await keys.revoke(PASSED, mine.key.id, clock.now());
  await stream.ended;
  expect(others.isOver()).toBe(false);
  expect((await open(mine.text)).status).toBe(403);
  others.close();
});

it('a key that expires ends its open stream', async () => {
  const { clock, time, issue, open } = await proHost();
  const { text } = await issue({ expiresAt: clock.now() + 3_600_000 });
  const stream = await open(text);
  expect(stream.status).toBe(200);
  time.set = 3_700_000;
  await stream.ended;
});

it('a database that does not answer ends none', async () => {
  const { asked, keys, clock, issue, open } = await proHost();
  const { text, key } = await issue();
  const stream = await open(text);
  asked.fails = true;
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  expect(stream.isOver()).toBe(false);
  asked.fails = false;
  await keys.revoke(PASSED, key.id, clock.now());
  await stream.ended;
});
