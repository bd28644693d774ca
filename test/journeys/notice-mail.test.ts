import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stopPageWords } from '../../src/modules/guard/chat/mail-letters.ts';
import { buildSite, OPEN } from '../api/build-site.ts';
import type { Letter } from '../modules/guard/mail-rig.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SITE = 'https://desk.example';

/** Production's waits, on a clock that is set ahead, and a mail server that a test plays. */
let rig: JourneyRig;
let aheadMs = 0;
const server = { isSet: true };
const letters: Letter[] = [];
beforeAll(async () => {
  const clock = { now: () => Date.now() + aheadMs };
  const mailer = {
    send: async (letter: Letter) => {
      letters.push(letter);
      return { kind: 'sent' } as const;
    },
  };
  const keys = { mailer, siteUrl: () => (server.isSet ? SITE : null) };
  rig = await startJourneyRig('notice-mail', { delayMs: 2 * HOUR, longDelayMs: DAY, clock, keys });
});
afterAll(() => rig.stop());
beforeEach(() => {
  letters.length = 0;
  server.isSet = true;
});

const pass = (ms: number): void => {
  aheadMs += ms;
};

/** The open host as the api serves it. */
function pages() {
  const stopPage = { ...rig.services.stopByMail, say: stopPageWords };
  return buildSite(OPEN, { clock: rig.clock, stopPage }).app;
}

const letter = (to: string, about: RegExp): Promise<Letter> =>
  until(async () => letters.findLast((one) => one.to === to && about.test(one.text)));
const pathIn = ({ text }: Letter): string => /https:\/\/desk\.example(\/stop\/\S+)/.exec(text)?.[1] ?? 'none';
const codeIn = ({ text }: Letter): string => /\n(\w{5}-\w{5})\n/.exec(text)?.[1] ?? 'none';
const press = (path: string) =>
  pages().inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** A person with a PIN that is a day old. */
async function keeper(name: string): Promise<Person> {
  const { person } = await rig.trader(name, 1n);
  const { id: userId } = await rig.user(person);
  const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
  await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
  pass(DAY);
  return person;
}

async function openNoticeMail(person: Person): Promise<void> {
  await person.say('/setting');
  await person.waitFor(/Settings/);
  await person.tap('Security');
  await person.waitFor(/Daily cap/);
  await person.tap('Notice mail');
  await person.waitFor(/Each notice that you can stop/);
}

async function setMail(person: Person, address: string): Promise<void> {
  await openNoticeMail(person);
  await person.tap(/Set a mail address|Change the address/);
  await person.waitFor(/Type the mail address/);
  await person.say(address);
  await person.waitFor(/Type your PIN/);
  await person.say(PIN);
  await person.waitFor(/A code was sent/);
  await person.say(codeIn(await letter(address.toLowerCase(), /wants notices/)));
  await person.waitFor(/Notices go to .* from .* on/);
}

async function askExport(person: Person): Promise<void> {
  await person.say('/home');
  await person.waitFor(/Tradepost/);
  await person.tap(/Wallets \(/);
  await person.waitFor(/Wallets \(/);
  await person.tap('Main');
  await person.waitFor(/Main · active/);
  await person.tap('Back up');
}

describe('a notice mail', () => {
  it('is set in the chat, and its Stop page stops a key file and bars asking for a day', async () => {
    const person = await keeper('Owner');
    await setMail(person, 'Owner@Example.org');
    await person.waitFor(/The mail for notices is being changed/);
    pass(DAY);
    await openNoticeMail(person);
    await person.waitFor(/Notice mail: o…@example\.org/);
    await askExport(person);
    await person.waitFor(/Type your PIN/);
    await person.say(PIN);
    await person.waitFor(/Ready in 2[34] h/);
    const path = pathIn(await letter('owner@example.org', /A key file of the wallet Main/));
    const { id: userId } = await rig.user(person);
    const opened = await pages().inject({ method: 'GET', url: path });
    expect(opened.body).toContain('<button>Stop</button>');
    expect(await rig.services.backups.openExport({ userId })).not.toBeNull();
    expect((await press(path)).body).toContain('The key did not leave.');
    expect(await rig.services.backups.openExport({ userId })).toBeNull();
    await person.waitFor(/The key file of Main was stopped/);
    pass(DAY - HOUR);
    await askExport(person);
    await person.waitFor(/A key file was stopped. Another one can be asked for after/);
    pass(HOUR);
    await askExport(person);
    await person.waitFor(/Type your PIN/);
    expect(rig.logged.join('\n')).not.toContain(path);
    expect(rig.dialogs.dump()).not.toContain(path);
  });

  it('tells the old address of a change, whose page takes it back and freezes; a freeze lets nothing be changed', async () => {
    const person = await keeper('Careful');
    await setMail(person, 'careful@example.org');
    pass(DAY);
    await setMail(person, 'thief@example.org');
    const told = await letter('careful@example.org', /The mail for notices is being changed/);
    expect(told.text).not.toContain('thief');
    expect((await press(pathIn(told))).body).toContain('Everything is frozen');
    await openNoticeMail(person);
    await person.waitFor((text) => /Notice mail: c…@example\.org/.test(text) && !/t…@/.test(text));
    await person.tap('Change the address');
    await person.waitFor(/Everything is frozen/);
    await openNoticeMail(person);
    await person.tap('Remove the address');
    await person.waitFor(/Everything is frozen/);
  });

  it('is removed after a day, with a notice to it', async () => {
    const person = await keeper('Leaver');
    await setMail(person, 'leaver@example.org');
    pass(DAY);
    await openNoticeMail(person);
    await person.tap('Remove the address');
    await person.waitFor(/Type your PIN to remove/);
    await person.say('111222');
    await person.waitFor(/wrong|Wrong/);
    await person.say(PIN);
    await person.waitFor(/Notices go to no mail from/);
    await letter('leaver@example.org', /The mail for notices is being changed/);
    pass(DAY);
    await openNoticeMail(person);
    await person.waitFor(/No address is set/);
  });

  it('asks again for what is no address and for a wrong code, and says when no mail can be sent', async () => {
    const person = await keeper('Typist');
    await openNoticeMail(person);
    await person.tap('Set a mail address');
    await person.waitFor(/Type the mail address/);
    await person.say('typist');
    await person.waitFor(/no mail address that can be used/);
    await person.say('typist@example.org');
    await person.waitFor(/Type your PIN/);
    await person.say(PIN);
    await person.waitFor(/A code was sent/);
    await person.say('AAAAA-AAAAA');
    await person.waitFor(/not the code[\s\S]*Tries left this hour: 4/);
    await person.say(codeIn(await letter('typist@example.org', /wants notices/)));
    await person.waitFor(/Notices go to t…@example\.org from/);
    server.isSet = false;
    await openNoticeMail(person);
    await person.waitFor(/has not set up mail/);
    await person.waitFor(/Notices go to t…@example\.org from/);
  });

  it('takes a ripe PIN, before an address is typed', async () => {
    const { person } = await rig.trader('Newcomer');
    await openNoticeMail(person);
    await person.tap('Set a mail address');
    await person.waitFor(/Set a PIN first/);
    // A person of the last day does not wait.
    pass(2 * DAY);
    const { id: userId } = await rig.user(person);
    const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
    await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
    pass(DAY - HOUR);
    await openNoticeMail(person);
    await person.tap('Set a mail address');
    await person.waitFor(/Your PIN is new: this works after/);
    expect(letters).toEqual([]);
  });
});
