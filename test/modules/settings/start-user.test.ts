import { describe, expect, it } from 'vitest';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { openReferralAccount } from '../../../src/modules/referrals/use/open-referral-account.ts';
import { referralOverview } from '../../../src/modules/referrals/use/referral-overview.ts';
import { changeSettings } from '../../../src/modules/settings/use/change-settings.ts';
import { type Arrival, startUser } from '../../../src/modules/settings/use/start-user.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { testSigner } from '../../support/signer.ts';

const arrival = (telegramId: bigint, change: Partial<Arrival> = {}): Arrival => ({
  telegramId,
  firstName: 'Person',
  language: 'en',
  inviteCode: null,
  ...change,
});

async function setUp() {
  const db = fakeDatabase();
  const clock = fakeClock();
  const deps = { db, clock, ids: fakeIds(3), vault: testSigner({ db, clock }) };
  const alice = (await startUser(deps, arrival(1n))).user;
  const { account } = await openReferralAccount({ ...deps, referrals: db.referrals }, alice.id);
  return { db, deps, alice, code: account.code };
}

describe('the first contact', () => {
  it('creates the person once, also for two updates at the same moment', async () => {
    const { deps } = await setUp();
    const both = await Promise.all([startUser(deps, arrival(2n)), startUser(deps, arrival(2n))]);
    expect(both.filter(({ created }) => created)).toHaveLength(1);
    expect(both[0]?.user.id).toBe(both[1]?.user.id);
  });

  it('binds the inviter and leaves a notice for them in the same commit', async () => {
    const { db, deps, alice, code } = await setUp();
    const bob = await startUser(deps, arrival(2n, { inviteCode: code }));
    expect(bob).toMatchObject({ created: true, attachedCode: code });
    expect(bob.user.inviterId).toBe(alice.id);
    const [noticeId] = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 10);
    expect(await db.notices.find(noticeId ?? '')).toMatchObject({ kind: 'invitee-joined', userId: alice.id });
    const jobs = await db.transact((stores) => stores.outbox.claim(10));
    expect(jobs).toMatchObject([{ job: 'notice.send', data: { noticeId } }]);
  });

  it('tells the inviter once of two updates at the same moment, whoever of them binds', async () => {
    const { db, deps, alice, code } = await setUp();
    const both = await Promise.all(
      [0, 1].map(() => startUser(deps, arrival(2n, { inviteCode: code, campaignTag: 'spring' }))),
    );
    expect(both.map(({ attachedCode }) => attachedCode).filter((attached) => attached !== null)).toEqual([
      code,
    ]);
    expect(both.every(({ user }) => user.inviterId === alice.id)).toBe(true);
    expect(await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 10)).toHaveLength(1);
  });

  it('binds nobody for an unknown code', async () => {
    const { deps } = await setUp();
    const bob = await startUser(deps, arrival(2n, { inviteCode: 'NOBODY99' }));
    expect(bob).toMatchObject({ created: true, attachedCode: null });
    expect(bob.user.inviterId).toBeNull();
  });
});

describe('later contacts', () => {
  it('never rebind, and never bind oneself', async () => {
    const { db, deps, alice, code } = await setUp();
    const bob = await startUser(deps, arrival(2n));
    const { account } = await openReferralAccount({ ...deps, referrals: db.referrals }, bob.user.id);
    expect((await startUser(deps, arrival(2n, { inviteCode: code }))).user.inviterId).toBeNull();
    // Nor with the news that Telegram brings along, which are written.
    await startUser(deps, arrival(2n, { inviteCode: code, firstName: 'Renamed' }));
    expect((await db.users.findByTelegramId(2n))?.inviterId).toBeNull();
    expect((await startUser(deps, arrival(1n, { inviteCode: code }))).user.inviterId).toBeNull();
    expect((await startUser(deps, arrival(1n, { inviteCode: account.code }))).user.inviterId).toBeNull();
    expect((await db.users.find(alice.id))?.inviterId).toBeNull();
  });

  it('follow Telegram’s name and language and end a block', async () => {
    const { db, deps, alice } = await setUp();
    await db.users.update(alice.id, { blockedAt: 5 });
    const { user } = await startUser(deps, arrival(1n, { firstName: 'Alicia', language: 'es' }));
    expect(user).toMatchObject({ firstName: 'Alicia', telegramLanguage: 'es', blockedAt: null });
    expect(await db.users.find(alice.id)).toEqual(user);
  });
});

describe('settings', () => {
  it('keep both of two changes made at once', async () => {
    const { db, deps, alice } = await setUp();
    const gate = { ...deps, guardRules: LOCAL_RULES, vault: { verifyPin: async () => undefined } };
    await Promise.all([
      changeSettings(gate, { userId: alice.id, change: { tier: 'turbo' } }),
      changeSettings(gate, { userId: alice.id, change: { confirmTrades: false } }),
    ]);
    expect((await db.users.find(alice.id))?.settings).toMatchObject({ tier: 'turbo', confirmTrades: false });
  });
});

describe('the referral account', () => {
  it('is opened once and counts who came', async () => {
    const { db, deps, alice, code } = await setUp();
    await startUser(deps, arrival(2n, { inviteCode: code }));
    const overview = await referralOverview({ ...deps, referrals: db.referrals }, alice.id);
    expect(overview).toMatchObject({
      created: false,
      account: { code },
      totals: { invited: 1, active: 0, earnedLamports: 0n, pendingLamports: 0n },
    });
    expect(code).toMatch(/^[A-Z2-9]{8}$/);
  });

  it('takes another code when one is taken', async () => {
    const { db, deps, alice, code } = await setUp();
    const bob = await startUser(deps, arrival(2n));
    let calls = 0;
    const ids = {
      ...deps.ids,
      code: (length: number) => {
        calls += 1;
        return calls === 1 ? code : deps.ids.code(length);
      },
    };
    const { account } = await openReferralAccount({ ...deps, ids, referrals: db.referrals }, bob.user.id);
    expect(account.code).not.toBe(code);
    expect(account.userId).not.toBe(alice.id);
  });
});
