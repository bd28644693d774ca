import { describe, expect, it } from 'vitest';
import { ALICE, BOB, BOT, buildCore, PNG, refusal } from '../build-core.ts';

const send = (reply_markup: unknown) => {
  const { core } = buildCore();
  return core.call('sendMessage', { chat_id: 101, text: 'x', reply_markup } as never);
};
const inline = (...buttons: unknown[]) => ({ inline_keyboard: [buttons] });

describe('sending', () => {
  it('answers with the message as Telegram shows it', async () => {
    const { core } = buildCore();
    const message = await core.call('sendMessage', { chat_id: 101, text: '<b>hi</b>', parse_mode: 'HTML' });
    expect(message).toMatchObject({
      from: { id: BOT.id, is_bot: true },
      chat: { id: 101, type: 'private', first_name: 'Alice' },
      text: 'hi',
      entities: [{ type: 'bold', offset: 0, length: 2 }],
      date: 1_800_000_000,
    });
  });

  it('takes numbers and objects as text, as forms send them', async () => {
    const { core } = buildCore();
    const outcome = await core.invoke('SENDMESSAGE', {
      chat_id: '101',
      text: 'x',
      reply_markup: '{"inline_keyboard":[[{"text":"a","callback_data":"b"}]]}',
    });
    expect(outcome).toMatchObject({
      ok: true,
      result: { reply_markup: inline({ text: 'a', callback_data: 'b' }) },
    });
  });

  it.each([
    ['no chat', { text: 'x' }, '400 Bad Request: chat_id is empty'],
    ['an unknown chat', { chat_id: 999, text: 'x' }, '400 Bad Request: chat not found'],
    ['no text', { chat_id: 101 }, '400 Bad Request: message text is empty'],
    ['blank text', { chat_id: 101, text: ' \n ' }, '400 Bad Request: message text is empty'],
    ['4097 characters', { chat_id: 101, text: 'x'.repeat(4097) }, '400 Bad Request: message is too long'],
    [
      'a reply to nothing',
      { chat_id: 101, text: 'x', reply_parameters: { message_id: 4711 } },
      '400 Bad Request: message to be replied not found',
    ],
  ])('refuses %s', async (_case, args, expected) => {
    const { core } = buildCore();
    expect(await refusal(core.call('sendMessage', args as never))).toBe(expected);
  });

  it('counts the text after its tags were read', async () => {
    const { core } = buildCore();
    const text = `<b>${'x'.repeat(4096)}</b>`;
    expect(await core.call('sendMessage', { chat_id: 101, text, parse_mode: 'HTML' })).toHaveProperty('text');
  });

  it('does not know the chat of a person who never wrote', async () => {
    const { core } = buildCore();
    core.people.meet({ ...BOB, id: 150 });
    expect(await refusal(core.call('sendMessage', { chat_id: 150, text: 'x' }))).toBe(
      '400 Bad Request: chat not found',
    );
  });

  it('refuses a method it does not have', async () => {
    const { core } = buildCore();
    expect(await core.invoke('sendPigeon', {})).toMatchObject({
      code: 404,
      description: 'Not Found: method not found',
    });
  });
});

describe('keyboards', () => {
  it.each([
    ['data of 65 bytes', inline({ text: 'a', callback_data: `${'é'.repeat(32)}x` }), 'BUTTON_DATA_INVALID'],
    ['empty data', inline({ text: 'a', callback_data: '' }), 'BUTTON_DATA_INVALID'],
    [
      'a button without an action',
      inline({ text: 'a' }),
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      'copy text of 257',
      inline({ text: 'a', copy_text: { text: 'x'.repeat(257) } }),
      'BUTTON_COPY_TEXT_INVALID',
    ],
    [
      'a javascript link',
      inline({ text: 'a', url: 'javascript:alert(1)' }),
      "inline keyboard button URL 'javascript:alert(1)' is invalid: Wrong HTTP URL",
    ],
    [
      'two actions',
      inline({ text: 'a', url: 'https://x.io', callback_data: 'b' }),
      "can't parse inline keyboard button: expected one action in a button, found callback_data, url",
    ],
    [
      '101 buttons',
      { inline_keyboard: Array.from({ length: 101 }, () => [{ text: 'a', callback_data: 'b' }]) },
      'reply markup is too long',
    ],
    ['no object', '"x"', 'object expected as reply markup'],
    [
      'a long placeholder',
      { force_reply: true, input_field_placeholder: 'x'.repeat(65) },
      'input field placeholder is too long',
    ],
  ])('refuse %s', async (_case, markup, reason) => {
    expect(await refusal(send(markup))).toBe(`400 Bad Request: ${reason}`);
  });

  it('accept data of exactly 64 bytes', async () => {
    expect(await send(inline({ text: 'a', callback_data: 'é'.repeat(32) }))).toHaveProperty('reply_markup');
  });

  it('that are empty count as none', async () => {
    expect(await send({ inline_keyboard: [] })).not.toHaveProperty('reply_markup');
  });

  it('below the input line are kept for the person, not shown to the bot', async () => {
    const { core } = buildCore();
    const message = await core.call('sendMessage', {
      chat_id: 101,
      text: 'x',
      reply_markup: { force_reply: true },
    });
    expect(message).not.toHaveProperty('reply_markup');
    const answer = core.people.say(ALICE.id, 'y');
    expect(answer.message.reply_to_message).toMatchObject({ message_id: message.message_id });
    expect(core.people.say(ALICE.id, 'z').message.reply_to_message).toBeUndefined();
  });
});

describe('photos and files', () => {
  it('are uploaded through attach://, and sent again by file_id', async () => {
    const { core } = buildCore();
    const uploads = new Map([['f', { bytes: PNG, filename: 'qr.png' }]]);
    const first = await core.call('sendPhoto', { chat_id: 101, photo: 'attach://f', caption: 'c' }, uploads);
    const size = first.photo.at(-1);
    expect(size).toMatchObject({ width: 1, height: 1, file_size: PNG.length });
    const again = await core.call('sendPhoto', { chat_id: 102, photo: size?.file_id ?? '' });
    expect(again.photo).toEqual(first.photo);
    const file = await core.call('getFile', { file_id: size?.file_id ?? '' });
    expect(core.world.files.byPath(file.file_path ?? '')?.bytes).toEqual(PNG);
  });

  it('that are no image are no photo, whatever their name says', async () => {
    const { core } = buildCore();
    const svg = new Map([['photo', { bytes: Buffer.from('<svg onload="alert(1)"/>'), filename: 'x.png' }]]);
    expect(await refusal(core.call('sendPhoto', { chat_id: 101 } as never, svg))).toBe(
      '400 Bad Request: IMAGE_PROCESS_FAILED',
    );
  });

  it('of more than 10 MB are refused', async () => {
    const { core } = buildCore();
    const big = new Map([['document', { bytes: Buffer.alloc(10 * 1024 * 1024 + 1), filename: 'x' }]]);
    expect(await refusal(core.call('sendDocument', { chat_id: 101 } as never, big))).toBe(
      '400 Bad Request: file is too big',
    );
  });

  it('with an unknown id are refused in the words the bot looks for', async () => {
    const { core } = buildCore();
    expect(await refusal(core.call('sendPhoto', { chat_id: 101, photo: 'gone' }))).toMatch(
      /wrong file identifier/,
    );
    expect(await refusal(core.call('getFile', { file_id: 'gone' }))).toMatch(/wrong file_id/);
  });

  it('have captions of at most 1024', async () => {
    const { core } = buildCore();
    const uploads = new Map([['photo', { bytes: PNG, filename: 'x.png' }]]);
    const call = core.call('sendPhoto', { chat_id: 101, caption: 'x'.repeat(1025) } as never, uploads);
    expect(await refusal(call)).toBe('400 Bad Request: message caption is too long');
  });
});
