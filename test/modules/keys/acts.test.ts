import { afterEach, expect, it } from 'vitest';
import { refuseRequest } from '../../../src/modules/keys/use/review-request.ts';
import { type KeyRig, keyRig, OPERATOR } from '../../api/key-rig.ts';
import { keyRow } from '../../conformance/key-stores.ts';
import { PASSED } from '../../support/passed.ts';

let rig: KeyRig;
afterEach(() => rig.close());

/** Oldest first. */
const acts = async (): Promise<readonly unknown[]> =>
  (await rig.db.auditLog.list({}, { limit: 50, offset: 0 }))
    .map(({ actor, act, outcome, details }) => [actor, act, outcome, details])
    .toReversed();
const idOf = (key: string): string => key.split('_')[2] ?? '';

it('a key leaves its whole way in the trail: granted, claimed, replaced, revoked', async () => {
  rig = await keyRig();
  const requestId = await rig.confirmed();
  expect(await acts()).toEqual([]);
  await rig.grant(requestId, { ratePerSecond: 3 });
  // Of two answers the first counts, and the second is no act.
  await refuseRequest(rig.shared, { actor: 'operator:ann' }, requestId, 'No.');
  await rig.work();
  const claim = rig.link();
  const first = /dx_live_\w+/.exec((await rig.form(claim, {})).body)?.[0] ?? '';
  await rig.form(claim, {});
  await rig.desk.rotate(idOf(first));
  await rig.work();
  const second = /dx_live_\w+/.exec((await rig.form(rig.link(), {})).body)?.[0] ?? '';
  expect([await rig.desk.revoke('mara@example.org', idOf(second))]).toEqual([true]);
  expect(await rig.desk.revoke('mara@example.org', idOf(second))).toBe(false);
  expect(await rig.desk.revoke('eve@example.org', idOf(first))).toBe(false);
  const holder = `account:${requestId}`;
  const limits = { ratePerSecond: 3, dayQuota: 15_000, maxReferrerFeeBps: 300, scopes: ['swap'] };
  expect(await acts()).toEqual([
    [`operator:tg:${OPERATOR}`, 'key-request-granted', 'done', { requestId, ...limits }],
    [holder, 'api-key-claimed', 'done', { keyId: idOf(first), requestId }],
    [holder, 'api-key-rotated', 'done', { keyId: idOf(second), replaced: idOf(first) }],
    [holder, 'api-key-revoked', 'done', { keyId: idOf(second) }],
  ]);
  // Neither a key nor the words of the form.
  expect(JSON.stringify(await acts())).not.toMatch(/dx_live|example\.org|Rebalancer/);
});

it('whoever revokes by the link of the mail is named by the account', async () => {
  rig = await keyRig();
  await rig.key();
  const token = rig.link().split('/').at(-1) ?? '';
  expect(await rig.desk.revokeClaimed(token)).toBe(true);
  expect(await rig.desk.revokeClaimed(token)).toBe(false);
  expect((await acts()).slice(2)).toEqual([
    [expect.stringMatching(/^account:/), 'api-key-revoked', 'done', { keyId: expect.any(String) }],
  ]);
});

it('keys that leaked are revoked all at once, however many and also while the API is paused', async () => {
  rig = await keyRig();
  const email = 'mara@example.org';
  const leaked = Array.from({ length: 30 }, (_, n) => keyRow({ id: `leaked${n}`, email }));
  for (const key of leaked) await rig.db.apiKeys.insert(PASSED, key);
  await rig.db.flags.set('api-paused', true, rig.clock.now(), { reason: 'x', until: null });
  for (const { id } of leaked) expect(await rig.desk.revoke(email, id), id).toBe(true);
  expect((await rig.db.apiKeys.list()).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
});

it('a key that is mailed was issued by the service, and revoked where the mail did not go', async () => {
  rig = await keyRig({ keyMail: 'key' });
  const requestId = await rig.confirmed();
  await rig.grant(requestId);
  rig.state.outcome = { kind: 'later', reason: 'busy' };
  await rig.work();
  rig.state.outcome = { kind: 'sent' };
  rig.clock.advance(60_000);
  await rig.work();
  const [, issued, revoked, again, claimed, ...more] = await acts();
  const keys = (await rig.db.apiKeys.list()).map(({ id }) => id);
  expect(keys).toHaveLength(2);
  const act = (name: string) => [
    'service',
    name,
    'done',
    expect.objectContaining({ keyId: expect.any(String) }),
  ];
  expect([issued, revoked, again, claimed]).toEqual(
    ['api-key-issued', 'api-key-revoked', 'api-key-issued', 'api-key-claimed'].map(act),
  );
  expect(more).toEqual([]);
});
