import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createApiKeyStore } from '../../src/modules/keys/store/api-key-store.ts';
import { checkApiKey } from '../../src/modules/keys/use/check-api-key.ts';
import { createHmacSecrets } from '../../src/platform/api-keys/hmac-secrets.ts';
import { secretFromText } from '../../src/platform/api-keys/secret-file.ts';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { createTestDatabase } from '../support/database.ts';

const SECRET = 'ab'.repeat(32);

it('issues a key that lets in, shows it once, and shuts it out within one look-up of its revocation', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'api-key-'));
  const url = await createTestDatabase();
  const lines: string[] = [];
  const ops = async (...args: string[]) => {
    const { code, out } = await runOpsHere(['api-key', ...args], {
      DATABASE_URL: url,
      LOCAL_DIR: dir,
      API_KEY_SECRET: SECRET,
    });
    lines.push(out.trimEnd());
    return code;
  };

  expect(await ops('issue', 'acme', '--rate', '50', '--burst', '90', '--referrer-bps', '1000')).toBe(0);
  const text = /dx_live_\w+/.exec(lines.join('\n'))?.[0] ?? '';
  const db = await createPrismaDatabase({ url });
  const keys = db.open(createApiKeyStore);
  const secrets = createHmacSecrets(secretFromText(SECRET, 'API_KEY_SECRET'));
  const check = (given: string, now = Date.now()) =>
    checkApiKey({ keys, secrets, clock: { now: () => now } }, given);
  const checked = await check(text);
  expect(checked).toMatchObject({
    kind: 'valid',
    key: { account: 'acme', scopes: ['swap'], ratePerSecond: 50, burst: 90, maxReferrerFeeBps: 1_000 },
  });
  expect(await check(`${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`)).toEqual({ kind: 'unknown' });
  expect(
    await db.query("SELECT * FROM api_keys WHERE position($1 in encode(hash, 'escape')) > 0", [text]),
  ).toEqual([]);

  lines.length = 0;
  expect(await ops('list')).toBe(0);
  expect(lines.join('\n')).not.toContain(text);
  const id = text.split('_')[2] ?? '';
  expect(lines).toEqual([expect.stringContaining(`${id}  acme  swap  50/s burst 90`)]);

  expect(await ops('revoke', id)).toBe(0);
  expect(await check(text)).toEqual({ kind: 'revoked' });
  expect(await ops('revoke', id)).toBe(1);
  expect(await ops('issue', 'short', '--days', '1')).toBe(0);
  const short = /dx_live_\w+/.exec(lines.at(-1) ?? '')?.[0] ?? '';
  expect((await check(short)).kind).toBe('valid');
  expect((await check(short, Date.now() + 86_400_001)).kind).toBe('expired');

  // In its place another of the same account, and an hour for both.
  const shortId = short.split('_')[2] ?? '';
  expect(await ops('rotate', shortId, '--overlap', '1h')).toBe(0);
  const next = /dx_live_\w+/.exec(lines.at(-1) ?? '')?.[0] ?? '';
  expect(await check(next)).toMatchObject({ kind: 'valid', key: { account: 'short' } });
  expect((await check(short)).kind).toBe('valid');
  expect((await check(short, Date.now() + 3_600_001)).kind).toBe('expired');
  expect(await ops('rotate', shortId)).toBe(1);
  const acts = await db.auditLog.list({ act: 'api-key-rotated' }, { limit: 9, offset: 0 });
  expect(acts.map(({ outcome, details }) => [outcome, details])).toEqual([
    ['unchanged', { keyId: null, replaced: shortId }],
    ['done', { keyId: next.split('_')[2], replaced: shortId }],
  ]);
  for (const wrong of [
    ['rotate'],
    ['rotate', shortId, '--overlap', 'long'],
    ['issue'],
    ['issue', 'x', '--rate', 'many'],
    ['issue', 'x', '--rate', '0'],
    ['issue', 'x', '--rate'],
    ['issue', 'x', '--speed', '1'],
    ['revoke'],
    ['issue', 'x', '--scopes', 'all'],
    ['shout'],
  ]) {
    expect(await ops(...wrong)).toBe(2);
  }
  await db.close();
  await rm(dir, { recursive: true });
});
