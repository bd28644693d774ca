import type { Person } from '@tradepost/local-telegram';
import { holds, say } from './checks.ts';
import type { RestTrader } from './rest-swap.ts';
import { hasButton, waitForScreen } from './screens.ts';

const WSOL = 'So11111111111111111111111111111111111111112';
/** A part of the curve that moves the price less than a purchase may. */
const STEP_LAMPORTS = 2_500_000_000n;
const MOST_STEPS = 12;
const WITHIN_MS = 60_000;
const SOON_MS = 4_000;

/** Someone else's launch as a person sees it: listed, near its end, graduated. `market` buys the curve up. */
export async function graduationStory(who: Person, market: RestTrader, mint: string): Promise<void> {
  say(
    'Bob sees the launch on the list of new ones, and asks to hear when one is near its end and when it graduates',
  );
  await who.say('/new');
  const listed = await waitForScreen(who, /^New · 24 h/);
  holds('the launch is on the list', /\nMO/.test(listed.text ?? ''));
  await who.tap('Alert me');
  await waitForScreen(who, /^Launch alerts/);
  for (const stage of ['Near', 'Graduated']) {
    await who.tap(stage);
    await who.waitFor((_, message) => hasButton(message, `✓ ${stage}`));
  }

  say('Others buy the curve up to its end');
  let hasGraduated = false;
  for (let step = 0; step < MOST_STEPS && !hasGraduated; step += 1) {
    const { signature } = await market.swap({
      fromTokenAddress: WSOL,
      toTokenAddress: mint,
      amount: STEP_LAMPORTS.toString(),
      slippageBps: 5_000,
    });
    console.log(`  signature ${signature}`);
    hasGraduated = await who
      .waitFor(/MOON graduated from/, { past: true, timeoutMs: SOON_MS })
      .then(() => true)
      .catch(() => false);
  }
  await who.waitFor(/MOON is near its end/, { past: true, timeoutMs: WITHIN_MS });
  holds('he hears that it was near its end, and that it graduated', hasGraduated);
  await who.say('/new');
  await waitForScreen(who, /^New · 24 h/);
  await who.tap('Graduated');
  const graduated = await waitForScreen(who, /^Graduated · 24 h/);
  holds('it is on the list of those that graduated', /\nMO/.test(graduated.text ?? ''));
}
