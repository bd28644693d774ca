import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@grammyjs/types';
import type { Person } from '@tradepost/local-telegram';
import type { ChainReader } from './chain-reader.ts';
import { equal, holds, say } from './checks.ts';
import { movePrice } from './move-price.ts';
import type { RestTrader } from './rest-swap.ts';
import { signatureOf, waitForScreen } from './screens.ts';

const WITHIN_MS = 60_000;
/** Two rounds of a DCA lie a minute apart. */
const DCA_MS = 150_000;
const POLL_MS = 3_000;

export type OrderStory = {
  readonly who: Person;
  readonly wallet: string;
  /** Moves the price, by real trades. */
  readonly market: RestTrader;
  readonly mint: string;
  readonly chain: ChainReader;
};

/** A bracket, a trailing stop and a DCA, over prices that real trades move. Ends with no order open. */
export async function orderStory(story: OrderStory): Promise<void> {
  const { who, market, mint } = story;
  say('Dave starts a DCA: two rounds, a minute apart; the first is bought at once');
  await onCard(story);
  await who.tap('DCA');
  await waitForScreen(who, /DCA PUP/);
  await who.say('2 x 1min');
  await waitForScreen(who, /every 1 min, 2 times in all/);
  await who.say('0.25');
  await waitForScreen(who, /DCA PUP · buys 0\.25 SOL now/);
  await who.tap('Start');
  await waitForScreen(who, /Order #1/);
  await waitForScreen(who, /^#1 DCA .*\nBought .*PUP for 0\.25 SOL/);
  holds('the first round was bought', true);

  await movePrice(market, mint, 1.6);
  await bracket(story);
  holds('the second round came a minute later, and the order is over', await isOver(who, /DCA buy/));
  await trailingStop(story);
  holds('no order is open', await isOver(who, /#\d/));
}

/** A limit buy at −10 % with a take-profit and a stop behind it: bought once, never above its limit, and sold by the stop. */
async function bracket({ who, wallet, market, mint, chain }: OrderStory): Promise<void> {
  say('He orders Puppy at −10 %, with a take-profit and a stop-loss behind it, and the price falls');
  await onCard({ who, mint });
  await who.tap('Limit');
  await waitForScreen(who, /Limit (buy|sell)/);
  await who.tap('−10%');
  await waitForScreen(who, /You never pay more/);
  await who.tap('TP +50%');
  await waitForScreen(who, /TP \+50% at/);
  await who.tap('SL −20%');
  const form = textOf(await waitForScreen(who, /SL −20% at/));
  await who.tap('Place order');
  await waitForScreen(who, /Order #\d+/);

  await movePrice(market, mint, 0.86);
  const bought = await who.waitFor(/^#\d+ Limit .*\nBought .*PUP for 0\.5 SOL \(/, { timeoutMs: WITHIN_MS });
  const buy = await chain.transaction(signatureOf(bought));
  console.log(`  signature ${signatureOf(bought)}`);
  const paid = -(buy.deltas.get(wallet) ?? 0n) - buy.feeLamports;
  const limit = Number(/Exactly ([\d.]+) SOL/.exec(form)?.[1] ?? 'NaN');
  holds(
    `it was bought, not above its limit of ${limit} SOL`,
    Number(paid) / 1e9 / Number(unitsIn(bought, 'Bought')) <= limit * 1.0001,
  );

  await movePrice(market, mint, 0.75);
  // Final: until then the position takes no new stop.
  const sold = await who.waitFor(/^#\d+ Stop-loss .*\nSold .*PUP · [\s\S]* · final/, {
    timeoutMs: WITHIN_MS,
  });
  console.log(`  signature ${signatureOf(sold)}`);
  equal('the stop sold what the order had bought', unitsIn(sold, 'Sold'), unitsIn(bought, 'Bought'));
}

/** It follows the price up and sells on the way down. */
async function trailingStop({ who, wallet, market, mint, chain }: OrderStory): Promise<void> {
  say('He lets a stop follow the price 15 % below its high, and the price rises and falls');
  await onCard({ who, mint });
  // Ticked while the sale of the stop before is not final yet.
  await who.tap(/^TP\/SL/);
  await waitForScreen(who, /Exits PUP/);
  await who.tap('15%');
  await waitForScreen(who, /below its high/);
  await who.tap('Place order');
  const page = await waitForScreen(who, /Order #\d+|Trailing stop PUP/);
  const before = await highAbove(who, page, 0);
  await movePrice(market, mint, 1.3);
  // The price must stay there for a while before it counts as a high.
  await highAbove(who, page, before * 1.2);
  await movePrice(market, mint, 0.75);
  const sold = await who.waitFor(/^#\d+ Trailing stop .*\nSold .*PUP · /, { timeoutMs: WITHIN_MS });
  console.log(`  signature ${signatureOf(sold)}`);
  equal('the stop sold all he held', await chain.tokens(wallet, mint), 0n);
}

/** Looks at the order's page until the high that it follows is above `least`. Results of other orders may come below it. */
async function highAbove(who: Person, page: Message, least: number): Promise<number> {
  const until = performance.now() + WITHIN_MS;
  while (performance.now() < until) {
    await who.tap('Refresh', page.message_id);
    // A page that is the same as before is not reported.
    const seen = await who
      .waitFor((text, { message_id }) => message_id === page.message_id && highIn(text) > least, {
        past: true,
        timeoutMs: POLL_MS,
      })
      .catch(() => null);
    if (seen !== null) return highIn(textOf(seen));
  }
  throw new Error(`the stop follows no high above ${least} SOL:\n${await who.transcript()}`);
}

function highIn(page: string): number {
  return Number(/Its high for this size: ([\d.]+) SOL/.exec(page)?.[1] ?? 0);
}

async function onCard({ who, mint }: Pick<OrderStory, 'who' | 'mint'>): Promise<void> {
  await who.say(mint);
  await waitForScreen(who, /\n\S+( SOL)? · cap |No market/);
}

/** Asks until the list of orders shows nothing like it. */
async function isOver(who: Person, order: RegExp): Promise<boolean> {
  const until = performance.now() + DCA_MS;
  while (performance.now() < until) {
    await who.say('/orders');
    if (!order.test(textOf(await waitForScreen(who, /Orders|No orders/)))) return true;
    await pause(POLL_MS);
  }
  return false;
}

/** The line `Bought 49,278 PUP …` → whole tokens. */
function unitsIn(message: Message, word: string): bigint {
  const number = new RegExp(`^${word} ([\\d,]+)`, 'm').exec(textOf(message))?.[1] ?? '-1';
  return BigInt(number.replaceAll(',', ''));
}

function textOf(message: { readonly text?: string; readonly caption?: string }): string {
  return message.text ?? message.caption ?? '';
}
