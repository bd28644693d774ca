import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minePoints } from '../../../src/modules/points/use/mine-points.ts';
import { createReferralFlags } from '../../../src/modules/referrals/store/referral-flags.ts';
import { openReferralAccount } from '../../../src/modules/referrals/use/open-referral-account.ts';
import { startUser } from '../../../src/modules/settings/use/start-user.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import {
  intentRow,
  newAddress,
  newId,
  rewardRow,
  secretRow,
  storedPerson,
  walletRow,
} from '../../conformance/store-rows.ts';
import { runOpsHere } from '../../modules/operations/run-ops.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';

describe('the look at inviters who invite themselves', () => {
  let url: string;
  let db: PrismaDatabase;
  beforeAll(async () => {
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
  });
  afterAll(() => db.close());

  const pair = async () => {
    const inviter = await storedPerson(db);
    const invitee = await storedPerson(db, { inviterId: inviter.user.id });
    return { inviter, invitee };
  };
  const flagsOf = async ({ inviter }: Awaited<ReturnType<typeof pair>>) =>
    (await createReferralFlags(db.query).flags(1_000)).filter(
      (flag) => flag.inviter === inviter.user.telegramId,
    );
  const book = (wallet: Wallet, address: Address) =>
    db.addressBook.insert(PASSED, {
      id: newId(),
      userId: wallet.userId ?? '',
      walletId: wallet.id,
      address,
      name: 'x',
      addedAt: 0,
    });
  const sent = async (from: Wallet, to: Address, lamports: bigint) => {
    const { intent } = await db.intents.insert(
      intentRow(from, {
        params: { kind: 'withdraw-sol', destination: to, lamports, everything: false, tier: 'normal' },
      }),
    );
    await db.query(
      `UPDATE intents SET status = 'SUCCEEDED', outcome = jsonb_build_object('receipt',
         jsonb_build_object('walletLamportsDelta', jsonb_build_object('$bigint', $2::text))) WHERE id = $1`,
      [intent.id, `-${lamports}`],
    );
  };

  it('says nothing of people who only invited somebody', async () => {
    const them = await pair();
    await book(them.inviter.wallet, newId() as never);
    await book(them.invitee.wallet, newId() as never);
    expect(await flagsOf(them)).toEqual([]);
    expect((await runOpsHere(['referrals', 'flags'], { DATABASE_URL: url })).code).toBe(0);
  });

  it('shows a second persona that shares a wallet, deleted or not, with what it earned', async () => {
    const them = await pair();
    const { inviter, invitee } = them;
    await db.wallets.setDeletedAt(PASSED, inviter.wallet.id, 5);
    await book(invitee.wallet, inviter.wallet.address);
    const { intent } = await db.intents.insert(intentRow(invitee.wallet));
    await db.referrals.addReward(
      rewardRow(inviter.user, invitee.user, intent, { feeLamports: 30_000_000n, lamports: 7_000_000n }),
    );
    expect(await flagsOf(them)).toEqual([
      {
        rule: 'shared-wallet',
        inviter: inviter.user.telegramId,
        invitee: invitee.user.telegramId,
        lamports: 7_000_000n,
        evidence: `the invitee has ${inviter.wallet.address} of the other`,
      },
    ]);
    const { code, out } = await runOpsHere(['referrals', 'flags'], { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(out).toContain(
      `shared-wallet  inviter ${inviter.user.telegramId}, invitee ${invitee.user.telegramId}, earned 0.007 SOL: the invitee has ${inviter.wallet.address}`,
    );
  });

  it('shows an address that both withdraw to, and money that goes round', async () => {
    const them = await pair();
    const { inviter, invitee } = them;
    const outside = newAddress();
    await book(inviter.wallet, outside);
    await sent(invitee.wallet, outside, 5n);
    expect((await flagsOf(them)).map(({ rule, evidence }) => [rule, evidence])).toEqual([
      ['shared-address', `both have ${outside}`],
    ]);
    await sent(inviter.wallet, invitee.wallet.address, 900n);
    await sent(inviter.wallet, invitee.wallet.address, 100n);
    await sent(invitee.wallet, inviter.wallet.address, 400n);
    const loop = (await flagsOf(them)).find(({ rule }) => rule === 'funding-loop');
    expect(loop?.evidence).toBe('2 times 1000 lamports to the invitee, 1 times 400 back');
  });

  it('shows two that tap like machines', async () => {
    const them = await pair();
    const clock = fakeClock();
    clock.set(Date.UTC(2026, 10, 21));
    const ids = fakeIds(3);
    for (const { user } of [them.inviter, them.invitee]) {
      for (let tap = 0; tap < 45; tap += 1) {
        clock.set(clock.now() + 400);
        await minePoints({ db, clock, ids }, { telegramId: user.telegramId, userId: user.id });
      }
    }
    expect((await flagsOf(them)).map(({ rule, evidence }) => [rule, evidence])).toEqual([
      ['machines', 'taps every 400 ms and every 400 ms'],
    ]);
  });

  it('keeps inviter, caps and row of somebody who deletes every wallet and starts again', async () => {
    const clock = fakeClock();
    clock.set(Date.UTC(2026, 10, 21));
    const ids = fakeIds(9);
    const [first, second] = [await storedPerson(db), await storedPerson(db)];
    const codeOf = async (userId: string) =>
      (await openReferralAccount({ referrals: db.referrals, ids, clock }, userId)).account.code;
    const arrive = async (inviteCode: string) =>
      startUser(
        { db, clock, ids, vault: testSigner({ db, clock }) },
        { telegramId: 987_654n, firstName: 'Re', language: null, inviteCode },
      );
    const { user, created } = await arrive(await codeOf(first.user.id));
    expect([created, user.inviterId]).toEqual([true, first.user.id]);
    const who = { telegramId: user.telegramId, userId: user.id };
    const tap = async () => {
      clock.set(clock.now() + 500);
      return (await minePoints({ db, clock, ids }, who)).result.kind;
    };
    for (let n = 0; n < 10; n += 1) expect(await tap()).toBe('mined');
    expect(await tap()).toBe('no-energy');
    const wallet = walletRow({ userId: user.id });
    await db.wallets.insert(PASSED, wallet, secretRow(wallet));
    await db.wallets.setDeletedAt(PASSED, wallet.id, clock.now());
    const again = await arrive(await codeOf(second.user.id));
    expect(again).toMatchObject({ created: false, attachedCode: null });
    expect(again.user).toMatchObject({ id: user.id, inviterId: first.user.id });
    expect(await tap()).toBe('no-energy');
    // Not even SQL binds anew.
    await expect(
      db.query('UPDATE users SET inviter_id = $1 WHERE id = $2', [second.user.id, user.id]),
    ).rejects.toThrow(/inviter/);
  });
});
