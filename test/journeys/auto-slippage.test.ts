import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bps } from '../../src/core/amounts/bps.ts';
import { unlocked } from '../../src/modules/guard/rules/unlock.ts';
import type { OwnLanding } from '../../src/modules/trading/rules/landings.ts';
import { confirmable } from '../../src/modules/trading/use/trade-quote.ts';
import { PASSED } from '../support/passed.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const landings: OwnLanding[] = [];
const landingSlots: number[] = [];
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('auto slippage', { spendCapLamports: 10_000n * SOL, landings, landingSlots });
});
afterAll(() => rig?.stop());

const CARD = /In and out now|you hold none/;

it('a slippage that is worked out at the confirm screen is said there, bound, and within its cap', async () => {
  const { person } = await rig.trader('Auto', 5n);
  await person.say(rig.token('PUP').mint);
  await person.waitFor(CARD);
  await person.tap('Slip 5%');
  await person.waitFor(/Slippage, buying · 5%/);
  await person.tap('10%');
  await person.waitFor(/Slippage, buying · 10%/);
  await person.tap('Auto');
  // No market of it is on the tape here: it counts as young.
  await person.waitFor(/Slippage, buying · auto, 10% at most\nPUP now: 5%/);
  expect((await rig.user(person)).settings).toMatchObject({ slippageBuyBps: 1_000, autoSlipBuyBps: 1_000 });
  await person.tap('Back to PUP');
  await person.waitFor((_text, message) => JSON.stringify(message.reply_markup).includes('Slip auto'));
  await person.tap('🟢 0.1');
  await person.waitFor(/\(slip 5%, auto\)/);
  await person.tap('Confirm buy');
  await person.waitFor(/Bought/);
  const [intent] = await rig.intents(person);
  const [attempt] = await rig.db.intents.attempts(intent?.id ?? '');
  expect(attempt?.terms).toMatchObject({ slippageBps: 500 });
  // The slot of its quote is kept: the block's is not much later.
  const quotedSlot = intent?.params.kind === 'buy' ? intent.params.quotedSlot : undefined;
  expect(quotedSlot).toBeGreaterThan(0n);
  expect(attempt?.landedSlot).toBeGreaterThanOrEqual(quotedSlot ?? 0n);

  // Typed, it is the most that auto takes.
  await person.say('/setting');
  await person.waitFor(/Slip: buy auto, sell 5%/);
  await person.tap('Slippage');
  await person.waitFor(/Slippage, buying/);
  for (const wrong of ['0.5', '51', 'abc', '0']) {
    await person.say(wrong);
    await person.waitFor(/Auto takes 1 % to 50 % at most/);
  }
  await person.say('3');
  await person.waitFor(/auto, 3% at most/);
  await person.say(rig.token('PUP').mint);
  await person.waitFor(CARD);
  await person.tap('🟢 0.1');
  const confirm = await person.waitFor(/\(slip 3%, auto\)/);
  expect(confirm.text).toMatch(/Moves faster than 3%/);
  await person.tap('Allow 5%');
  const once = await person.waitFor(/\(slip 5%\)/);
  expect(once.text).not.toMatch(/Moves faster/);
  expect((await rig.user(person)).settings.autoSlipBuyBps).toBe(300);

  // A tap on a number is fixed again, and a cap above 15 % asks for the PIN as such a slippage does.
  await person.say('/setting');
  await person.waitFor(/Settings/);
  await person.tap('Slippage');
  await person.waitFor(/auto, 3% at most/);
  const { id: userId } = await rig.user(person);
  const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
  await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
  await person.say('16');
  await person.waitFor(/PIN/);
  expect((await rig.user(person)).settings.autoSlipBuyBps).toBe(300);
}, 60_000);

/** The price rises by real purchases, each of a person of their own. */
async function pushUp(mint: Address, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const { wallet } = await rig.trader('Whale', 21n);
    const userId = wallet.userId ?? '';
    const guard = await rig.db.guards.find(userId);
    await rig.db.guards.save(unlocked({ ...guard, pinHash: 'a hash' }, rig.clock.now()), PASSED);
    const quote = await rig.services.trade.quoteTrade({
      side: 'buy',
      wallet: wallet.address,
      mint,
      slippageBps: bps(500),
      tier: 'normal',
      amount: { lamports: 20n * SOL },
    });
    const asked = { userId, walletId: wallet.id, idemKey: rig.ids.token(), trade: confirmable(quote) };
    const { intent } = await rig.services.trade.confirmTrade(asked);
    await until(async () => (await rig.db.intents.find(intent.id))?.status === 'SUCCEEDED');
  }
}

/** The whole percents on the button of the message that is shown. */
const allowed = (markup: unknown): number =>
  Number(/"(?:Allow|Permitir) (\d+)\s?%"/.exec(JSON.stringify(markup))?.[1] ?? Number.NaN);

it('a purchase that the price failed offers the slippage that it lacked, for that purchase alone', async () => {
  const { person } = await rig.trader('Late', 5n);
  const mint = rig.token('KOI').mint as Address;
  await person.say(mint);
  await person.waitFor(CARD);
  await person.tap('🟢 0.1');
  await person.waitFor(/At least .*\(slip 5%\)/);
  await pushUp(mint, 3);
  await person.tap('Confirm buy');
  const failed = await person.waitFor(/The price moved[\s\S]*With \d+% it would have passed/);
  const percent = allowed(failed.reply_markup);
  expect(percent).toBeGreaterThan(5);
  expect(failed.text).toContain(`With ${percent}% it would have passed`);
  // Nothing was bought, and a setting of that size was not made.
  expect((await rig.intents(person)).filter(({ status }) => status === 'SUCCEEDED')).toEqual([]);
  await person.tap(`Allow ${percent}%`);
  await person.waitFor(new RegExp(`At least .*\\(slip ${percent}%\\)`));
  expect((await rig.user(person)).settings.slippageBuyBps).toBe(500);
  await person.tap('Confirm buy');
  await person.waitFor(/Bought/);
  const [bought] = await rig.intents(person);
  expect(bought?.params).toMatchObject({ kind: 'buy', terms: { slippageBps: 100 * percent } });
  expect((await rig.user(person)).settings.slippageBuyBps).toBe(500);

  // Who has a PIN types it for more than 15 %, and a button of another size than the bot's is stale.
  const { id: userId } = await rig.user(person);
  const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
  await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
  await person.say(mint);
  await person.waitFor(CARD);
  await person.tap('🟢 0.1');
  await person.waitFor(/\(slip 5%\)/);
  await pushUp(mint, 2);
  await person.tap('Confirm buy');
  const again = await person.waitFor(/With \d+% it would have passed/);
  const wide = allowed(again.reply_markup);
  expect(wide).toBeGreaterThan(15);
  await person.tap(`Allow ${wide}%`);
  await person.waitFor(/A slippage above 15 % .* Type your PIN/);
  await person.say('000000');
  await person.waitFor(/Wrong PIN|wrong/i);
  await person.say(PIN);
  await person.waitFor(new RegExp(`At least .*\\(slip ${wide}%\\)`));
}, 120_000);

it('the desk’s own failures raise it, and the screen says how many there were', async () => {
  const { person } = await rig.trader('Learner', 5n);
  const mint = rig.token('INK').mint as Address;
  const landing = (n: number): OwnLanding => ({
    mint,
    wallet: mint,
    isCurve: false,
    slippageBps: 5_000,
    failed: n % 10 === 0,
    at: rig.clock.now() - n * 60_000,
  });
  await person.say(mint);
  await person.waitFor(CARD);
  await person.tap('Slip 5%');
  await person.waitFor(/Slippage, buying/);
  await person.tap('Auto');
  await person.waitFor(/INK now: 5%/);
  await person.tap('Back to INK');
  await person.waitFor(CARD);
  landings.push(...Array.from({ length: 40 }, (_, n) => landing(n)));
  await person.tap('Slip auto');
  await person.waitFor(/INK now: 10%\n4 of 40 trades here failed with it/);

  // Eighteen land in two slots, two much later: nine of ten are said.
  landingSlots.push(30, 29, ...Array.from({ length: 18 }, () => 2));
  await person.tap('Back to INK');
  await person.waitFor(CARD);
  await person.tap('Slip auto');
  await person.waitFor(/INK now: 10%\n9 of 10 trades here land in 1 s\n4 of 40/);
}, 60_000);
