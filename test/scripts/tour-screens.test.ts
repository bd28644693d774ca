import { createPerson, type LocalTelegram, type Person, startLocalTelegram } from '@tradepost/local-telegram';
import { Api, InlineKeyboard } from 'grammy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitForPast, waitForResult } from '../../scripts/tour/screens.ts';
import { clientOptions } from '../../src/platform/telegram/client.ts';

const RECEIPT = { reply_markup: new InlineKeyboard().text('Receipt', 'receipt') };
const FINAL = /^Bought .*final/;

let telegram: LocalTelegram;
let api: Api;
let id = 700;
let alice: Person;

beforeAll(async () => {
  telegram = await startLocalTelegram();
  api = new Api(telegram.token, clientOptions(telegram.botApiUrl));
});
afterAll(() => telegram.stop());
beforeEach(async () => {
  id += 1;
  alice = await createPerson({ core: telegram.core, user: { id, first_name: 'Alice' } });
  await alice.start();
});

const show = (text: string) => api.sendMessage(id, text, RECEIPT);

describe('the result that the tour reads', () => {
  it('is that of the trade it confirmed, though an earlier one becomes final meanwhile', async () => {
    const earlier = await show('Bought 98,262 PUP for 1 SOL (in 0.9 s)');
    const asked = await show('Buy FAR for 0.1 SOL?');
    await alice.tap('Receipt', asked.message_id);
    await api.editMessageText(id, earlier.message_id, 'Bought 98,262 PUP for 1 SOL (final)', RECEIPT);
    await api.editMessageText(id, asked.message_id, 'Bought 2,964 FAR for 0.1 SOL (in 0.9 s)', RECEIPT);
    expect((await waitForResult(alice, asked, /^Bought/)).text).toMatch(/2,964 FAR/);
  });

  it('may stand in a newer message', async () => {
    const asked = await show('Buy FAR for 0.1 SOL?');
    await alice.tap('Receipt', asked.message_id);
    await show('Bought 2,964 FAR for 0.1 SOL (in 0.9 s)');
    expect((await waitForResult(alice, asked, /^Bought/)).text).toMatch(/2,964 FAR/);
  });
});

describe('what an earlier trade came to', () => {
  it('counts too when it was told before the last tap', async () => {
    const earlier = await show('Bought 98,262 PUP for 1 SOL (in 0.9 s)');
    await api.editMessageText(id, earlier.message_id, 'Bought 98,262 PUP for 1 SOL (final)', RECEIPT);
    await alice.say('/trade');
    expect((await waitForPast(alice, (text) => FINAL.test(text))).message_id).toBe(earlier.message_id);
  });

  it('is waited for when it was not told yet', async () => {
    const earlier = await show('Bought 98,262 PUP for 1 SOL (in 0.9 s)');
    await alice.say('/trade');
    const told = waitForPast(alice, (text) => FINAL.test(text));
    await api.editMessageText(id, earlier.message_id, 'Bought 98,262 PUP for 1 SOL (final)', RECEIPT);
    expect((await told).message_id).toBe(earlier.message_id);
  });
});
