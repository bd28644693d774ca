import type { Person } from '@tradepost/local-telegram';
import { type Address, shortAddress } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeatureDeps } from '../../src/compose/bot-deps.ts';
import { createFeatures } from '../../src/compose/features.ts';
import type { TokenProfile } from '../../src/modules/market/use/token-profile.ts';
import { COMMANDS } from '../../src/platform/telegram/feature.ts';
import { fakeTokenData } from '../support/fakes/token-data.ts';
import { cardOf, WORST } from '../support/screens/facts.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

let rig: JourneyRig;
let blocked: Address | null = null;

/** A token of the desk as market data would describe it. */
async function profileOf(mint: Address): Promise<TokenProfile | null> {
  const token = await rig.chain.token(mint);
  const { profile } = cardOf(WORST, false);
  if (token === null || profile === null) return null;
  const safety =
    mint === blocked
      ? { level: 'BLOCK', warnings: [{ code: 'CANNOT_SELL', severity: 'BLOCK' }] }
      : { level: 'OK', warnings: [] };
  return { ...profile, token, safety, firstSeenAt: rig.clock.now() - 60_000 } as TokenProfile;
}

beforeAll(async () => {
  rig = await startJourneyRig('groups');
  await rig.restartBot({ tokens: fakeTokenData({ profile: profileOf }) });
});
afterAll(() => rig?.stop());

let groups = -900;
const newGroup = () => {
  groups -= 1;
  return { id: groups, type: 'supergroup', title: 'Traders' } as const;
};
type Group = ReturnType<typeof newGroup>;

const messages = (group: Group) => [
  ...(rig.telegram.core.world.groups.get(group.id)?.messages.values() ?? []),
];
const answers = (group: Group) =>
  messages(group).flatMap(({ message }) =>
    message.from?.id === rig.telegram.core.world.bot.id ? [message] : [],
  );
const say = (person: Person, group: Group, text: string, more: object = {}) =>
  rig.telegram.core.people.sendInGroup(person.user.id, group, { text, ...more });

/** The answer that comes next. */
async function ask(person: Person, group: Group, text: string, more: object = {}) {
  const before = answers(group).length;
  say(person, group, text, more);
  const after = await until(async () => {
    const all = answers(group);
    return all.length > before ? all : null;
  });
  return after[before] as (typeof after)[number];
}

const linksOf = (message: Awaited<ReturnType<typeof ask>>): readonly string[] =>
  (message.reply_markup?.inline_keyboard ?? [])
    .flat()
    .map((button) => ('url' in button ? button.url : 'no link'));

/** Updates of one chat are taken in order: what a group sent before was taken before this is answered. */
async function settled(person: Person): Promise<void> {
  await rig.pause(150);
  await person.say('/help');
  await person.waitFor(/Help/);
}

describe('a group', () => {
  it('has a menu of its own, without the commands of a person', async () => {
    for (const language of [{}, { language_code: 'es' }] as const) {
      // The menu is published beside the first updates.
      const menu = await until(async () => {
        const scope = { type: 'all_group_chats' } as const;
        const found = await rig.telegram.core.call('getMyCommands', { scope, ...language });
        return Array.isArray(found) && found.length > 0 ? found : null;
      });
      expect(menu).toMatchObject([
        { command: 'scan' },
        { command: 'lb' },
        { command: 'group' },
        { command: 'forgetme' },
      ]);
    }
  });

  it('reads a token, notes its first scan, and says later what became of it', async () => {
    const group = newGroup();
    const [ana, bob] = [await rig.person('Ana'), await rig.person('Bob')];
    const { mint } = rig.token('PUP');
    const first = await ask(ana, group, `/scan ${mint}`);
    expect(first.text).toContain('PUP');
    expect(first.text).toMatch(/First call: Ana, \$/);
    expect(first.text).not.toMatch(/now [+−]/);
    const name = rig.telegram.core.world.bot.username;
    expect(linksOf(first)).toEqual([
      `https://t.me/${name}?start=m_${mint}`,
      `https://desk.example/token/${mint}`,
    ]);
    // One SOL went in a slot later, without anybody asking.
    const call = await until(async () => {
      const row = await rig.db.groups.call({ groupId: BigInt(group.id), mint: mint as Address });
      return row?.units == null ? null : row;
    });
    expect(call).toMatchObject({ callerId: BigInt(ana.user.id), callerName: 'Ana' });
    // Another mint by a mention, then the first by a reply: its half minute is another group's affair.
    const other = await ask(bob, group, `@${name} ${rig.token('KOI').mint}`);
    expect(other.text).toMatch(/First call: Bob/);
    expect(await rig.db.users.findByTelegramId(BigInt(ana.user.id))).toBeNull();
    await rig.services.watches.groups.round();
    const again = await rig.db.groups.call({ groupId: BigInt(group.id), mint: mint as Address });
    // Both fees and both halves of the spread are off.
    expect(Number(again?.lamports)).toBeLessThan(1e9);
    expect(Number(again?.lamports)).toBeGreaterThan(0.8e9);
  }, 60_000);

  it('says the result of the first call, and answers a mint once in half a minute', async () => {
    const [here, there] = [newGroup(), newGroup()];
    const ana = await rig.person('Ana');
    const { mint } = rig.token('PUP');
    await ask(ana, here, `/scan ${mint}`);
    await until(async () => {
      const row = await rig.db.groups.call({ groupId: BigInt(here.id), mint: mint as Address });
      return row?.units != null;
    });
    say(ana, here, `/scan ${mint}`);
    await ask(ana, there, `/scan ${mint}`);
    await rig.pause(200);
    expect(answers(here)).toHaveLength(1);
    await rig.restartBot({ tokens: fakeTokenData({ profile: profileOf }) });
    expect((await ask(ana, here, `/scan@${rig.telegram.core.world.bot.username} ${mint}`)).text).toMatch(
      /First call: Ana, \$[\d.,₀-₉]+ · now [+−]\d/,
    );
  }, 60_000);

  it('lists callers by their median, and forgets one who asks', async () => {
    const group = newGroup();
    const ana = await rig.person('Ana');
    expect((await ask(ana, group, '/lb')).text).toMatch(/No caller has 5 calls yet/);
    const groupId = BigInt(group.id);
    const calledAt = rig.clock.now();
    for (const [n, lamports] of [2n, 2n, 0n, 3n, 9n].entries())
      await rig.db.groups.insertCall({
        groupId,
        mint: `${rig.token('PUP').mint.slice(0, -1)}${n + 1}` as Address,
        callerId: BigInt(ana.user.id),
        callerName: 'Ana <b>',
        calledAt,
        calledSlot: 1n,
        picoUsd: null,
        units: 1n,
        lamports: lamports * 1_000_000_000n,
        bestLamports: lamports * 1_000_000_000n,
        high: null,
        dueAt: calledAt + 1e9,
      });
    expect((await ask(ana, group, '/lb 7d')).text).toMatch(/1 Ana <b>.* \+100% \(5\) · best \+800%/);
    expect((await ask(ana, group, '/lb 99d')).text).toMatch(/1 to 30 days/);
    expect((await ask(ana, group, '/forgetme')).text).toMatch(/off 5 calls/);
    expect((await ask(ana, group, '/lb')).text).toMatch(/No caller has/);
  }, 60_000);

  it('carries its creator’s code when the creator says so, and only then', async () => {
    const group = newGroup();
    const { person: ana } = await rig.trader('Ana');
    const { person: bob } = await rig.trader('Bob');
    const [way] = linksOf(await ask(ana, group, '/group'));
    expect(way).toMatch(/start=g_-\d+$/);
    await bob.follow(way ?? '');
    await bob.waitFor(/Only the creator/);
    await ana.follow(way ?? '');
    await ana.waitFor(/Links carry no code/);
    await ana.tap('Carry my code');
    await ana.waitFor(/Links carry your code/);
    const { code } = (await rig.db.referrals.account((await rig.user(ana)).id)) ?? { code: '' };
    const scan = await ask(bob, group, `/scan ${rig.token('KOI').mint}`);
    expect(scan.text).toMatch(/Links carry Ana’s code/);
    expect(linksOf(scan)[0]).toMatch(new RegExp(`_${code}$`));
    // A person who comes by the link for the first time is Ana's.
    const carol = await rig.person('Carol');
    await carol.follow(linksOf(scan)[0] ?? '');
    await carol.waitFor(/Welcome/);
    expect((await rig.user(carol)).inviterId).toBe((await rig.user(ana)).id);
    await ana.tap('✓ Carry my code');
    await ana.waitFor(/Links carry no code/);
    await ana.tap('Español');
    await ana.waitFor((_text, { reply_markup }) => JSON.stringify(reply_markup).includes('✓ Español'));
    expect((await ask(bob, group, '/group')).text).toMatch(/no llevan código/);
  }, 60_000);

  it('where the bot may not write costs no line of an error, and a blocked token is no call', async () => {
    const group = newGroup();
    const ana = await rig.person('Ana');
    const { mint } = rig.token('PUP');
    await ask(ana, group, '/lb');
    const chat = rig.telegram.core.world.groups.get(group.id);
    if (chat !== undefined) chat.blocked = true;
    const lines = rig.logged.length;
    say(ana, group, `/scan ${mint}`);
    await settled(ana);
    expect(rig.logged.slice(lines).filter((line) => /^(warn|error)/.test(line))).toEqual([]);
    if (chat !== undefined) chat.blocked = false;
    blocked = rig.token('KOI').mint as Address;
    const answer = await ask(ana, group, `/scan ${blocked}`);
    expect(answer.text).toMatch(/BLOCK/);
    expect(linksOf(answer).join(' ')).not.toContain('start=m_');
    expect(await rig.db.groups.call({ groupId: BigInt(group.id), mint: blocked })).toBeNull();
    blocked = null;
    expect((await ask(ana, group, `/scan ${'1'.repeat(32)}`)).text).toMatch(/No token has this address/);
    expect((await ask(ana, group, '/scan')).text).toMatch(/Send \/scan and the address/);
  }, 60_000);

  it('answers an anonymous admin and a linked channel, whose call no person has, and no bot, edit or channel', async () => {
    const [group, linked] = [newGroup(), newGroup()];
    const ana = await rig.person('Ana');
    const { mint } = rig.token('PUP');
    const { queue } = rig.telegram.core.world;
    // The group is there from its first message on.
    for (const place of [group, linked]) say(ana, place, 'gm');
    let id = 5_000;
    const sent = (from: object, chat: object, more: object = {}) => {
      id += 1;
      return { message_id: id, date: 0, chat, from, text: `/scan ${mint}`, ...more };
    };
    const anonymous = { id: 1_087_968_824, is_bot: true, first_name: 'Group' };
    const channel = { id: -77, type: 'channel', title: 'Calls' };
    const silent = [
      ['message', sent({ id: 99, is_bot: true, first_name: 'B' }, group)],
      ['edited_message', sent(ana.user, group, { edit_date: 1 })],
      ['channel_post', { message_id: 1, date: 0, chat: channel, text: `/scan ${mint}` }],
    ] as const;
    for (const [kind, body] of silent) queue.add(kind as 'message', group.id, { [kind]: body } as never);
    await settled(ana);
    expect(answers(group)).toEqual([]);
    const spoken = [
      [group, sent(anonymous, group, { sender_chat: group })],
      [
        linked,
        sent({ id: 777_000, is_bot: false, first_name: 'Telegram' }, linked, { sender_chat: channel }),
      ],
    ] as const;
    for (const [place, message] of spoken) {
      queue.add('message', place.id, { message } as never);
      const [answer] = await until(async () => (answers(place).length > 0 ? answers(place) : null));
      expect(answer?.text).toMatch(/First call: someone, \$/);
      expect(await rig.db.groups.call({ groupId: BigInt(place.id), mint: mint as Address })).toMatchObject({
        callerId: null,
        callerName: null,
      });
    }
    const forget = sent(anonymous, group, { sender_chat: group, text: '/forgetme' });
    queue.add('message', group.id, { message: forget } as never);
    const said = await until(async () => answers(group)[1]?.text);
    expect(said).toMatch(/off 0 calls/);
  }, 60_000);

  it('keeps its choices and calls as a supergroup, whichever of the two notes comes', async () => {
    const { mint } = rig.token('PUP');
    const { person: ana, wallet } = await rig.trader('Ana');
    const ownerId = wallet.userId ?? '';
    const { queue } = rig.telegram.core.world;
    for (const note of ['to', 'from', 'both'] as const) {
      const [before, after] = [newGroup(), newGroup()];
      await ask(ana, before, `/scan ${mint}`);
      const change = { ownerId, ownerName: 'Ana', carriesCode: true, language: 'es' } as const;
      await rig.db.groups.save({ id: BigInt(before.id), ...change, changedAt: rig.clock.now() });
      const common = { message_id: 6_000, date: 0, from: ana.user };
      const notes = {
        to: { ...common, chat: { ...before, type: 'group' }, migrate_to_chat_id: after.id },
        from: { ...common, chat: after, sender_chat: after, migrate_from_chat_id: before.id },
      };
      for (const one of note === 'both' ? (['to', 'from'] as const) : [note])
        queue.add('message', notes[one].chat.id, { message: notes[one] } as never);
      await until(async () => (await rig.db.groups.find(BigInt(after.id))) !== null);
      expect(await rig.db.groups.find(BigInt(after.id))).toMatchObject(change);
      expect(await rig.db.groups.find(BigInt(before.id))).toBeNull();
      const callIn = (group: Group) =>
        rig.db.groups.call({ groupId: BigInt(group.id), mint: mint as Address });
      expect(await until(() => callIn(after))).toMatchObject({ callerName: 'Ana' });
      expect(await callIn(before)).toBeNull();
    }
  }, 60_000);

  it('takes 4,096 letters for talk, and for a /scan without an address', async () => {
    const group = newGroup();
    const ana = await rig.person('Ana');
    const long = `${'talk '.repeat(800)} ${rig.token('PUP').mint}`.padEnd(4_096, 'x');
    say(ana, group, long);
    say(ana, group, 'x'.repeat(4_096));
    expect((await ask(ana, group, `/scan ${long.slice(6)}`)).text).toMatch(/Send \/scan and the address/);
    expect(answers(group)).toHaveLength(1);
  }, 60_000);

  it('changes no row of a person and shows none, by any command, tap and form', async () => {
    const group = newGroup();
    const { person, wallet } = await rig.trader('Ana', 3n);
    const user = await rig.user(person);
    const { code } = (await rig.db.referrals.account(user.id)) ?? { code: 'NONE0000' };
    const kept = async () =>
      JSON.stringify(
        await Promise.all([
          rig.user(person).then((row) => ({ ...row, screenMessageId: null })),
          rig.db.wallets.listByUser(user.id, { deleted: true }),
          rig.db.intents.listByUser(user.id, { limit: 100 }),
          rig.db.guards.find(user.id),
          rig.db.follows.listByUser(user.id),
          rig.db.addressBook.list(wallet.id),
          rig.db.referrals.account(user.id),
        ]),
        (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      );
    const name = rig.telegram.core.world.bot.username;
    const features = createFeatures({
      ...rig.botDeps,
      states: {},
      secrets: {},
      openForms: {},
    } as unknown as FeatureDeps);
    const commands = [...COMMANDS, ...features.flatMap(({ hidden = [] }) => hidden.map((one) => one.name))];
    const taps = features.flatMap(({ name: feature, taps: own }) =>
      Object.keys(own).map((tap) => `${feature}:${tap}`),
    );
    const forms = features.flatMap((feature) => feature.forms);
    expect([commands.length, taps.length, forms.length].map((count) => count > 10)).toEqual([
      true,
      true,
      true,
    ]);
    // A form that waits in the private chat is no form of the group.
    await person.say('/withdraw_sol');
    await person.waitFor(/./);
    const before = await kept();
    const bot = rig.telegram.core.world.bot;
    // A group of its own for each: ten answers a minute would hide the rest.
    const places: Group[] = [];
    const inNewGroup = (text: string): void => {
      const place = newGroup();
      places.push(place);
      say(person, place, text);
    };
    for (const command of commands) {
      inNewGroup(`/${command}`);
      inNewGroup(`/${command}@${name} ${wallet.address}`);
    }
    for (const words of [PIN, wallet.address, '0.1', 'buy 0.5 pup', 'max', '100%', code]) inNewGroup(words);
    const shown = await ask(person, group, '/group');
    for (const data of [...taps, ...forms.map(({ id }) => `form:${id}`), ...taps.map((tap) => `${tap}:0`)])
      rig.telegram.core.world.queue.add('callback_query', group.id, {
        callback_query: {
          id: data,
          chat_instance: '1',
          from: { is_bot: false, id: person.user.id, first_name: 'Ana' },
          message: { ...shown, from: bot },
          data,
        },
      } as never);
    await settled(person);
    expect(await kept()).toBe(before);
    const all = [group, ...places].flatMap(answers);
    // Each command with the bot's name was answered, so nothing below holds by silence.
    expect(all.filter(({ text }) => text === 'I only work in a private chat.')).toHaveLength(commands.length);
    // What it answers to is the person's own message.
    const heard = JSON.stringify(all, (key, value: unknown) =>
      key === 'reply_to_message' ? undefined : value,
    );
    for (const secret of [wallet.address, shortAddress(wallet.address), wallet.name, PIN, 'SOL'])
      expect(heard).not.toContain(secret);
    expect(heard).not.toContain('callback_data');
    for (const { text = '' } of all)
      expect(text).toMatch(/^(I only work in a private chat\.|Links carry no code)/);
  }, 120_000);
});
