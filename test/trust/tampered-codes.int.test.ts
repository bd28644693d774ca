import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { groupCode } from '../../src/modules/groups/use/group-settings.ts';
import { openReferralAccount } from '../../src/modules/referrals/use/open-referral-account.ts';
import { startUser } from '../../src/modules/settings/use/start-user.ts';
import { createCertificateCheck } from '../../src/platform/certificate-check.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { newGroupId } from '../conformance/group-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER, testSigner } from '../support/signer.ts';

/**
 * A writer of the database changes whose a code or a group's link is. It gets newcomers from then on, and no person who came before: the
 * inviter of each is in their certificate. What follows is the share of fees of these newcomers, counted as any share
 * (`test/engine/signing/shares.test.ts`).
 */
const clock = fakeClock();
const ids = fakeIds(11);
let db: PrismaDatabase;
let vault: Vault;
let telegramIds = 9_000n;
let owner: string;
let thief: string;
let code: string;

beforeAll(async () => {
  const certificates = createCertificateCheck(() => undefined);
  certificates.begin(TEST_CERTIFIER.publicKey);
  db = await createPrismaDatabase({ url: await createTestDatabase(), certificates });
  vault = testSigner({ db, clock });
  certificates.beginGuards(vault);
});
afterAll(() => db.close());

beforeEach(async () => {
  [owner, thief] = [(await comes()).id, (await comes()).id];
  const deps = { referrals: db.referrals, ids, clock };
  code = (await openReferralAccount(deps, owner)).account.code;
  await openReferralAccount(deps, thief);
});

async function comes(inviteCode: string | null = null) {
  telegramIds += 1n;
  const arrival = { telegramId: telegramIds, firstName: 'A', language: 'en', inviteCode };
  return (await startUser({ db, clock, ids, vault }, arrival)).user;
}

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await db.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await query(statement, []);
  });
}

/** The code is the thief's from here on. */
const take = (): Promise<void> =>
  tamper(
    `UPDATE referral_accounts SET code = 'x' || user_id WHERE user_id = '${owner}'`,
    `UPDATE referral_accounts SET code = '${code}' WHERE user_id = '${thief}'`,
  );

describe('whose a code is, changed by a writer of the database', () => {
  it('binds newcomers to another person from then on, and moves no person who came before', async () => {
    const before = await comes(code);
    await take();
    const after = await comes(code);
    expect([before.inviterId, after.inviterId]).toEqual([owner, thief]);
    expect((await db.users.find(before.id))?.inviterId).toBe(owner);
    for (const inviter of [`'${thief}'`, 'NULL']) {
      await tamper(`UPDATE users SET inviter_id = ${inviter} WHERE id = '${before.id}'`);
      await expect(db.users.find(before.id)).rejects.toMatchObject({ code: 'ROW_FORGED' });
    }
  });

  it('moves no person with a link that is opened later', async () => {
    const known = await comes();
    await take();
    const arrival = { telegramId: known.telegramId, firstName: 'A', language: 'en', inviteCode: code };
    await startUser({ db, clock, ids, vault }, arrival);
    expect((await db.users.find(known.id))?.inviterId).toBeNull();
  });

  it('of a retired one leads nowhere, whoever its row names; freed, it is a code that anybody may choose', async () => {
    await db.referrals.rename(PASSED, owner, 'newer', clock.now());
    await tamper(`UPDATE retired_referral_codes SET user_id = '${thief}' WHERE code = '${code}'`);
    expect((await comes(code)).inviterId).toBeNull();
    await tamper(`DELETE FROM retired_referral_codes WHERE code = '${code}'`);
    expect((await comes(code)).inviterId).toBeNull();
    expect(await db.referrals.rename(PASSED, thief, code, clock.now())).toBe(true);
    expect((await comes(code)).inviterId).toBe(thief);
    await tamper(`UPDATE referral_accounts SET code = 'x' || user_id`);
  });

  it('of a group carries the code of the person whom its row names, or none', async () => {
    const group = {
      id: newGroupId(),
      ownerId: owner,
      ownerName: 'A',
      carriesCode: true,
      language: 'en',
      changedAt: clock.now(),
    };
    await db.groups.save(group);
    const codeHere = async () => groupCode({ db }, await db.groups.find(group.id));
    expect(await codeHere()).toBe(code);
    await tamper(`UPDATE groups SET owner_id = '${thief}' WHERE id = ${group.id}`);
    const moved = await codeHere();
    expect(moved).toBe((await db.referrals.account(thief))?.code);
    expect((await comes(moved)).inviterId).toBe(thief);
  });
});
