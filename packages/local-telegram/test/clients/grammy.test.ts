import { Bot, GrammyError, HttpError, InlineKeyboard, InputFile } from 'grammy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPerson, type LocalTelegram, type Person, startLocalTelegram } from '../../src/index.ts';
import { PNG } from '../build-core.ts';

let telegram: LocalTelegram;
let bot: Bot;
let polling: Promise<void>;

beforeAll(async () => {
  telegram = await startLocalTelegram();
  bot = new Bot(telegram.token, { client: { apiRoot: telegram.botApiUrl } });
  bot.command('start', (ctx) =>
    ctx.reply(`Hello <b>${ctx.from?.first_name}</b>, payload ${ctx.match || 'none'}`, {
      parse_mode: 'HTML',
      reply_markup: new InlineKeyboard().text('Count', 'count:0').copyText('Copy', 'x'),
    }),
  );
  bot.callbackQuery(/^count:(\d+)$/, async (ctx) => {
    const next = Number(ctx.match[1]) + 1;
    await ctx.answerCallbackQuery(`counted ${next}`);
    await ctx.editMessageText(`Count is ${next}`, {
      reply_markup: new InlineKeyboard().text('Count', `count:${next}`),
    });
  });
  bot.command('qr', (ctx) => ctx.replyWithPhoto(new InputFile(PNG, 'qr.png'), { caption: 'your QR' }));
  bot.on('callback_query:data', (ctx) => ctx.answerCallbackQuery('This button is old'));
  bot.on('message:text', (ctx) => ctx.reply(ctx.msg.text));
  polling = bot.start();
});
afterAll(async () => {
  await bot.stop();
  await polling;
  await telegram.stop();
});

const people: [string, () => Promise<Person>][] = [
  ['in this process', () => createPerson({ core: telegram.core, user: { id: 301, first_name: 'Ines' } })],
  ['over HTTP', () => createPerson({ url: telegram.chatUrl, user: { id: 302, first_name: 'Henk' } })],
];

describe.each(people)('a grammY bot and a person %s', (_where, make) => {
  it('talk: start, tap, edit, toast, photo, echo', async () => {
    const person = await make();
    await person.start('ref_1');
    await person.waitFor(new RegExp(`Hello ${person.user.first_name}, payload ref_1`));
    await person.tap('Count');
    expect(await person.waitForToast(/counted/)).toBe('counted 1');
    const edited = await person.waitFor(/Count is 1/);
    expect(edited.edit_date).toBeDefined();
    await person.tap({ data: 'forged' }, 4711);
    expect(await person.waitForToast(/./)).toBe('This button is old');
    await person.say('/qr');
    expect(Buffer.from(await person.photo(await person.waitFor(/your QR/)))).toEqual(PNG);
    await person.say('a <b> & "c"');
    await person.waitFor((text) => text === 'a <b> & "c"');
    expect((await person.lastMessage())?.text).toBe('a <b> & "c"');
    expect(await person.transcript()).toBe(
      [
        `${person.user.first_name}: /start ref_1`,
        `Bot: Hello ${person.user.first_name}, payload ref_1`,
        '    [ Count ] [ Copy ]',
        'Toast: counted 1',
        `Bot (edits #${edited.message_id}): Count is 1`,
        '    [ Count ]',
        'Toast: This button is old',
        `${person.user.first_name}: /qr`,
        'Bot: [photo] your QR',
        `${person.user.first_name}: a <b> & "c"`,
        'Bot: a <b> & "c"',
      ].join('\n'),
    );
  });

  it('explain what they waited for in vain and what can be tapped', async () => {
    const person = await make();
    await person.start();
    await person.waitFor(/Hello/);
    await expect(person.waitFor(/never/, { timeoutMs: 30 })).rejects.toThrow(
      /waited 30 ms for a message like \/never\/[\s\S]*Hello/,
    );
    await expect(person.tap('Nowhere')).rejects.toThrow('sees no button Nowhere; there are: Count | Copy');
  });
});

describe('grammY', () => {
  it('sees errors as from Telegram', async () => {
    const call = bot.api.sendMessage(101, '<b>x', { parse_mode: 'HTML' });
    await expect(call).rejects.toThrow(GrammyError);
    telegram.core.people.start(101);
    await expect(bot.api.sendMessage(101, '<b>x', { parse_mode: 'HTML' })).rejects.toMatchObject({
      error_code: 400,
      description: 'Bad Request: can\'t parse entities: Can\'t find end tag corresponding to start tag "b"',
    });
    telegram.core.faults.add({ method: 'sendMessage', times: 1, dropResponse: true });
    await expect(bot.api.sendMessage(101, 'x')).rejects.toThrow(HttpError);
  });
});
