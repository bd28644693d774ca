import { expect, it } from 'vitest';
import { checkApiKey } from '../../src/modules/keys/use/check-api-key.ts';
import { issueApiKey } from '../../src/modules/keys/use/issue-api-key.ts';
import { createKeyCache } from '../../src/modules/keys/use/key-cache.ts';
import { createHmacSecrets } from '../../src/platform/api-keys/hmac-secrets.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { PASSED } from '../support/passed.ts';
import type { ErrorAnswer } from './build-api.ts';
import { buildSite } from './build-site.ts';

/** Two processes of the keyed host over one database. */
async function hosts(dayQuota: number | null) {
  const { apiKeys: keys } = fakeDatabase();
  const clock = fakeClock(Date.UTC(2026, 0, 31, 23, 59, 0));
  const secrets = createHmacSecrets(new Uint8Array(32).fill(7));
  const limiter = fakeApiLimiter();
  const counted: string[] = [];
  const usage = {
    count: ({ route, status }: { route: string; status: number }) => void counted.push(`${route} ${status}`),
    list: async () => [],
    flush: async () => undefined,
  };
  const host = () => {
    const known = createKeyCache({ keys, clock });
    const checkKey = (text: string) => checkApiKey({ keys: known, secrets, clock }, text);
    return buildSite({ kind: 'pro', checkKey, limiter }, { clock, usage }).app;
  };
  const { text, key } = await issueApiKey({ keys, secrets, clock }, PASSED, {
    account: 'a',
    scopes: ['swap'],
    ratePerSecond: 100,
    burst: 200,
    maxReferrerFeeBps: 0,
    expiresAt: null,
    dayQuota,
  });
  const both = [host(), host()];
  const ask = (n: number) => both[n % 2]?.inject({ url: '/usage', headers: { 'x-api-key': text } });
  return { keys, clock, counted, id: key.id, ask, close: () => Promise.all(both.map((app) => app.close())) };
}

it('counts a day over all processes, says what is left, and refuses what is over until midnight UTC', async () => {
  const { ask, clock, counted, close } = await hosts(3);
  const left = [];
  for (let n = 0; n < 3; n += 1) left.push((await ask(n))?.headers['x-quota-remaining']);
  expect(left).toEqual(['2', '1', '0']);
  const over = await ask(3);
  expect([over?.statusCode, over?.json<ErrorAnswer>().error.code]).toEqual([429, 'QUOTA_USED_UP']);
  expect([over?.headers['retry-after'], over?.headers['x-quota-remaining']]).toEqual(['60', '0']);
  clock.advance(60_000);
  expect((await ask(4))?.headers['x-quota-remaining']).toBe('2');
  // What was refused is in the account's usage too, by its status.
  expect(counted).toEqual([
    'GET /usage 200',
    'GET /usage 200',
    'GET /usage 200',
    'GET /usage 429',
    'GET /usage 200',
  ]);
  await close();
});

it('says nothing of a quota to a key without one', async () => {
  const { ask, close } = await hosts(null);
  expect((await ask(0))?.headers).not.toHaveProperty('x-quota-remaining');
  await close();
});

it('shuts a revoked key out everywhere within a second', async () => {
  const { ask, keys, id, clock, close } = await hosts(null);
  expect([(await ask(0))?.statusCode, (await ask(1))?.statusCode]).toEqual([200, 200]);
  await keys.revoke(PASSED, id, clock.now());
  clock.advance(999);
  await ask(0);
  clock.advance(1);
  expect([(await ask(0))?.statusCode, (await ask(1))?.statusCode]).toEqual([403, 403]);
  await close();
});
