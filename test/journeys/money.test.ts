import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('money');
});
afterAll(() => rig.stop());

const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor(text);
};
const stranger = () => rig.treasury.address;

describe('/deposit', () => {
  it('shows the address and a QR picture, and uploads it once', async () => {
    const { person, wallet } = await rig.trader('Depositor');
    await person.say('/deposit');
    const first = await person.waitFor(/Send SOL or Solana tokens only/);
    const bytes = await person.photo(first);
    expect([...bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(first.caption).toContain(wallet.address);
    await tapAndWait(person, 'Home', /Tradepost/);
    await person.say('/deposit');
    const second = await person.waitFor(/Send SOL or Solana tokens only/);
    expect(second.photo?.at(-1)?.file_id).toBe(first.photo?.at(-1)?.file_id);
    await person.tap('Get 2 play SOL');
    await person.waitForToast(/2 play SOL are there/);
    await until(async () => (await rig.chain.balance(wallet.address)) === 2_000_000_000n);
    await person.tap('Check balance');
    await person.waitForToast(/Main: 2 SOL/);
    await tapAndWait(person, 'Home', /2 SOL/);
  });
});

describe('/trade', () => {
  it('asks for a token until it gets one, and leads to a purchase and a sale', async () => {
    const { person, wallet } = await rig.trader('Trader', 10n);
    const pup = rig.token('PUP');
    await person.say('/trade');
    await person.waitFor(/Which token/);
    await person.say('abc');
    await person.waitFor(/No token named “abc” is known here\. Send a name/);
    await person.say(wallet.address);
    await person.waitFor(/No token found/);
    await person.say(`look at this: https://example.org/token/${pup.mint}?x=1`);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    const safety = await tapAndWait(person, 'Safety', /Safety: .*CAREFUL[\s\S]*Not known/);
    expect(safety.text).toContain(pup.mint);
    expect(JSON.stringify(safety.reply_markup)).toContain(pup.mint);
    await tapAndWait(person, 'Back to PUP', /\n\S+( SOL)? · cap /);

    // Whoever knows no address chooses from what is traded here; the choice ends the question.
    await person.say('/trade');
    await person.waitFor((text, message) => /or choose/.test(text) && message.reply_markup !== undefined);
    await person.tap('PUP');
    await person.waitFor(
      (text, message) => /\n\S+( SOL)? · cap |No market/.test(text) && message.reply_markup !== undefined,
    );

    await tapAndWait(person, '🟢 X', /How much SOL/);
    for (const [bad, why] of [
      ['abc', /is not an amount/],
      ['-1', /cannot be negative/],
      ['0', /more than zero/],
      ['1e3', /is not an amount/],
      ['0.0000000001', /too many decimals/],
      ['999999999999999', /larger than any amount/],
      ['1٣', /is not an amount/],
      ['²', /is not an amount/],
      ['٠،٥', /is not an amount/],
      ['101%', /A part is at most 100%/],
      ['50', /Not enough SOL/],
    ] as const) {
      await person.say(bad);
      await person.waitFor(why);
    }
    // As an Arabic keyboard writes 0.5.
    await person.say('٠٫٥');
    const confirm = await person.waitFor(/You get about/);
    expect(confirm.text).toMatch(/Buy PUP for 0.5 SOL \(\$[\d.]+\)/);
    expect(confirm.text).toMatch(/our fee 0.005 SOL/);
    expect(confirm.text).toMatch(/cannot be undone/);
    await person.tap('Confirm buy');
    await person.waitFor(/Preparing/);
    // "Sent" is told to those who wait long enough to read it; this chain is faster.
    await person.waitFor(/Bought [\d,.]+ PUP for 0.5 SOL[\s\S]* · not final/);
    await person.waitFor(/Bought [\d,.]+ PUP for 0.5 SOL[\s\S]* · final/);

    const [intent] = await rig.intents(person);
    expect(intent?.status).toBe('SUCCEEDED');
    const holdings = await rig.chain.holdings(wallet.address);
    const held = holdings.find(({ mint }) => mint === pup.mint)?.amount ?? 0n;
    expect(held).toBe(intent?.outcome?.receipt?.tokenDeltas[0]?.delta);
    expect(await rig.chain.balance(wallet.address)).toBe(
      10_000_000_000n + (intent?.outcome?.receipt?.walletLamportsDelta ?? 0n),
    );
    const receipt = await tapAndWait(person, 'Receipt', /Receipt R-/);
    expect(receipt.text).toContain(intent?.outcome?.receipt?.signature);
    expect(receipt.text).toContain('Gave 0.5 SOL = 0.495 SOL swapped + 0.005 SOL fee');

    await tapAndWait(person, '🔴 100%', /Sell [\d,.]+ PUP/);
    await person.tap('Confirm sell');
    await person.waitFor(/Sold all [\d,.]+ PUP · [\d.]+ SOL[\s\S]* · final/);
    const after = await rig.chain.holdings(wallet.address);
    expect(after.find(({ mint }) => mint === pup.mint)?.amount ?? 0n).toBe(0n);
    expect(rig.logged.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('trades once for two taps on Confirm', async () => {
    const { person } = await rig.trader('Double', 5n);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.1', /You get about/);
    const screen = await person.lastMessage();
    const markup = screen?.reply_markup as { inline_keyboard: { text: string; callback_data: string }[][] };
    const data =
      markup.inline_keyboard.flat().find(({ text }) => text === 'Confirm buy')?.callback_data ?? '';
    await Promise.all([
      person.tap({ data }, screen?.message_id),
      person.tap({ data }, screen?.message_id),
      person.tap({ data }, screen?.message_id),
    ]);
    await person.waitFor(/Bought/);
    rig.breathe();
    await person.tap({ data }, screen?.message_id);
    await person.waitForToast(/Already pressed, or too old/);
    expect(await rig.intents(person)).toHaveLength(1);
  });

  it('trades at once when confirming is off, but asks before repeating the same trade', async () => {
    const { person } = await rig.trader('Quick', 5n);
    await person.say('/setting');
    await person.waitFor(/Settings/);
    await person.tap('Confirm ✓');
    await until(async () => !(await rig.user(person)).settings.confirmTrades);
    await person.say(rig.token('LAN').mint);
    const card = await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap('🟢 0.1');
    expect(card.text).toMatch(/CAREFUL|No problem found/);
    if (/Bought/.test((await person.waitFor(/Bought|You get about/)).text ?? '')) {
      await person.say(rig.token('LAN').mint);
      await person.waitFor(/\n\S+( SOL)? · cap |No market/);
      await tapAndWait(person, '🟢 0.1', /You asked for the same trade a moment ago/);
    }
  });

  it('asks first, confirming off or not, for a tap that waited while the bot was away', async () => {
    const { person } = await rig.trader('Patient', 5n);
    const user = await rig.user(person);
    await rig.db.users.update(user.id, { settings: { ...user.settings, confirmTrades: false } });
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    // Telegram's own sign that a tap is old.
    rig.telegram.core.faults.add({
      method: 'answerCallbackQuery',
      times: 1,
      code: 400,
      description: 'Bad Request: query is too old and response timeout expired or query ID is invalid',
    });
    await person.tap('🟢 0.1');
    await person.waitFor(/while I was away/);
    expect(await rig.intents(person)).toHaveLength(0);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap('🟢 0.1');
    await person.waitFor(/Bought/);
  });

  it('does nothing on Cancel, and that confirm button is dead afterwards', async () => {
    const { person } = await rig.trader('Doubter', 5n);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.1', /You get about/);
    const screen = await person.lastMessage();
    const markup = screen?.reply_markup as { inline_keyboard: { text: string; callback_data: string }[][] };
    const data =
      markup.inline_keyboard.flat().find(({ text }) => text === 'Confirm buy')?.callback_data ?? '';
    await tapAndWait(person, 'Cancel', /Not done. Nothing was sent/);
    await person.tap({ data }, screen?.message_id);
    await person.waitForToast(/Already pressed, or too old/);
    expect(await rig.intents(person)).toHaveLength(0);
  });

  it('sells a typed part, and refuses more than there is', async () => {
    const { person } = await rig.trader('Seller', 5n);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.5', /You get about/);
    await person.tap('Confirm buy');
    await person.waitFor(/Bought[\s\S]* · not final/);
    await tapAndWait(person, 'Card', /\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🔴 X%', /to sell/);
    await person.say('99999999');
    await person.waitFor(/Not enough tokens/);
    await person.say('12.5%');
    await person.waitFor(/You get about/);
    await tapAndWait(person, 'Confirm sell', /Sold/);
  });

  it('pays the inviter a share once the trade is final, and says so', async () => {
    const { person: alice } = await rig.trader('Inviter', 1n);
    await alice.say('/referral');
    const code = /ref_(\w+)/.exec((await alice.waitFor(/ref_/)).text ?? '')?.[1] ?? '';
    const { person: bob } = await rig.trader('Invitee', 5n, `ref_${code}`);
    await bob.say(rig.token('PUP').mint);
    await bob.waitFor(/\n\S+( SOL)? · cap |No market/);
    await tapAndWait(bob, '🟢 1', /You get about/);
    await bob.tap('Confirm buy');
    await alice.waitFor(/You earned 0.003 SOL/);
    await alice.say('/referral');
    await alice.waitFor(/Earned 0.003 SOL.*paid 0.003 SOL/);
    await alice.tap('Ledger');
    const line = await alice.waitFor(/invitee [0-9a-f]{8} · buy R-/);
    expect(line.text).toMatch(/fee 0.01 SOL → yours 0.003 SOL/);
    expect(line.text).toMatch(/paid in [1-9A-HJ-NP-Za-km-z]{80,}/);
    expect(line.text).not.toContain('Invitee');
    await alice.tap('CSV');
    await alice.waitFor(/Every share so far/);
    await alice.say('/referral');
    await alice.waitFor(/Referral · code/);
    await tapAndWait(alice, 'Not counted', /Everything your invitees did was counted/);
  });

  it('counts a campaign apart, and gives up an old code with a warning', async () => {
    const { person: alice } = await rig.trader('Promoter', 1n);
    await alice.say('/referral');
    const first = /ref_(\w+)/.exec((await alice.waitFor(/ref_/)).text ?? '')?.[1] ?? '';
    await tapAndWait(alice, 'Campaign links', /No person has come/);
    await tapAndWait(alice, 'New link', /Which tag/);
    await alice.say('two words');
    await alice.waitFor(/Expected 1 to 16/);
    await alice.say('spring-1');
    const link = /ref_\S+/.exec((await alice.waitFor(/Your link for SPRING-1/)).text ?? '')?.[0] ?? '';
    expect(link).toBe(`ref_${first}_SPRING-1`);
    const bob = await rig.trader('Tagged', 1n, link);
    await alice.say('/referral');
    await tapAndWait(alice, 'Campaign links', /SPRING-1: invited 1 · active 0/);
    await tapAndWait(alice, 'Back', /Referral · code/);
    await tapAndWait(alice, 'Custom code', /Which code/);
    for (const [bad, why] of [
      ['a', /Expected 3 to 12/],
      ['support', /reserved/],
      [first.toLowerCase(), /your code already/],
    ] as const) {
      await alice.say(bad);
      await alice.waitFor(why);
    }
    await alice.say('Wave-9');
    await alice.waitFor(/Your old code .* stops working at once/);
    await tapAndWait(alice, 'Take WAVE-9', /Your code is WAVE-9 now/);
    const late = await rig.trader('Late', 1n, `ref_${first}`);
    expect((await rig.user(late.person)).inviterId).toBeNull();
    const early = await rig.trader('Early', 1n, 'ref_wave-9');
    const { id } = await rig.user(alice);
    expect((await rig.user(early.person)).inviterId).toBe(id);
    expect((await rig.user(bob.person)).inviterId).toBe(id);
  });
});

describe('/withdraw_sol', () => {
  it('explains each wrong destination and amount, then sends', async () => {
    const { person, wallet } = await rig.trader('Sender', 3n);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which Solana address\?\n\n\/cancel stops this\.$/);
    for (const [bad, why] of [
      ['hello', /is not a Solana address/],
      ['0OIl'.repeat(10), /is not a Solana address/],
      [wallet.address, /same wallet/],
      [rig.token('PUP').mint, /address of a token, not of a wallet/],
      ['11111111111111111111111111111111', /program/],
    ] as const) {
      await person.say(bad);
      await person.waitFor(why);
    }
    await person.say(stranger());
    await person.waitFor(/How much SOL/);
    for (const [bad, why] of [
      ['x', /is not an amount/],
      ['5', /Not enough SOL/],
      ['2.9999', /network allows 0 or at least/],
    ] as const) {
      await person.say(bad);
      await person.waitFor(why);
    }
    await person.say('1.5');
    const confirm = await person.waitFor(/Send 1.5 SOL/);
    expect(confirm.text).toContain(stranger());
    const before = await rig.chain.balance(stranger());
    await rig.confirmWithPin(person);
    await person.waitFor(/Sent 1.5 SOL \(final\)/);
    expect((await rig.chain.balance(stranger())) - before).toBeGreaterThanOrEqual(1_500_000_000n);
  });

  it('empties the wallet to exactly nothing with Max', async () => {
    const { person, wallet } = await rig.trader('Emptier', 2n);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await person.say(stranger());
    await person.waitFor(/How much SOL/);
    await tapAndWait(person, 'Max', /the wallet ends empty/);
    await rig.confirmWithPin(person);
    await person.waitFor(/Sent [\d.]+ SOL \(final\)/);
    expect(await rig.chain.balance(wallet.address)).toBe(0n);
  });

  it('stops at each question with /cancel, and with Cancel on the last screen', async () => {
    const { person } = await rig.trader('Stopper', 2n);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await person.say('/cancel');
    await person.waitFor(/Stopped. Nothing was sent/);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await person.say(stranger());
    await person.waitFor(/How much SOL/);
    await person.say('/cancel');
    await person.waitFor(/Stopped. Nothing was sent/);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await person.say(stranger());
    await person.waitFor(/How much SOL/);
    await tapAndWait(person, 'Cancel', /Stopped. Nothing was sent/);
    await person.say('/withdraw_sol');
    await person.waitFor(/To which/);
    await person.say(stranger());
    await person.waitFor(/How much SOL/);
    await person.say('1');
    await person.waitFor(/Send 1 SOL/);
    await tapAndWait(person, 'Cancel', /Not done. Nothing was sent/);
    await person.say('1');
    await person.waitFor(/I did not understand that/);
    expect(await rig.intents(person)).toHaveLength(0);
  });

  it('points to the deposit when there is nothing', async () => {
    const { person } = await rig.trader('Poor');
    await person.say('/withdraw_sol');
    await person.waitFor(/holds no SOL yet/);
    await person.say('/withdraw_spl');
    await person.waitFor(/holds no tokens/);
  });
});

describe('/withdraw_spl', () => {
  it('sends a token and opens the recipient’s account', async () => {
    const { person, wallet } = await rig.trader('Giver', 5n);
    const pup = rig.token('PUP');
    await person.say(pup.mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.5', /You get about/);
    await person.tap('Confirm buy');
    await person.waitFor(/Bought[\s\S]* · not final/);
    await person.say('/withdraw_spl');
    await person.waitFor(/Which token do you want/);
    await tapAndWait(person, /PUP/, /Give the wallet, not a token account/);
    const { wallet: other } = await rig.trader('Receiver');
    await person.say(other.address);
    await person.waitFor(/How much PUP/);
    await person.say('0.0000000000001');
    await person.waitFor(/too many decimals/);
    await tapAndWait(person, '50 %', /New account for the recipient/);
    await rig.confirmWithPin(person);
    await person.waitFor(/Sent [\d,.]+ PUP \(final\)/);
    const [got] = await rig.chain.holdings(other.address);
    expect(got?.mint).toBe(pup.mint);
    const [left] = await rig.chain.holdings(wallet.address);
    expect(got?.amount).toBeGreaterThan(0n);
    expect((left?.amount ?? 0n) - (got?.amount ?? 0n)).toBeLessThanOrEqual(1n);
  });
});
