import { describe, expect, it } from 'vitest';
import { ALICE, buildCore, PNG, refusal } from '../build-core.ts';

const KEYS = { inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] };
const NOT_MODIFIED =
  '400 Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

async function sent(markup?: unknown) {
  const { core, clock } = buildCore();
  const args = {
    chat_id: 101,
    text: '<b>old</b>',
    parse_mode: 'HTML',
    ...(markup === undefined ? {} : { reply_markup: markup }),
  };
  const message = await core.call('sendMessage', args as never);
  const target = { chat_id: 101, message_id: message.message_id };
  return { core, clock, target };
}

describe('editing a message', () => {
  it('replaces text and entities and marks the message', async () => {
    const { core, target } = await sent(KEYS);
    const edited = await core.call('editMessageText', { ...target, text: 'new' });
    expect(edited).toMatchObject({ text: 'new', edit_date: 1_800_000_000 });
    expect(edited).not.toHaveProperty('entities');
    expect(edited).not.toHaveProperty('reply_markup');
  });

  it('is refused when nothing changes, keyboard included', async () => {
    const { core, target } = await sent(KEYS);
    const same = { ...target, text: '<b>old</b>', parse_mode: 'HTML' as const, reply_markup: KEYS };
    expect(await refusal(core.call('editMessageText', same))).toBe(NOT_MODIFIED);
    expect(await refusal(core.call('editMessageReplyMarkup', { ...target, reply_markup: KEYS }))).toBe(
      NOT_MODIFIED,
    );
    await core.call('editMessageText', { ...same, text: 'old' });
  });

  it('removes a keyboard that is not sent again', async () => {
    const { core, target } = await sent(KEYS);
    const edited = await core.call('editMessageReplyMarkup', target);
    expect(edited).not.toHaveProperty('reply_markup');
    expect(await refusal(core.call('editMessageReplyMarkup', target))).toBe(NOT_MODIFIED);
  });

  it('fails for a message that is gone', async () => {
    const { core, target } = await sent();
    await core.call('deleteMessage', target);
    expect(await refusal(core.call('editMessageText', { ...target, text: 'x' }))).toBe(
      '400 Bad Request: message to edit not found',
    );
    expect(await refusal(core.call('deleteMessage', target))).toBe(
      '400 Bad Request: message to delete not found',
    );
  });

  it("fails for a person's message and for one with a keyboard below the input line", async () => {
    const { core } = await sent();
    const own = core.people.say(ALICE.id, 'mine').message.message_id;
    const asked = await core.call('sendMessage', {
      chat_id: 101,
      text: '?',
      reply_markup: { force_reply: true },
    });
    for (const message_id of [own, asked.message_id]) {
      const call = core.call('editMessageText', { chat_id: 101, message_id, text: 'x' });
      expect(await refusal(call)).toBe("400 Bad Request: message can't be edited");
    }
  });

  it('never turns a photo into text', async () => {
    const { core } = await sent();
    const uploads = new Map([['photo', { bytes: PNG, filename: 'x.png' }]]);
    const photo = await core.call('sendPhoto', { chat_id: 101, caption: 'c' } as never, uploads);
    const target = { chat_id: 101, message_id: photo.message_id };
    expect(await refusal(core.call('editMessageText', { ...target, text: 'x' }))).toBe(
      '400 Bad Request: there is no text in the message to edit',
    );
    expect(await core.call('editMessageCaption', { ...target, caption: 'd' })).toMatchObject({
      caption: 'd',
    });
    const media = { type: 'photo', media: 'attach://n', caption: 'e' } as never;
    const changed = await core.call(
      'editMessageMedia',
      { ...target, media },
      new Map([['n', { bytes: PNG, filename: 'n' }]]),
    );
    expect(changed).toMatchObject({ caption: 'e', photo: [{ width: 1 }] });
  });

  it('leaves a text message without caption', async () => {
    const { core, target } = await sent();
    expect(await refusal(core.call('editMessageCaption', { ...target, caption: 'x' }))).toBe(
      '400 Bad Request: there is no caption in the message to edit',
    );
  });
});

describe('deleting', () => {
  it('ends after 48 hours', async () => {
    const { core, clock, target } = await sent();
    clock.advance(48 * 3_600_000 + 1000);
    expect(await refusal(core.call('deleteMessage', target))).toBe(
      "400 Bad Request: message can't be deleted",
    );
  });

  it('of many skips what is not there', async () => {
    const { core, target } = await sent();
    await core.call('deleteMessages', { chat_id: 101, message_ids: [target.message_id, 4711] });
    expect(core.world.chats.get(101)?.messages.has(target.message_id)).toBe(false);
  });
});
