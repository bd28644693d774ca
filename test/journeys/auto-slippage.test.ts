import { afterAll, beforeAll, expect, it } from 'vitest';
import { type JourneyRig, PIN, startJourneyRig } from './rig.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('auto slippage');
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
