import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, describe, expect, it } from 'vitest';
import { isFrozen } from '../../../src/modules/guard/rules/freeze.ts';
import { STOP_LINK_MS } from '../../../src/modules/guard/rules/notice-mail.ts';
import { changeCap } from '../../../src/modules/guard/use/change-cap.ts';
import { endFreezeByOperator } from '../../../src/modules/guard/use/end-freeze.ts';
import { freezeAccount, unfreezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { letReceive } from '../../../src/modules/guard/use/let-receive.ts';
import { givePermit } from '../../../src/modules/guard/use/permit.ts';
import { beginSecondFactor } from '../../../src/modules/guard/use/second-factor.ts';
import { importWallet } from '../../../src/modules/wallets/use/wallet-backups.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { TEST_PIN } from '../../support/fakes/pins.ts';
import { type MailRig, mailRig } from './mail-rig.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OWN = 'mara@example.org';
const SOL = 1_000_000_000n;

let rig: MailRig;
beforeEach(async () => {
  rig = await standing(1);
});

/** A person whose notice mail is in force. */
async function standing(serial: number): Promise<MailRig> {
  const made = await mailRig(fakeDatabase(), serial);
  await made.set(OWN);
  made.clock.advance(DAY);
  await made.work();
  made.letters.length = 0;
  return made;
}

const frozen = async (): Promise<boolean> => isFrozen(await rig.guard(), rig.clock);
const pin = TEST_PIN;

async function askExport() {
  const { id: walletId } = await rig.keyed();
  return rig.vault.askExport({ userId: rig.userId, walletId, pin });
}
const exportEnd = async (id: string) => (await rig.db.exports.find(id))?.end ?? null;

async function bring(): Promise<void> {
  const { userId } = rig;
  const permit = await givePermit(rig.deps, { userId, pin, act: 'wallet-import' });
  const material = bs58.encode(Keypair.generate().secretKey);
  await importWallet({ ...rig.deps, maxWallets: 5 }, { userId, material, passphrase: null, permit });
}

async function withdraw() {
  const params = {
    kind: 'withdraw-sol',
    destination: addressOf(7),
    lamports: SOL,
    everything: false,
    tier: 'normal',
  } as const;
  const { userId, wallet } = rig;
  return confirmWithdrawal(rig.deps, { userId, walletId: wallet.id, idemKey: 'w', pin, params });
}

describe('a notice with Stop', () => {
  it('is mailed once, without a secret, in the language of its person', async () => {
    await rig.db.users.update(rig.userId, { settings: { ...rig.user.settings, language: 'es' } });
    const { exportId } = await askExport();
    await rig.work();
    await rig.work();
    expect(rig.letters).toMatchObject([{ to: OWN, subject: 'Tradepost: puedes detener esto' }]);
    const text = rig.letters[0]?.text ?? '';
    expect(text).toMatch(/Se pidió un archivo con la clave de la cartera Savings/);
    expect(text).not.toContain(TEST_PIN);
    expect(text).not.toContain(exportId);
    expect(text).not.toContain('<');
    const token = rig.token();
    const rows = JSON.stringify([await rig.db.mails.list(9), await rig.db.notices.undelivered(9e15, 9)]);
    expect(rows).not.toContain(token);
    expect((await rig.look(token)).kind).toBe('open');
  });

  it('is mailed at each step of a key file, and of none that has ended', async () => {
    await askExport();
    await rig.work();
    rig.clock.advance(12 * HOUR);
    await rig.work();
    rig.clock.advance(12 * HOUR);
    await rig.work();
    expect(rig.letters.map(({ text }) => /is ready|was asked for/.exec(text)?.[0])).toEqual([
      'was asked for',
      'was asked for',
      'is ready',
    ]);
    rig.clock.advance(DAY);
    await askExport();
    await rig.vault.stopExport({ userId: rig.userId });
    await rig.work();
    expect(rig.letters).toHaveLength(3);
  });

  it('goes to nobody who has no such mail, and to the old address while the new one waits', async () => {
    const { db } = rig;
    rig = await mailRig(db, 2);
    await askExport();
    await rig.work();
    expect(rig.letters).toEqual([]);
    await rig.set('new@example.org');
    await rig.work();
    expect(rig.letters.map(({ subject }) => subject)).toEqual(['Your code for notices of Tradepost']);
  });

  it('that waited for a mail server until it was over is not sent', async () => {
    const { exportId } = await askExport();
    rig.server.outcome = { kind: 'later', reason: 'busy' };
    await rig.work();
    expect(rig.letters).toHaveLength(1);
    const first = rig.token();
    rig.server.outcome = { kind: 'sent' };
    rig.clock.advance(60_000);
    await rig.send();
    // A try that the server may have taken after all: both links stop it, and one press is all.
    expect(rig.letters).toHaveLength(2);
    expect((await rig.stop(first)).kind).toBe('stopped');
    expect((await rig.stop(rig.token())).kind).toBe('over');
    expect(await exportEnd(exportId)).toMatchObject({ kind: 'STOPPED', by: 'person' });
    rig.server.isSet = false;
    rig.clock.advance(DAY);
    await askExport();
    await rig.work();
    await rig.vault.stopExport({ userId: rig.userId });
    rig.server.isSet = true;
    await rig.send();
    expect(rig.letters).toHaveLength(2);
  });
});

describe('the link of the mail', () => {
  it('ends with the other links of its notice, and with a wait that ended before the mail could go', async () => {
    const { userId } = rig;
    await beginSecondFactor(rig.deps, { userId, pin });
    rig.server.outcome = { kind: 'later', reason: 'busy' };
    await rig.work();
    rig.server.outcome = { kind: 'sent' };
    rig.clock.advance(60_000);
    await rig.send();
    expect((await rig.stop(rig.token(0))).kind).toBe('stopped');
    await endFreezeByOperator(rig.deps, { userId, actor: 'operator:ada', reason: 'called' });
    expect((await rig.stop(rig.token(1))).kind).toBe('over');
    expect(await frozen()).toBe(false);
    await rig.work();
    rig.letters.length = 0;
    rig.server.isSet = false;
    await changeCap(rig.deps, { userId, pin, lamports: 9n * SOL });
    await rig.work();
    rig.clock.advance(DAY);
    rig.server.isSet = true;
    await rig.send();
    expect(rig.letters).toEqual([]);
  });

  it('changes nothing however often it is opened', async () => {
    const { exportId } = await askExport();
    await rig.work();
    const before = await rig.trail();
    for (let n = 0; n < 100; n += 1) expect((await rig.look(rig.token())).kind).toBe('open');
    expect(await exportEnd(exportId)).toBeNull();
    expect(await rig.trail()).toEqual(before);
    expect(await frozen()).toBe(false);
  });

  it('stops a key file, freezes nothing, and bars asking for a day, as the button in the chat does', async () => {
    const { exportId } = await askExport();
    await rig.work();
    expect(await rig.stop(rig.token())).toMatchObject({ kind: 'stopped', facts: { way: 'export' } });
    expect(await exportEnd(exportId)).toMatchObject({ kind: 'STOPPED', by: 'person' });
    expect(await frozen()).toBe(false);
    const until = rig.clock.now() + DAY;
    await expect(askExport()).rejects.toMatchObject({
      code: 'EXPORT_WAITS',
      details: { why: 'stopped', until },
    });
    expect((await rig.stop(rig.token())).kind).toBe('used');
    expect((await rig.trail()).filter((act) => act === 'export-stopped')).toHaveLength(1);
    rig.clock.set(until);
    await askExport();
    expect((await rig.stop(rig.token())).kind).toBe('used');
    expect((await rig.look(rig.token())).kind).toBe('used');
  });

  it('of a higher cap freezes and takes it back; after the wait there is nothing left to stop', async () => {
    const { userId } = rig;
    await changeCap(rig.deps, { userId, pin, lamports: 9n * SOL });
    await rig.work();
    expect(await rig.stop(rig.token())).toMatchObject({ kind: 'stopped', facts: { way: 'changes' } });
    expect(await rig.guard()).toMatchObject({ nextCapAt: null, nextCapLamports: null });
    expect(await frozen()).toBe(true);
    rig = await standing(2);
    await changeCap(rig.deps, { userId: rig.userId, pin, lamports: 9n * SOL });
    await rig.work();
    rig.clock.advance(DAY);
    expect((await rig.look(rig.token())).kind).toBe('over');
    expect((await rig.stop(rig.token())).kind).toBe('over');
    expect(await frozen()).toBe(false);
  });

  it('of a new authenticator works for a week, and not a millisecond longer', async () => {
    await beginSecondFactor(rig.deps, { userId: rig.userId, pin });
    await rig.work();
    const sentAt = rig.clock.now();
    rig.clock.set(sentAt + STOP_LINK_MS - 1);
    expect((await rig.look(rig.token())).kind).toBe('open');
    rig.clock.set(sentAt + STOP_LINK_MS);
    expect((await rig.stop(rig.token())).kind).toBe('over');
    expect(await frozen()).toBe(false);
  });

  it('of the end of a freeze, asked for or by the operator, freezes again', async () => {
    const { userId } = rig;
    await freezeAccount(rig.deps, { userId });
    await unfreezeAccount(rig.deps, { userId, pin });
    await rig.work();
    expect((await rig.stop(rig.token())).kind).toBe('stopped');
    expect(await rig.guard()).toMatchObject({ unfreezeAt: null });
    expect(await frozen()).toBe(true);
    await endFreezeByOperator(rig.deps, { userId, actor: 'operator:ada', reason: 'called' });
    await rig.work();
    expect(rig.letters.at(-1)?.text).toContain('The operator ended the freeze.');
    expect((await rig.stop(rig.token())).kind).toBe('stopped');
    expect(await frozen()).toBe(true);
  });

  it('of a payout wallet freezes, and payouts go where they went', async () => {
    const { userId, wallet } = rig;
    await letReceive(rig.deps, { userId, walletId: wallet.id, act: 'payout-wallet', pin });
    await rig.work();
    expect(rig.letters.at(-1)?.text).toMatch(/Payouts were directed to the wallet/);
    expect((await rig.stop(rig.token())).kind).toBe('stopped');
    expect(await rig.db.wallets.find(wallet.id)).toMatchObject({ payoutFrom: null });
    expect(await frozen()).toBe(true);
  });

  it('of an import freezes, and is over while everything is frozen', async () => {
    await bring();
    await rig.work();
    expect(rig.letters.at(-1)?.text).toMatch(/was imported/);
    expect(await rig.stop(rig.token())).toMatchObject({ kind: 'stopped', facts: { way: 'freeze' } });
    expect(await frozen()).toBe(true);
    rig = await standing(4);
    await bring();
    await rig.work();
    await freezeAccount(rig.deps, { userId: rig.userId });
    expect((await rig.look(rig.token())).kind).toBe('over');
  });

  it('of a withdrawal to a new address calls it off, and is over once it left', async () => {
    const { intent } = await withdraw();
    await rig.work();
    expect(rig.letters.at(-1)?.text).toMatch(/A withdrawal to the new address/);
    expect(await rig.stop(rig.token())).toMatchObject({ kind: 'stopped', facts: { way: 'withdrawal' } });
    expect(await rig.db.intents.find(intent.id)).toMatchObject({ status: 'CANCELLED' });
    expect(await frozen()).toBe(false);
    rig = await standing(3);
    const { intent: sent } = await withdraw();
    await rig.work();
    await rig.db.intents.update(sent.id, { statuses: ['CREATED'] }, { status: 'ACTIVE', updatedAt: 1 });
    expect((await rig.stop(rig.token())).kind).toBe('over');
  });

  it('does nothing with another token, one of another purpose, or after the notice was forgotten', async () => {
    const { exportId } = await askExport();
    await rig.work();
    await rig.ask('new@example.org');
    await rig.work();
    for (const token of ['', 'x'.repeat(43), rig.code(), `${rig.token(0)}A`])
      expect(await rig.stop(token)).toEqual({ kind: 'gone' });
    expect(await exportEnd(exportId)).toBeNull();
  });

  it('of one person stops nothing of another', async () => {
    const other = await mailRig(rig.db, 7);
    const { id: walletId } = await other.keyed();
    const theirs = await other.vault.askExport({ userId: other.userId, walletId, pin });
    const { exportId } = await askExport();
    await rig.work();
    expect((await other.stop(rig.token())).kind).toBe('stopped');
    expect(await exportEnd(exportId)).not.toBeNull();
    expect(await exportEnd(theirs.exportId)).toBeNull();
    expect(isFrozen(await other.guard(), other.clock)).toBe(false);
  });

  it('works again where its effect failed', async () => {
    const { exportId } = await askExport();
    await rig.work();
    const real = rig.acts.export;
    rig.acts.export = async () => Promise.reject(new Error('the signer is away'));
    await expect(rig.stop(rig.token())).rejects.toThrow('the signer is away');
    rig.acts.export = real;
    expect((await rig.stop(rig.token())).kind).toBe('stopped');
    expect(await exportEnd(exportId)).not.toBeNull();
  });

  it('works while everything is frozen, as the button does', async () => {
    const { userId } = rig;
    const params = { userId, pin, lamports: 9n * SOL };
    await changeCap(rig.deps, params);
    await rig.work();
    await freezeAccount(rig.deps, { userId });
    expect((await rig.stop(rig.token())).kind).toBe('stopped');
    expect(await rig.guard()).toMatchObject({ nextCapAt: null });
  });
});
