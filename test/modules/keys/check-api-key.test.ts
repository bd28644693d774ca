import { expect, it } from 'vitest';
import type { ApiKey } from '../../../src/modules/keys/store/api-key-store-port.ts';
import { checkApiKey } from '../../../src/modules/keys/use/check-api-key.ts';

const CREATED = 1_800_000_000_000;
const DAY = 86_400_000;
const TEXT = `dx_live_${'a'.repeat(12)}_${'b'.repeat(43)}`;

const check = async (now: number, expiresAt: number | null, latest = now) => {
  const key = {
    hash: new Uint8Array(1),
    createdAt: CREATED,
    expiresAt,
    revokedAt: null,
  } as unknown as ApiKey;
  const secrets = { hash: () => key.hash, equal: () => true } as never;
  const clock = { now: () => now, latest: () => latest };
  return (await checkApiKey({ keys: { find: async () => key }, secrets, clock }, TEXT)).kind;
};

it.each([
  ['on its first day', CREATED, 'valid'],
  ['on its last', CREATED + DAY - 1, 'valid'],
  ['at its end', CREATED + DAY, 'expired'],
  ['by a clock set back before it was made', CREATED - DAY, 'expired'],
])('a key for a day, used %s', async (_, now, kind) => {
  expect(await check(now, CREATED + DAY)).toBe(kind);
});

it('a key without an end does not ask the clock', async () => {
  expect(await check(CREATED - DAY, null)).toBe('valid');
});

it('a key ends by the latest clock, although this one was set back', async () => {
  expect(await check(CREATED + DAY / 2, CREATED + DAY, CREATED + DAY)).toBe('expired');
  expect(await check(CREATED - DAY, CREATED + DAY, CREATED + 1)).toBe('valid');
});
