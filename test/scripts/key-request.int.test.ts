import { expect, it } from 'vitest';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { keyRig } from '../api/key-rig.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { createTestDatabase } from '../support/database.ts';

it('lists, shows, grants with other limits and refuses, each once; the worker finds the mails', async () => {
  const url = await createTestDatabase();
  const db = await createPrismaDatabase({ url });
  const rig = await keyRig({ db });
  const lines: string[] = [];
  const ops = async (...args: string[]) => {
    const { code, out } = await runOpsHere(['key-request', ...args], { DATABASE_URL: url });
    lines.push(...out.trimEnd().split('\n'));
    return code;
  };

  expect(await ops('list')).toBe(0);
  expect(lines).toEqual(['No request waits.']);
  const id = await rig.confirmed();
  const other = await rig.confirmed({ email: 'eve@example.org' });
  lines.length = 0;
  expect(await ops('list')).toBe(0);
  expect(lines).toHaveLength(2);
  expect(await ops('show', id)).toBe(0);
  expect(lines.join('\n')).toMatch(
    /state {6}confirmed\nproposed {3}2 requests per second, 4 at once, 15,000 a day; for swap/,
  );

  const limits = [
    '--rate',
    '200',
    '--per-day',
    '5000000',
    '--referrer-bps',
    '0',
    '--scopes',
    'swap,token',
    '--days',
    '90',
  ];
  expect(await ops('grant', id, ...limits)).toBe(0);
  expect(await ops('grant', id)).toBe(1);
  expect(lines.at(-1)).toBe('Nothing done: this request is granted (by ops).');
  expect((await db.keyRequests.find(id))?.granted).toEqual({
    ratePerSecond: 200,
    burst: 400,
    dayQuota: 5_000_000,
    maxReferrerFeeBps: 0,
    scopes: ['swap', 'token'],
    days: 90,
  });
  expect(await ops('refuse', other, '--reason', 'Too vague.')).toBe(0);
  const before = rig.sent.length;
  rig.clock.set(Date.now() + 1_000);
  await rig.work();
  expect(
    rig.sent
      .slice(before)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(['eve@example.org', 'mara@example.org']);

  expect(await ops('show', 'nobody')).toBe(1);
  for (const wrong of [
    [],
    ['shout', id],
    ['grant'],
    ['grant', id, '--rate', 'many'],
    ['grant', id, '--rate'],
    ['grant', id, '--scopes', 'all'],
    ['refuse', id],
    ['refuse', id, '--reason', ' '],
  ]) {
    expect(await ops(...wrong), wrong.join(' ')).toBe(2);
  }
  // Who decided, by their login, and nothing of what the askers wrote.
  const acts = await db.auditLog.list({}, { limit: 9, offset: 0 });
  expect(acts.map(({ act, actor, details }) => [act, actor.split(':')[0], details])).toEqual([
    ['key-request-refused', 'operator', { requestId: other }],
    [
      'key-request-granted',
      'operator',
      {
        requestId: id,
        ratePerSecond: 200,
        dayQuota: 5_000_000,
        maxReferrerFeeBps: 0,
        scopes: ['swap', 'token'],
      },
    ],
  ]);
  await rig.close();
  await db.close();
});
