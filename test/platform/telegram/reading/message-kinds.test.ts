import { Bot, type Context } from 'grammy';
import type { Update } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import type { BotContext } from '../../../../src/platform/telegram/context.ts';
import { COMMANDS } from '../../../../src/platform/telegram/feature.ts';
import { privateOnly } from '../../../../src/platform/telegram/middleware/private-only.ts';
import { authored, borrowedBy } from '../../../../src/platform/telegram/reading/authored.ts';
import { commandOf } from '../../../../src/platform/telegram/reading/command-of.ts';
import {
  ALLOWED_UPDATES,
  CONTENTS,
  type Content,
  ENVELOPE,
  UPDATES,
} from '../../../../src/platform/telegram/reading/message-kinds.ts';
import { contentOf, linkBehind } from '../../../../src/platform/telegram/reading/said.ts';
import { BORROWED_WAYS, SENT_CONTENTS } from '../../../support/chat/sent-contents.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const me = { id: 42, is_bot: true, first_name: 'Bot', username: 'desk_bot' } as unknown as Context['me'];
const FROM = { id: 7, is_bot: false, first_name: 'A' };
const MESSAGE = { message_id: 1, date: 0, from: FROM, chat: { id: 7, type: 'private', first_name: 'A' } };

/** Whether an update comes past the first door, or to the door of groups, and how often the bot wrote. */
async function admitted(update: object): Promise<{
  readonly let: boolean;
  readonly inGroup: boolean;
  readonly replies: number;
}> {
  const bot = new Bot<BotContext>('42:token', { botInfo: me as never });
  let isIn = false;
  let inGroup = false;
  let replies = 0;
  bot.api.config.use(async () => {
    replies += 1;
    return { ok: true, result: true } as never;
  });
  const group = async () => {
    inGroup = true;
  };
  bot.use(privateOnly(group), () => {
    isIn = true;
  });
  await bot.handleUpdate({ update_id: 1, ...update } as Update);
  return { let: isIn, inGroup, replies };
}

describe('the tables of messages', () => {
  it('know each sample by its content', () => {
    for (const content of Object.keys(CONTENTS) as Content[])
      expect(contentOf(SENT_CONTENTS[content])).toBe(content);
    expect(contentOf({})).toBeNull();
  });

  it('let in what a person says and does in private, and no other kind of update', async () => {
    for (const [kind, answer] of Object.entries(UPDATES)) {
      const body = kind === 'callback_query' ? { from: FROM, message: MESSAGE } : { ...MESSAGE, text: 'x' };
      expect([kind, (await admitted({ [kind]: body })).let]).toEqual([kind, answer !== 'unasked']);
    }
    expect(ALLOWED_UPDATES).toEqual(['message', 'callback_query', 'my_chat_member']);
  });

  it('let no service message past the first door', async () => {
    for (const content of Object.keys(CONTENTS) as Content[]) {
      const { let: isIn, replies } = await admitted({ message: { ...MESSAGE, ...SENT_CONTENTS[content] } });
      expect([content, isIn]).toEqual([content, CONTENTS[content] !== 'silence']);
      expect(replies).toBe(0);
    }
    // A kind that no release knew is answered as what cannot be read.
    expect((await admitted({ message: { ...MESSAGE, hologram: {} } })).let).toBe(true);
  });

  it('drop bots and channels, and let nothing of a group past the door of groups, an anonymous admin’s words neither', async () => {
    const group = { id: -5, type: 'supergroup', title: 'G' };
    const said = (change: object) =>
      admitted({ message: { ...MESSAGE, text: '/panic@desk_bot', ...change } });
    const nothing = { let: false, inGroup: false, replies: 0 };
    const inGroup = { ...nothing, inGroup: true };
    expect(await said({ from: { ...FROM, is_bot: true } })).toEqual(nothing);
    expect(await said({ chat: { id: -6, type: 'channel', title: 'C' } })).toEqual(nothing);
    expect(await said({ chat: group, from: { ...FROM, is_bot: true } })).toEqual(nothing);
    expect(await said({ chat: group, from: { ...FROM, is_bot: true }, sender_chat: group })).toEqual(inGroup);
    expect(await said({ sender_chat: group })).toEqual(nothing);
    expect(await said({ chat: group, text: '/panic' })).toEqual(inGroup);
    expect(await said({ chat: group, text: '/panic@other_bot' })).toEqual(inGroup);
    expect(await said({ chat: group })).toEqual(inGroup);
    expect(await said({})).toEqual({ ...nothing, let: true });
  });
});

describe('authored words', () => {
  it('are those without a mark of another author', () => {
    for (const [way, envelope] of Object.entries(BORROWED_WAYS)) {
      expect([way, authored({ text: 'x', ...envelope })]).toEqual([way, false]);
    }
    expect(borrowedBy({ text: 'x', reply_to_message: MESSAGE as never, is_from_offline: true })).toBeNull();
    const marks = Object.entries(ENVELOPE).filter(([, means]) => means !== 'plain' && means !== 'chat');
    for (const [field] of marks) expect(authored({ [field]: {} })).toBe(false);
    expect(marks.map(([field]) => field)).toEqual(
      expect.arrayContaining([
        'forward_origin',
        'via_bot',
        'sender_business_bot',
        'external_reply',
        'quote',
        'is_automatic_forward',
      ]),
    );
  });
});

describe('commands', () => {
  it('are read in any case, with a name, in a caption, and nowhere but at the beginning', () => {
    for (const name of COMMANDS) {
      for (const text of [`/${name}`, `/${name.toUpperCase()}`, `/${name}@Desk_Bot`, ` /${name} \n`])
        expect(commandOf({ text })?.name).toBe(name);
    }
    expect(commandOf({ text: '/Start  ref_AB1 ' })).toEqual({ name: 'start', to: null, rest: 'ref_AB1' });
    expect(commandOf({ caption: '/PANIC@Desk' })).toEqual({ name: 'panic', to: 'desk', rest: '' });
    for (const text of [
      'panic',
      'do /panic',
      '//panic',
      '/',
      '/panic!',
      '/pa-nic',
      '/panic@',
      '／panic',
      '/ｐanic',
    ])
      expect([text, commandOf({ text })]).toEqual([text, null]);
  });
});

describe('a link behind words', () => {
  it('is read from text and captions, where it holds an address', () => {
    const entity = { type: 'text_link' as const, offset: 0, length: 3, url: `https://x.example/${MINT}` };
    expect(linkBehind({ text: 'Buy', entities: [entity] })).toBe(entity.url);
    expect(linkBehind({ caption: 'Buy', caption_entities: [entity] })).toBe(entity.url);
    expect(linkBehind({ text: 'Buy', entities: [{ ...entity, url: 'https://x.example' }] })).toBeNull();
    expect(linkBehind({ text: 'x.y', entities: [{ type: 'url', offset: 0, length: 3 }] })).toBeNull();
  });
});
