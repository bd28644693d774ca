import { Bot } from 'gramio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../src/index.ts';
import { ALICE, PNG } from '../build-core.ts';

let server: LocalTelegram;
let bot: Bot;
beforeAll(async () => {
  server = await startLocalTelegram();
  server.core.people.start(ALICE.id);
  bot = new Bot(server.token, { api: { baseURL: `${server.botApiUrl}/bot` } });
});
afterAll(() => server.stop());

describe('gramio, a client that is not ours', () => {
  it('knows who it is', async () => {
    expect(await bot.api.getMe()).toMatchObject({ is_bot: true, username: 'tradepost_local_bot' });
  });

  it('sends and edits', async () => {
    const sent = await bot.api.sendMessage({ chat_id: ALICE.id, text: '<i>x</i>', parse_mode: 'HTML' });
    expect(sent.entities).toEqual([{ type: 'italic', offset: 0, length: 1 }]);
    const edited = await bot.api.editMessageText({
      chat_id: ALICE.id,
      message_id: sent.message_id,
      text: 'y',
    });
    expect(edited).toMatchObject({ text: 'y' });
  });

  it('uploads a photo', async () => {
    const photo = new File([PNG], 'qr.png', { type: 'image/png' });
    const sent = await bot.api.sendPhoto({
      chat_id: ALICE.id,
      photo,
      caption: '<b>c</b>',
      parse_mode: 'HTML',
    });
    expect(sent).toMatchObject({ caption: 'c', photo: [{ width: 1 }] });
  });

  it('gets the errors Telegram gives', async () => {
    await expect(bot.api.sendMessage({ chat_id: ALICE.id, text: '<x>', parse_mode: 'HTML' })).rejects.toThrow(
      'can\'t parse entities: Unsupported start tag "x" at byte offset 0',
    );
  });
});
