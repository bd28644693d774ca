import type { Person, SentContent } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTENTS, type Content } from '../../src/platform/telegram/reading/message-kinds.ts';
import { BORROWED_WAYS, SENT_CONTENTS } from '../support/chat/sent-contents.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('words', { spendCapLamports: 2_000_000_000n, unlimited: true });
});
afterAll(() => rig.stop());

const contents = Object.keys(CONTENTS) as Content[];
const ways = Object.entries(BORROWED_WAYS);
const ORIGIN = BORROWED_WAYS['forwarded'] ?? {};

const sayAndWait = async (person: Person, text: string, answer: RegExp) => {
  await person.say(text);
  return person.waitFor(answer);
};
const sendAndWait = async (person: Person, content: SentContent, answer: RegExp) => {
  await person.send(content);
  return person.waitFor(answer);
};
const tapAndWait = async (person: Person, button: string | RegExp, answer: RegExp) => {
  await person.tap(button);
  return person.waitFor(answer);
};
const isFrozen = async (person: Person): Promise<boolean> =>
  (await rig.db.guards.find((await rig.user(person)).id))?.frozenAt != null;

/** What the bot did since `before`, as a transcript. */
async function since(person: Person, before: string): Promise<string> {
  return (await person.transcript()).slice(before.length);
}

async function askForNewPin(person: Person): Promise<void> {
  await sayAndWait(person, '/setting', /Settings/);
  await tapAndWait(person, 'Security', /PIN: not set/);
  await tapAndWait(person, 'Set a PIN', /Type a new PIN/);
}

async function turnAutoBuyOn(person: Person): Promise<void> {
  const user = await rig.user(person);
  const autoBuy = { on: true, lamports: 50_000_000n, dayLamports: 10n ** 9n, maxImpactBps: 500 };
  await rig.db.users.update(user.id, { settings: { ...user.settings, autoBuy } });
}

describe('every kind of message', () => {
  it('in a private chat has the answer of the table', async () => {
    const { person } = await rig.trader('Walker');
    for (const [index, content] of contents.entries()) {
      const before = await person.transcript();
      await person.send(SENT_CONTENTS[content]);
      // Updates of one person are taken in order: what came for the message came before this.
      await sayAndWait(person, `/nosuch_${index}`, new RegExp(`There is no command /nosuch_${index}\\b`));
      const answers = await since(person, before);
      // A screen that is left loses its buttons, which is an edit.
      const isNamed = /^Bot: I read words alone/m.test(answers);
      const isUnknown = /^Bot: No token named/m.test(answers);
      const answer = CONTENTS[content];
      expect([content, isNamed], content).toEqual([content, answer === 'named' || answer === 'caption']);
      expect([content, isUnknown], answers).toEqual([content, answer === 'words']);
      if (answer === 'silence') expect(answers.match(/^Bot: /gm), answers).toHaveLength(1);
    }
  });

  it('in a group is silence, but for a command with the bot’s own name', async () => {
    const { person } = await rig.trader('Member');
    const group = { id: -77, type: 'supergroup', title: 'Traders' } as const;
    const { core } = rig.telegram;
    const name = core.world.bot.username;
    for (const content of contents) core.people.sendInGroup(person.user.id, group, SENT_CONTENTS[content]);
    for (const text of ['/panic', '/panic@another_bot', `hello @${name}`, rig.token('PUP').mint])
      core.people.sendInGroup(person.user.id, group, { text });
    const anonymous = { sender_chat: group, text: `/panic@${name}` };
    core.people.sendInGroup(person.user.id, group, anonymous);
    core.people.sendInGroup(person.user.id, group, { text: `/PANIC@${name.toUpperCase()}` });
    const replies = () =>
      [...(core.world.groups.get(group.id)?.messages.values() ?? [])].filter(
        ({ message }) => message.from?.id === core.world.bot.id,
      );
    await until(async () => replies().length > 1);
    await sayAndWait(person, '/help', /Help/);
    // The anonymous admin's, and the one in capitals.
    const answer = 'I only work in a private chat.';
    expect(replies().map(({ message }) => message.text)).toEqual([answer, answer]);
    expect(await isFrozen(person)).toBe(false);
  });

  it('that is no text ends no question for a secret, and says what is expected', async () => {
    const { person } = await rig.trader('Sticker');
    await askForNewPin(person);
    let last = 0;
    for (const content of contents) {
      // A document is the answer of another question: here it is refused like a PIN of the wrong shape.
      if (content === 'text' || content === 'document') continue;
      await person.send(SENT_CONTENTS[content]);
      if (CONTENTS[content] === 'silence') continue;
      const { message_id } = await person.waitFor(
        (text, message) => message.message_id > last && /My question is still open/.test(text),
      );
      last = message_id;
    }
    for (const [way, envelope] of ways) {
      await person.send({ text: PIN, ...envelope });
      const { message_id } = await person.waitFor(
        (text, message) => message.message_id > last && /type the answer yourself/.test(text),
      );
      last = message_id;
      const inSight = rig.telegram.core.world.chats.get(person.user.id)?.messages ?? new Map();
      const texts = [...inSight.values()].map(({ message }) => message.text);
      expect(texts, way).not.toContain(PIN);
    }
    await sayAndWait(person, PIN, /once more/);
    await sendAndWait(person, SENT_CONTENTS.sticker, /My question is still open/);
    await sayAndWait(person, PIN, /The PIN is set/);
  });

  it('that is no text, or not one’s own, ends no form', async () => {
    const { person } = await rig.trader('Former', 1n);
    await sayAndWait(person, '/withdraw_sol', /To which/);
    for (const content of contents) {
      if (content === 'text' || CONTENTS[content] === 'silence') continue;
      await sendAndWait(person, SENT_CONTENTS[content], /answer with text[\s\S]*To which/);
    }
    const { mint } = rig.token('PUP');
    for (const [, envelope] of ways) {
      await sendAndWait(person, { text: mint, ...envelope }, /type the answer yourself[\s\S]*To which/);
    }
    const entities = [
      {
        type: 'text_link',
        offset: 0,
        length: mint.length,
        url: `https://x.example/${rig.token('TAX').mint}`,
      },
    ] as const;
    await sendAndWait(
      person,
      { text: mint, entities: [...entities] },
      /link to an address behind[\s\S]*To which/,
    );
    await sayAndWait(person, mint, /How much SOL|cannot receive|token/);
  });
});

describe('digits of another script', () => {
  it('are a PIN’s digits, whichever script it was set in', async () => {
    const { person } = await rig.trader('Persian');
    const persian = PIN.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x6f0 + Number(digit)));
    await askForNewPin(person);
    await sayAndWait(person, `1${persian.slice(1)}`, /exactly 6 digits/);
    await sayAndWait(person, persian, /once more/);
    await sayAndWait(person, PIN, /The PIN is set/);
    const { id: userId } = await rig.user(person);
    await rig.services.guard.unlockTrades({ userId, pin: PIN });
    expect(await person.transcript()).toContain(`deletes`);
  });
});

describe('commands', () => {
  it.each(['/PANIC', '/Panic@desk', '/pAnIc now'])('%s freezes', async (text) => {
    const { person } = await rig.trader('Shouter');
    await sayAndWait(person, text, /Frozen/);
    expect(await isFrozen(person)).toBe(true);
  });

  it('are read in any case, with the bot’s name, and under a picture', async () => {
    const { person } = await rig.trader('Caps');
    await sayAndWait(person, '/HELP', /Help/);
    await sayAndWait(person, `/Home@${rig.telegram.core.world.bot.username}`, /0 SOL/);
    await sayAndWait(person, '/Positions', /hold|Positions/);
    await sendAndWait(person, { ...SENT_CONTENTS.photo, caption: '/PANIC' }, /Frozen/);
    await sayAndWait(person, '/nosuch', /There is no command/);
  });

  it.each(ways)('/panic that is %s asks first, and one tap freezes', async (_way, envelope) => {
    const { person } = await rig.trader('Carrier');
    await sendAndWait(person, { text: '/PANIC', ...envelope }, /does nothing by itself/);
    expect(await isFrozen(person)).toBe(false);
    await tapAndWait(person, 'Freeze everything', /Frozen/);
    expect(await isFrozen(person)).toBe(true);
  });

  it('/cancel that is forwarded asks first', async () => {
    const { person } = await rig.trader('Canceller');
    await sendAndWait(person, { text: '/Cancel', ...ORIGIN }, /call off your newest order/);
    await tapAndWait(person, 'Call off', /Nothing to stop/);
  });

  it('a start link that is forwarded attaches no inviter', async () => {
    const { person: alice } = await rig.trader('Alice');
    const code = /ref_(\w+)/.exec((await sayAndWait(alice, '/referral', /ref_/)).text ?? '')?.[1] ?? '';
    const bob = await rig.person('Bob');
    await sendAndWait(bob, { text: `/start ref_${code}`, ...ORIGIN }, /No inviter attached/);
    expect((await rig.user(bob)).inviterId).toBeNull();
  });
});

describe('an address', () => {
  const buys = async (person: Person) =>
    (await rig.db.intents.listByUser((await rig.user(person)).id, { limit: 9, kinds: ['buy'] })).length;

  it.each(ways)('that is %s shows the card and buys nothing', async (_way, envelope) => {
    const { person } = await rig.trader('Reader', 1n);
    await turnAutoBuyOn(person);
    const shown = await sendAndWait(
      person,
      { text: rig.token('PUP').mint, ...envelope },
      /Not bought[\s\S]*/,
    );
    expect(shown.text).toContain('PUP');
    expect(await buys(person)).toBe(0);
  });

  it('under a picture, behind a link, in a start link or found by name shows the card and buys nothing', async () => {
    const { person } = await rig.trader('Looker', 1n);
    await turnAutoBuyOn(person);
    const { mint } = rig.token('PUP');
    const other = rig.token('TAX').mint;
    const card = /Not bought[\s\S]*/;
    const caption = await sendAndWait(person, { ...SENT_CONTENTS.photo, caption: mint }, card);
    expect(caption.text).toContain('PUP');
    // The words say one token and the link another: the card is the link's.
    const link = { type: 'text_link' as const, offset: 0, url: `https://pump.example/coin/${mint}` };
    for (const [words, key] of [
      ['Buy here', 'entities'],
      [other, 'entities'],
    ] as const) {
      const content = { text: words, [key]: [{ ...link, length: words.length }] };
      const shown = await sendAndWait(person, content, card);
      expect(shown.text).toContain('PUP');
    }
    const under = { caption: 'Look', caption_entities: [{ ...link, length: 4 }] };
    expect((await sendAndWait(person, { ...SENT_CONTENTS.video, ...under }, card)).text).toContain('PUP');
    const trade = `/trade ${other}`;
    const traded = { text: trade, entities: [{ ...link, offset: 7, length: other.length }] };
    expect((await sendAndWait(person, traded, card)).text).toContain('PUP');
    await person.start(`m_${mint}`);
    await person.waitFor(card);
    await sayAndWait(person, 'PUP', card);
    expect(await buys(person)).toBe(0);
    await sayAndWait(person, mint, /Bought/);
    expect(await buys(person)).toBe(1);
  });

  it('that was edited into a message is not read again', async () => {
    const { person } = await rig.trader('Editor', 1n);
    await turnAutoBuyOn(person);
    await sayAndWait(person, '/help', /Help/);
    const { core } = rig.telegram;
    const own = [...(core.world.chats.get(person.user.id)?.messages.values() ?? [])].findLast(
      ({ message }) => message.from?.id === person.user.id,
    );
    core.people.edit(person.user.id, own?.message.message_id ?? 0, rig.token('PUP').mint);
    await sayAndWait(person, '/home', /SOL/);
    expect(await buys(person)).toBe(0);
    expect(await person.transcript()).not.toContain('Safety');
  });
});
