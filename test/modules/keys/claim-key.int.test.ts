import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantRequest, refuseRequest } from '../../../src/modules/keys/use/review-request.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { type KeyRig, keyIn, keyRig, OPERATOR } from '../../api/key-rig.ts';
import { createTestDatabase } from '../../support/database.ts';

let db: PrismaDatabase;
let rig: KeyRig;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
  rig = await keyRig({ db });
});
afterAll(async () => {
  await rig.close();
  await db.close();
});

const countOf = async (...names: readonly string[]): Promise<number> =>
  (await db.auditLog.list({}, { limit: 100, offset: 0 })).filter(({ act }) => names.includes(act)).length;

it('fifty claims of one link at once make one key', async () => {
  await rig.grant(await rig.confirmed());
  await rig.work();
  const answers = await Promise.all(Array.from({ length: 50 }, () => rig.form(rig.link(), {})));
  expect(answers.map(({ body }) => keyIn(body)).filter((key) => key !== '')).toHaveLength(1);
  expect(answers.filter(({ body }) => body.includes('This link was used'))).toHaveLength(49);
  expect(await db.query('SELECT id FROM api_keys', [])).toHaveLength(1);
  expect(await countOf('api-key-claimed')).toBe(1);
});

it('twenty rotations of one link at once make one key in its place', async () => {
  const [old] = await db.apiKeys.list();
  await rig.desk.rotate(old?.id ?? '');
  await rig.work();
  const answers = await Promise.all(Array.from({ length: 20 }, () => rig.form(rig.link(), {})));
  expect(answers.map(({ body }) => keyIn(body)).filter((key) => key !== '')).toHaveLength(1);
  const valid = (await db.apiKeys.list()).filter(({ revokedAt }) => revokedAt === null);
  expect(valid).toHaveLength(2);
  expect(await countOf('api-key-rotated')).toBe(1);
});

it('of ten decisions at once one counts, and one mail goes', async () => {
  const acts = await countOf('key-request-granted', 'key-request-refused');
  const id = await rig.confirmed({ email: 'eve@example.org' });
  const before = rig.sent.length;
  const decisions = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0 ? rig.grant(id) : refuseRequest(rig.shared, { telegramId: OPERATOR }, id, 'No.'),
    ),
  );
  expect(decisions.filter((one) => one?.kind === 'done')).toHaveLength(1);
  await rig.work();
  expect(rig.sent.length - before).toBe(1);
  expect((await countOf('key-request-granted', 'key-request-refused')) - acts).toBe(1);
  const late = await grantRequest(
    rig.shared,
    { actor: 'operator:ann' },
    'nobody',
    (await rig.db.keyRequests.find(id))?.granted as never,
  );
  expect(late).toBeNull();
});
