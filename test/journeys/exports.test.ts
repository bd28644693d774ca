import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBackup } from '../../src/platform/backup/backup-file.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PASSPHRASE = 'zwölf Boxkämpfer jagen';

/** Production's waits, on a clock that is set ahead. */
let rig: JourneyRig;
let aheadMs = 0;
beforeAll(async () => {
  const clock = { now: () => Date.now() + aheadMs };
  rig = await startJourneyRig('exports', { delayMs: 2 * HOUR, longDelayMs: DAY, clock });
});
afterAll(() => rig.stop());

const pass = (ms: number): void => {
  aheadMs += ms;
};

async function openBackupOf(person: Person): Promise<void> {
  await person.say('/home');
  await person.waitFor(/Tradepost/);
  await person.tap(/Wallets \(/);
  await person.waitFor(/Wallets \(/);
  await person.tap('Main');
  await person.waitFor(/Main · active/);
  await person.tap('Back up');
}

async function openSecurity(person: Person): Promise<void> {
  await person.say('/setting');
  await person.waitFor(/Settings/);
  await person.tap('Security');
  await person.waitFor(/<b>|Security/);
}

/** A person with a PIN that is a day old. */
async function keeper(name: string): Promise<Person> {
  const { person } = await rig.trader(name, 1n);
  await setPin(person);
  pass(DAY);
  return person;
}

async function setPin(person: Person): Promise<void> {
  const { id: userId } = await rig.user(person);
  const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
  await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
}

async function ask(person: Person): Promise<void> {
  await openBackupOf(person);
  await person.waitFor(/Type your PIN/);
  await person.say(PIN);
  await person.waitFor(/Ready in 2[34] h/);
}

/** Files that left the chat. */
const files = async (person: Person) =>
  [...(rig.telegram.core.world.chats.get(person.user.id)?.messages.values() ?? [])].filter(
    ({ message }) => message.document !== undefined,
  ).length;

const acts = async (person: Person) =>
  (await rig.db.auditLog.list({ subject: (await rig.user(person)).id }, { limit: 50, offset: 0 }))
    .map(({ act }) => act)
    .toReversed();

describe('a key file', () => {
  it('takes a ripe PIN, a day, and then PIN and passphrase in one message; the chat says each step', async () => {
    const person = await keeper('Saver');
    const [wallet] = await rig.wallets(person);
    await ask(person);
    const asked = await person.waitFor(/A key file of Main was asked for/);
    expect(asked.text).toContain(wallet?.address);
    pass(50 * 60_000);
    await openBackupOf(person);
    // An export on its way is shown instead of a question.
    await person.waitFor(/Ready in 23 h \d+ min/);
    pass(12 * HOUR);
    await person.waitFor(/is on its way[\s\S]*It can be taken in 11 h/);
    await openSecurity(person);
    await person.waitFor(/A key file of Main was asked for: ready in 11 h/);
    pass(12 * HOUR);
    await person.waitFor(/The key file of Main is ready/);
    await person.tap('Take the file');
    await person.waitFor(/Type a passphrase/);
    await person.say(PASSPHRASE);
    await person.waitFor(/in one message/);
    await person.say(`111222 ${PASSPHRASE}`);
    await person.waitFor(/wrong|Wrong/);
    await person.say(`${PIN} ${PASSPHRASE}!`);
    await person.waitFor(/were not the same/);
    expect(await files(person)).toBe(0);
    await person.say(PASSPHRASE);
    await person.waitFor(/in one message/);
    await person.say(`${PIN} ${PASSPHRASE}`);
    const message = await person.waitFor((_text, { document }) => document !== undefined);
    const file = rig.telegram.core.world.files.get(message.document?.file_id ?? '');
    const text = Buffer.from(file?.bytes ?? []).toString('utf8');
    expect((await openBackup(text, PASSPHRASE)).address).toBe(wallet?.address);
    await person.waitFor(/The key of Main left in a file/);
    expect(rig.dialogs.dump()).not.toContain(PASSPHRASE);
    expect(rig.logged.join('\n')).not.toContain(PASSPHRASE);
  });

  it('is refused without a PIN before any question, with the way to set one, and with a PIN of today', async () => {
    const { person } = await rig.trader('Newcomer');
    await openBackupOf(person);
    await person.waitFor(/Set a PIN first/);
    await person.tap('Security');
    await person.waitFor(/PIN: not set/);
    await setPin(person);
    pass(23 * HOUR);
    await openBackupOf(person);
    await person.waitFor(
      (text) => /PIN/.test(text) && !/Type your PIN/.test(text) && /after|until|from/.test(text),
    );
    expect(await rig.db.exports.listByUser((await rig.user(person)).id, 0)).toEqual([]);
  });

  it('is stopped by one tap under its notice, also in Spanish and while frozen, and nobody asks again that day', async () => {
    const person = await keeper('Owner');
    await ask(person);
    await person.waitFor(/A key file of Main was asked for/);
    await person.tap('Stop');
    await person.waitFor(/The key did not leave/);
    pass(DAY - HOUR);
    await openBackupOf(person);
    await person.waitFor(/A key file was stopped. Another one can be asked for after/);
    pass(HOUR);
    await ask(person);
    await person.say('/panic');
    await person.waitFor(/Frozen/);
    await openSecurity(person);
    expect((await person.lastMessage())?.text).not.toContain('A key file of Main');
    await openBackupOf(person);
    await person.waitFor(/Everything is frozen/);
    pass(2 * DAY);
    expect(await files(person)).toBe(0);
    expect(await acts(person)).not.toContain('wallet-exported');
  });

  it('is stopped under Security when its notices were deleted', async () => {
    const person = await keeper('Reader');
    await ask(person);
    await openSecurity(person);
    await person.waitFor(/ready in 23 h/);
    await person.tap('Stop the key file');
    await person.waitFor(/The key did not leave/);
    await until(async () => (await acts(person)).includes('export-stopped'));
  });

  it('never reaches a thief with the account alone: within 48 hours of the first PIN nothing leaves', async () => {
    const { person, wallet } = await rig.trader('Victim', 3n);
    const { id: userId } = await rig.user(person);
    const before = await rig.chain.balance(wallet.address);
    await setPin(person);
    for (let hour = 0; hour < 47; hour += 1) {
      pass(HOUR);
      await rig.services.backups.askExport({ userId, walletId: wallet.id, pin: PIN }).catch(() => undefined);
      const open = await rig.services.backups.openExport({ userId });
      const exportId = open?.id ?? 'none';
      await rig.services.backups
        .takeExport({ userId, exportId, pin: PIN, passphrase: PASSPHRASE })
        .then(() => expect.unreachable('a key left'))
        .catch((error: unknown) =>
          expect(error).toMatchObject({ code: expect.stringMatching(/^(EXPORT_WAITS|PIN_TOO_NEW)$/) }),
        );
    }
    expect(await acts(person)).not.toContain('wallet-exported');
    expect(await rig.chain.balance(wallet.address)).toBe(before);
    await person.waitFor(/is on its way/);
  });
});
