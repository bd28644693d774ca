import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCertificateRows } from '../../../src/engine/signing/store/certificate-rows.ts';
import { copyFacts } from '../../../src/modules/copying/rules/copy.ts';
import { auditCertificates } from '../../../src/modules/operations/use/audit-certificates.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { copyRow } from '../../conformance/copy-store.ts';
import { newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';
import { TEST_CERTIFIER } from '../../support/signer.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

it('names a copy whose mandate is of other facts, or that has none, and none that is over or only paused', async () => {
  const { user, wallet } = await storedPerson(db);
  const row = copyRow({ userId: user.id, walletId: wallet.id });
  const copy = { ...row, certificate: TEST_CERTIFIER.copy(copyFacts(row)) };
  await db.copies.insert(PASSED, copy);
  await db.copies.insert(PASSED, copyRow(copy, { id: newId(), leader: newAddress(), status: 'ENDED' }));
  const found = async () =>
    (await auditCertificates({ rows: createCertificateRows(db.query), certifier: TEST_CERTIFIER })).mismatches
      .filter(({ subject }) => subject.startsWith('copies '))
      .map(({ rule, subject }) => `${rule} ${subject}`);
  const set = (what: string) => db.query(`UPDATE copies SET ${what} WHERE id = $1`, [copy.id]);

  await set(`status = 'PAUSED', reason = 'person', version = version + 1`);
  expect(await found()).toEqual([]);
  const planted: readonly (readonly [string, string])[] = [
    [`leader = '${newAddress()}'`, `leader = '${copy.leader}'`],
    ['lock_epoch = lock_epoch + 1', 'lock_epoch = lock_epoch - 1'],
    [`until = until + interval '1 day'`, `until = until - interval '1 day'`],
    [`rules = jsonb_set(rules, '{young}', 'true')`, `rules = jsonb_set(rules, '{young}', 'false')`],
    ['certificate = NULL', `certificate = '${copy.certificate}'`],
  ];
  for (const [change, back] of planted) {
    await set(change);
    expect(await found(), change).toEqual([`forged-row copies ${copy.id}`]);
    await set(back);
    expect(await found(), back).toEqual([]);
  }
});
