import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intentRow } from '../conformance/store-rows.ts';
import { memoryDialogStore } from '../support/chat/memory-dialog-store.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('hostile');
});
afterAll(() => rig.stop());

type Inline = { inline_keyboard: { text: string; callback_data?: string }[][] };

/** Callback data of a button. */
function dataOf(message: { reply_markup?: unknown }, label: string): string {
  const found = (message.reply_markup as Inline).inline_keyboard.flat().find(({ text }) => text === label);
  if (found?.callback_data === undefined) throw new Error(`no button ${label}`);
  return found.callback_data;
}

describe('buttons', () => {
  it.each([
    '',
    'nonsense',
    'trade:nosuch',
    'a:b:c:d',
    'wallets:pick-0:AAAAAAAAAAAAAAAAAAAAAA',
    'form:p25',
    'x'.repeat(64),
    'trade:buy-99:AAAAAAAAAAAAAAAAAAAAAA',
  ])('answers forged data %j with a toast and a fresh screen', async (data) => {
    if (data === '') return;
    const { person } = await rig.trader('Forger');
    const message = await person.lastMessage();
    await person.tap({ data }, message?.message_id);
    await person.waitForToast(/This button is old/);
    await person.waitFor(/0 SOL/);
  });

  it('gives nothing to somebody who taps another person’s button', async () => {
    const { person: alice } = await rig.trader('Alice', 5n);
    const { person: mallory } = await rig.trader('Mallory');
    await alice.say(rig.token('PUP').mint);
    await alice.waitFor(/\n\S+( SOL)? · cap |No market/);
    await alice.tap('🟢 0.1');
    const confirm = await alice.waitFor(/You get about/);
    const data = dataOf(confirm, 'Confirm buy');
    const own = await mallory.lastMessage();
    await mallory.tap({ data }, own?.message_id);
    await mallory.waitForToast(/Already pressed, or too old/);
    expect(await rig.intents(mallory)).toHaveLength(0);
    expect(await rig.intents(alice)).toHaveLength(0);
    await alice.tap('Confirm buy');
    await alice.waitFor(/Bought/);
  });

  it('does not let a button of one screen act in another feature', async () => {
    const { person } = await rig.trader('Crosser', 5n);
    await person.say(rig.token('PUP').mint);
    const card = await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    const id = dataOf(card, '🟢 0.1').split(':')[2] ?? '';
    await person.tap({ data: `withdraw:stop:${id}` }, card.message_id);
    await person.waitForToast(/This button is old/);
    await person.tap({ data: `trade:confirm:${id}` }, card.message_id);
    await person.waitForToast(/Already pressed|This button is old/).catch(() => null);
    expect(await rig.intents(person)).toHaveLength(0);
  });
});

describe('names', () => {
  it('are kept without their direction marks, markup being text like any other', async () => {
    const { person } = await rig.trader('<b>Mallory</b>\u202Egnp.exe');
    expect((await rig.user(person)).firstName).toBe('<b>Mallory</b>gnp.exe');
    await person.say('/home');
    await person.waitFor(/Tradepost/);
  });
});

describe('dialogues', () => {
  it('takes text only, keeps waiting, and lets a pasted mint lead elsewhere', async () => {
    const { person } = await rig.trader('Waiter', 2n);
    await person.say('/setting');
    await person.waitFor(/Settings/);
    await person.tap('Presets');
    await person.waitFor(/Presets/);
    await person.tap('Buy presets');
    await person.waitFor(/Four amounts/);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.say('0.1 0.5 1 2');
    await person.waitFor(/I did not understand that/);
  });

  it('ends when another screen’s button is tapped', async () => {
    const { person } = await rig.trader('Jumper', 2n);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    const message = await person.lastMessage();
    await person.tap({ data: 'help:open' }, message?.message_id);
    await person.waitFor(/Official source/);
    await person.say(rig.treasury.address);
    await person.waitFor(/No token found/);
  });

  it('goes on after the bot was restarted midway', async () => {
    const { person } = await rig.trader('Restarter', 2n);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await rig.restartBot();
    await person.say(rig.treasury.address);
    await person.waitFor(/How much SOL/);
    await rig.restartBot();
    await person.say('abc');
    await person.waitFor(/is not an amount/);
    await person.tap('50 %');
    await person.waitFor(/Send 0\.9\d+ SOL/);
    await rig.restartBot();
    await rig.confirmWithPin(person);
    await person.waitFor(/Sent [\d.]+ SOL \(final\)/);
    expect(await rig.intents(person)).toHaveLength(1);
  });

  it('tells to start again when its state is lost', async () => {
    const { person } = await rig.trader('Loser', 2n);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await rig.restartBot({ dialogs: memoryDialogStore() });
    await person.say('0.5');
    await person.waitFor(/I did not understand that/);
    await rig.restartBot();
  });

  it('tells to start again when a release changed its questions', async () => {
    const { person } = await rig.trader('Outdated', 2n);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    const key = `convo:${rig.telegram.token.split(':')[0]}:${person.user.id}`;
    // Stored when the handler ends, a moment after the question was sent.
    const row = await until(() => rig.dialogs.read(key));
    const stored = JSON.parse(row.value) as { version: [number, string] };
    stored.version[1] = 'older@1';
    await rig.dialogs.write(key, row.revision, JSON.stringify(stored), 60);
    await rig.restartBot();
    await person.say(rig.treasury.address);
    await person.waitFor(/The bot was updated in the meantime/);
    expect(await rig.dialogs.read(key)).toBeNull();
  });
});

describe('/cancel', () => {
  it('does not claim to recall what is under way', async () => {
    const { person } = await rig.trader('Canceller', 2n);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await person.say(rig.treasury.address);
    await person.waitFor(/How much SOL/);
    await person.say('1');
    await person.waitFor(/Send 1 SOL/);
    await rig.confirmWithPin(person);
    await until(async () => (await rig.intents(person))[0]?.status === 'ACTIVE');
    await person.say('/cancel');
    await person.waitFor(/R-\w+ is already under way and cannot be recalled/);
    await person.tap(/Show R-/);
    await person.waitFor(/Sent 1 SOL/);
  });

  it('calls off what is written down and not signed yet', async () => {
    const { person } = await rig.trader('Regretter', 2n);
    // Nothing is signed for anybody meanwhile, as when every worker is busy or gone.
    await rig.db.flags.set('signing-paused', true, 0);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await person.say(rig.treasury.address);
    await person.waitFor(/How much SOL/);
    await person.say('1');
    await person.waitFor(/Send 1 SOL/);
    await rig.confirmWithPin(person);
    await until(async () => (await rig.intents(person)).length === 1);
    await person.say('/cancel');
    await person.waitFor(/Stopped R-\w+ before anything was sent/);
    await rig.db.flags.set('signing-paused', false, 0);
    expect(await rig.intents(person)).toMatchObject([{ status: 'CANCELLED' }]);
    await person.say('/cancel');
    await person.waitFor(/Nothing to stop/);
  });

  it('finds what waits behind a dozen newer trades', async () => {
    const { person, wallet } = await rig.trader('Forgetful', 2n);
    await rig.db.intents.insert(
      intentRow(wallet, { id: rig.ids.ulid(), notBefore: rig.clock.now() + 3_600_000 }),
    );
    for (let n = 0; n < 12; n += 1)
      await rig.db.intents.insert(
        intentRow(wallet, { id: rig.ids.ulid(), kind: 'sell', status: 'SUCCEEDED' }),
      );
    await person.say('/cancel');
    await person.waitFor(/Stopped R-\w+ before anything was sent/);
  });
});

describe('Telegram’s moods', () => {
  it('answers once when an update is delivered three times', async () => {
    const { person } = await rig.trader('Repeated', 2n);
    rig.telegram.core.world.queue.setCopies(3);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await person.say(rig.treasury.address);
    await person.waitFor(/How much SOL/);
    await person.say('1');
    await person.waitFor(/Send 1 SOL/);
    await rig.confirmWithPin(person);
    await person.waitFor(/Sent 1 SOL \(final\)/);
    expect(await rig.intents(person)).toHaveLength(1);
    rig.telegram.core.world.queue.setCopies(1);
    expect((await person.transcript()).match(/^Bot: How much SOL to/gm)).toHaveLength(1);
  });

  it('waits out a short 429 and still tells the result', async () => {
    const { person } = await rig.trader('Throttled', 2n);
    rig.telegram.core.faults.add({
      method: 'sendMessage',
      times: 1,
      code: 429,
      retryAfterSeconds: 1,
      chatId: person.user.id,
    });
    await person.say('/home');
    await person.waitFor(/2 SOL/);
  });

  it('marks a person who blocks the bot, and forgets it when they return', async () => {
    const { person } = await rig.trader('Blocker');
    await person.block(true);
    await until(async () => (await rig.user(person)).blockedAt !== null);
    await person.block(false);
    await until(async () => (await rig.user(person)).blockedAt === null);
  });

  it('tells the final word of a trade to somebody who blocked the bot meanwhile, when they are back', async () => {
    const { person } = await rig.trader('Away', 2n);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(
      (text, message) =>
        /\n\S+( SOL)? · cap |No market/.test(text) && JSON.stringify(message).includes('🟢 0.5'),
    );
    await person.tap('🟢 0.5');
    await person.waitFor(/You get about/);
    await person.tap('Confirm buy');
    await until(async () => (await rig.intents(person)).length === 1);
    await person.block(true);
    await until(async () => (await rig.intents(person))[0]?.status === 'SUCCEEDED');
    // What is undelivered is asked for again and again, and must not be given up or marked as told.
    await rig.services.sweep();
    await person.block(false);
    const told = person.waitFor(/^Bought [\s\S]* · final/);
    let isTold = false;
    void told.then(() => (isTold = true));
    // The sweep leaves young notices to their ordinary way.
    await until(async () => {
      await rig.services.sweep();
      return isTold;
    });
    await told;
  });
});
