import { beforeEach, describe, expect, it } from 'vitest';
import { emptyGuard } from '../../../src/modules/guard/rules/guard.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { noticeMailNow } from '../../../src/modules/guard/rules/notice-mail.ts';
import { freezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { guardOverview } from '../../../src/modules/guard/use/guard-overview.ts';
import { removeNoticeMail } from '../../../src/modules/guard/use/notice-mail.ts';
import { beginPinChange, hashPin, setPin } from '../../../src/modules/guard/use/set-pin.ts';
import { stopChanges } from '../../../src/modules/guard/use/stop-changes.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { TEST_PIN } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { type MailRig, mailRig } from './mail-rig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OWN = 'mara@example.org';
const OTHER = 'other@example.org';

let rig: MailRig;
beforeEach(async () => {
  rig = await mailRig(fakeDatabase());
});

const inForce = async (): Promise<string | null> => noticeMailNow(await rig.guard(), rig.clock);
const refused = (work: Promise<unknown>, code: string, details: object = {}): Promise<void> =>
  expect(work).rejects.toMatchObject({ code, details: expect.objectContaining(details) });
const remove = () => removeNoticeMail(rig.deps, { userId: rig.userId, pin: TEST_PIN });
const noticesOf = async () =>
  (
    await Promise.all(
      (await rig.db.notices.undelivered(rig.clock.now() + 1, 99)).map((id) => rig.db.notices.find(id)),
    )
  ).map((notice) => notice?.payload);

/** An address that is in force. */
async function standing(address = OWN): Promise<void> {
  await rig.set(address);
  rig.clock.advance(DAY);
  await rig.work();
  rig.letters.length = 0;
}

describe('an address', () => {
  it('takes the PIN, then the code of its mail, and counts after a day', async () => {
    expect(await rig.ask(' Mara@Example.ORG ')).toEqual({ address: OWN });
    expect(await rig.guard()).toMatchObject({ nextNoticeMailAt: null });
    await rig.work();
    expect(rig.letters).toMatchObject([{ to: OWN, subject: 'Your code for notices of Tradepost' }]);
    const at = rig.clock.now() + DAY;
    expect(await rig.confirm(OWN, rig.code())).toEqual({ kind: 'set', at });
    expect(await inForce()).toBeNull();
    expect(await noticesOf()).toEqual([{ act: 'notice-mail', until: at }]);
    rig.clock.advance(DAY - 1);
    expect(await inForce()).toBeNull();
    rig.clock.advance(1);
    expect(await inForce()).toBe(OWN);
    expect(await rig.trail()).toContain('notice-mail-changed');
  });

  it('counts at once where nothing waits, without a notice', async () => {
    rig = await mailRig(fakeDatabase(), 1, LOCAL_RULES);
    await rig.set(OWN);
    expect(await inForce()).toBe(OWN);
    expect(await noticesOf()).toEqual([]);
  });

  it('is typed as it is shown, or without the line, in small letters, with O for 0 and I or l for 1', async () => {
    await rig.ask(OWN);
    await rig.work();
    const typed = ` ${rig.code().replace('-', ' ').toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} `;
    expect((await rig.confirm(OWN, typed)).kind).toBe('set');
  });

  it.each([
    ['no address', 'mara'],
    ['nothing', ''],
    ['two', 'a@example.org, b@example.org'],
    ['a line of a header', 'a@example.org\nBcc: b@example.org'],
    ['a return', 'a@example.org\r\n\r\nhello'],
    ['a name beside it', 'Mara <mara@example.org>'],
    ['a letter that looks like another', 'm\u0430ra@example.org'],
    ['a host in another script', 'mara@ex\u0430mple.org'],
    ['a full-width sign', 'mara\uFF20example.org'],
    ['no domain', 'mara@localhost'],
    ['too long', `${'a'.repeat(250)}@example.org`],
  ])('is refused, before the PIN: %s', async (_, address) => {
    await refused(rig.ask(address, 'no PIN'), 'NOTICE_MAIL_REFUSED', { reason: 'shape' });
    expect(rig.pins.compared()).toBe(0);
    await rig.work();
    expect(rig.letters).toEqual([]);
  });

  it('is refused when it is the one in force, or the one that waits; the one in force may come back', async () => {
    await standing();
    await refused(rig.ask(OWN), 'NOTICE_MAIL_REFUSED', { reason: 'same' });
    await rig.set(OTHER);
    await refused(rig.ask(OTHER), 'NOTICE_MAIL_REFUSED', { reason: 'same' });
    await rig.set(OWN);
    rig.clock.advance(DAY);
    expect(await inForce()).toBe(OWN);
  });

  it('is asked for in vain without a mail server, and nothing is lost of what was set before', async () => {
    await standing();
    rig.server.isSet = false;
    await refused(rig.ask(OTHER), 'NOTICE_MAIL_REFUSED', { reason: 'no-server' });
    expect(await inForce()).toBe(OWN);
    await remove();
    await rig.work();
    expect(rig.letters).toEqual([]);
    rig.server.isSet = true;
    await rig.send();
    expect(rig.letters).toMatchObject([{ to: OWN, subject: 'Tradepost: you can stop this' }]);
  });
});

describe('a thief', () => {
  it('without the PIN, with an unripe one, or of a frozen account sends no code and changes nothing', async () => {
    await standing();
    await refused(rig.ask(OTHER, '551188'), 'PIN_WRONG');
    await refused(removeNoticeMail(rig.deps, { userId: rig.userId, pin: '551188' }), 'PIN_WRONG');
    const guard = await rig.guard();
    const now = rig.clock.now();
    await rig.db.guards.save({ ...guard, pinSetAt: now, unlocksFrom: now + DAY }, PASSED);
    await refused(rig.ask(OTHER), 'PIN_TOO_NEW');
    await refused(remove(), 'PIN_TOO_NEW');
    await rig.db.guards.save({ ...guard, pinHash: null, pinSetAt: null }, PASSED);
    await refused(rig.ask(OTHER), 'PIN_REQUIRED');
    await rig.db.guards.save({ ...guard, frozenAt: now }, PASSED);
    await refused(rig.ask(OTHER), 'ACCOUNT_FROZEN');
    await refused(remove(), 'ACCOUNT_FROZEN');
    await rig.work();
    expect(rig.letters).toEqual([]);
    expect(await inForce()).toBe(OWN);
  });

  it('with a code of before the freeze, or of the PIN before, confirms nothing', async () => {
    await rig.ask(OWN);
    await rig.work();
    await freezeAccount(rig.deps, { userId: rig.userId });
    await refused(rig.confirm(OWN, rig.code()), 'ACCOUNT_FROZEN');
    await rig.db.guards.save(
      {
        ...(await rig.guard()),
        frozenAt: null,
        pinSetAt: rig.clock.now(),
        unlocksFrom: rig.clock.now() + DAY,
      },
      PASSED,
    );
    await refused(rig.confirm(OWN, rig.code()), 'PIN_TOO_NEW');
    expect(await rig.guard()).toMatchObject({ nextNoticeMailAt: null });
  });
});

describe('a code', () => {
  it('is refused when it is wrong, of another address or of another person, and five wrong ones bar the hour', async () => {
    await rig.ask(OWN);
    await rig.work();
    const right = rig.code();
    expect(await rig.confirm(OWN, '00000-00000')).toEqual({ kind: 'wrong', left: 4 });
    expect(await rig.confirm(OTHER, right)).toEqual({ kind: 'wrong', left: 3 });
    expect(await rig.confirm(OWN, '')).toEqual({ kind: 'wrong', left: 2 });
    const other = await mailRig(rig.db, 2);
    expect((await other.confirm(OWN, right)).kind).toBe('wrong');
    await rig.confirm(OWN, 'x');
    expect(await rig.confirm(OWN, 'x')).toEqual({ kind: 'wrong', left: 0 });
    await refused(rig.confirm(OWN, right), 'ACT_LIMIT', { rate: 'mail-code', until: rig.clock.now() + HOUR });
    rig.clock.advance(HOUR);
    expect((await rig.confirm(OWN, right)).kind).toBe('wrong');
    await rig.set(OWN);
  });

  it('ends after 30 minutes, after its use, and with the next one', async () => {
    await rig.ask(OWN);
    await rig.work();
    rig.clock.advance(30 * MINUTE);
    expect((await rig.confirm(OWN, rig.code())).kind).toBe('wrong');
    await rig.ask(OWN);
    await rig.work();
    const first = rig.code();
    await rig.ask(OWN);
    await rig.work();
    expect((await rig.confirm(OWN, first)).kind).toBe('wrong');
    expect((await rig.confirm(OWN, rig.code())).kind).toBe('set');
    await stopChanges(rig.deps, { userId: rig.userId });
    await rig.db.guards.save({ ...(await rig.guard()), frozenAt: null }, PASSED);
    expect((await rig.confirm(OWN, rig.code())).kind).toBe('wrong');
  });

  it('of two changes at once confirms only its own address', async () => {
    await Promise.all([rig.ask(OWN), rig.ask(OTHER)]);
    await rig.work();
    const codes = new Map(rig.letters.map(({ to, text }) => [to, /\n(\w{5}-\w{5})\n/.exec(text)?.[1] ?? '']));
    expect((await rig.confirm(OWN, codes.get(OTHER) ?? '')).kind).toBe('wrong');
    expect((await rig.confirm(OTHER, codes.get(OTHER) ?? '')).kind).toBe('set');
    expect(await rig.guard()).toMatchObject({ nextNoticeMail: OTHER });
  });

  it('is not sent when it would come too late, and is in no row', async () => {
    await rig.ask(OWN);
    await rig.work();
    const code = rig.code().replace('-', '');
    const [mail] = await rig.db.mails.list(1);
    expect(JSON.stringify([mail, await rig.guard(), await rig.db.mails.list(9)])).not.toContain(code);
    expect(mail?.status).toBe('sent');
    rig.clock.advance(1);
    await rig.ask(OWN);
    rig.clock.advance(30 * MINUTE);
    rig.letters.length = 0;
    await rig.send();
    expect(rig.letters).toEqual([]);
    expect((await rig.db.mails.list(1))[0]).toMatchObject({ status: 'failed', lastError: 'overtaken' });
  });

  it('goes to one address at most three times an hour, whoever asks, and five times a day for one person', async () => {
    const people = await Promise.all([2, 3, 4, 5].map((serial) => mailRig(rig.db, serial)));
    for (const person of people.slice(0, 3)) await person.ask(OWN);
    await refused(people[3]?.ask(OWN) ?? Promise.resolve(), 'ACT_LIMIT', { max: 3, spanMs: HOUR });
    for (let n = 0; n < 5; n += 1) await rig.ask(`mara${n}@example.org`);
    await refused(rig.ask('mara9@example.org'), 'ACT_LIMIT', { rate: 'notice-mail', max: 5, spanMs: DAY });
  });
});

describe('a change that waits', () => {
  it('is told to the old mail and the chat, and the old one keeps the notices until then', async () => {
    await standing();
    await rig.set(OTHER);
    await rig.work();
    expect(rig.letters.map(({ to }) => to)).toEqual([OTHER, OWN]);
    expect(rig.letters[1]?.text).toContain('The mail for notices is being changed.');
    expect(rig.letters[1]?.text).not.toContain(OTHER);
  });

  it('as a removal, too; and with none set and none waiting there is nothing to remove', async () => {
    await refused(remove(), 'BUTTON_STALE');
    await standing();
    const { at } = await remove();
    await refused(remove(), 'BUTTON_STALE');
    await rig.work();
    expect(rig.letters).toMatchObject([{ to: OWN }]);
    rig.clock.set(at - 1);
    expect(await inForce()).toBe(OWN);
    rig.clock.set(at);
    expect(await inForce()).toBeNull();
    await refused(remove(), 'BUTTON_STALE');
  });

  it('is taken back by Stop in the chat and on the page, by a freeze and by a new PIN', async () => {
    const { userId, deps } = rig;
    const waits = async (): Promise<boolean> => (await rig.guard()).nextNoticeMailAt !== null;
    await standing();
    const ways: (() => Promise<unknown>)[] = [
      () => stopChanges(deps, { userId }),
      () => freezeAccount(deps, { userId }),
      async () => {
        await rig.work();
        return rig.stop(rig.token());
      },
      async () => {
        const replaces = await beginPinChange(deps, { userId, pin: TEST_PIN });
        const hash = await hashPin(deps, { userId, pin: '402917' });
        await setPin(deps, { userId, hash, again: '402917', replaces });
      },
    ];
    for (const [turn, way] of ways.entries()) {
      await rig.db.guards.save({ ...(await rig.guard()), frozenAt: null }, PASSED);
      await rig.set(`new${turn}@example.org`);
      expect((await guardOverview(deps, { userId })).stoppable).toBe(true);
      await way();
      expect(await waits(), `way ${turn}`).toBe(false);
      expect(await inForce()).toBe(OWN);
      rig.clock.advance(DAY);
      expect(await inForce()).toBe(OWN);
    }
  });

  it('that has taken effect is left alone by all of these', async () => {
    await rig.set(OWN);
    rig.clock.advance(DAY);
    await stopChanges(rig.deps, { userId: rig.userId });
    expect(await inForce()).toBe(OWN);
    expect(noticeMailNow({ ...emptyGuard('u'), noticeMail: OTHER }, 0)).toBe(OTHER);
  });
});
