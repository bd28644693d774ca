import type { Person } from '@tradepost/local-telegram';
import type { ChainReader } from './chain-reader.ts';
import { equal, holds, say } from './checks.ts';
import { signatureOf, waitForResult, waitForScreen } from './screens.ts';
import { PIN, setPin } from './set-pin.ts';

const WITHIN_MS = 60_000;

export type DevSellsStory = {
  readonly who: Person;
  readonly wallet: string;
  readonly mint: string;
  readonly chain: ChainReader;
  /** The wallet that made the token sells what it holds of it. */
  readonly sellAsDev: () => Promise<void>;
};

/** A purchase with an exit that waits for the maker's sale: the maker sells, and all of it is sold. Ends with the default exits off. */
export async function devSellsStory({ who, wallet, mint, chain, sellAsDev }: DevSellsStory): Promise<void> {
  say('Bob sets a PIN, which a purchase of a token of today asks for');
  await setPin(who);
  say('He lets each purchase be sold when the wallet that made the token sells');
  await chooseDevSells(who, /Exits after each buy: Dev sells/);
  await who.say(mint);
  await waitForScreen(who, /\n\S+( SOL)? · cap /);
  await who.tap('🟢 0.1');
  const asked = await waitForScreen(who, /Then Dev sells/);
  await who.tap('Confirm buy');
  await who.waitFor(/Type your PIN|Send your PIN|your PIN/);
  await who.say(PIN);
  const bought = await waitForResult(who, asked, /^Bought/);
  console.log(`  signature ${signatureOf(bought)}`);
  const held = await chain.tokens(wallet, mint);
  holds('he holds some of it', held > 0n);

  await sellAsDev();
  const sold = await who.waitFor(/^#\d+ Dev exit .*\nSold .*MOON/, { past: true, timeoutMs: WITHIN_MS });
  console.log(`  signature ${signatureOf(sold)}`);
  equal('the exit sold all he held', await chain.tokens(wallet, mint), 0n);
  await chooseDevSells(who, /Exits after each buy: off/);
}

/** A tap turns it over. */
async function chooseDevSells(who: Person, then: RegExp): Promise<void> {
  await who.say('/setting');
  await waitForScreen(who, /Exits after each buy/);
  await who.tap('Exits');
  await waitForScreen(who, /rounds have none/i);
  await who.tap(/Dev sells/);
  await waitForScreen(who, then);
}
