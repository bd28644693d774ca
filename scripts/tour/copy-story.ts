import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@grammyjs/types';
import type { Person } from '@tradepost/local-telegram';
import type { ChainReader } from './chain-reader.ts';
import { equal, holds, say } from './checks.ts';
import type { RestTrader } from './rest-swap.ts';
import { askTrade, signatureOf, waitForResult, waitForScreen } from './screens.ts';
import { PIN, setPin } from './set-pin.ts';

const WSOL = 'So11111111111111111111111111111111111111112';
const SOL = 1_000_000_000n;
const WITHIN_MS = 60_000;
const POLL_MS = 1_000;
const MOST_TRIES = 3;
/** The size that the form begins with. */
const EACH_LAMPORTS = SOL / 10n;

export type CopyStory = {
  readonly who: Person;
  readonly wallet: string;
  /** The wallet that is copied: a program that trades by REST. */
  readonly leader: RestTrader;
  readonly mint: string;
  readonly chain: ChainReader;
};

/** Follow, replay, copy, exit. Ends with nothing held, no order open and the copy stopped. */
export async function copyStory(story: CopyStory): Promise<void> {
  const { who, leader, mint } = story;
  say('Erin sets a PIN, and exits that go with each purchase');
  await setPin(who);
  await setExits(story);

  say('She follows a wallet by its address, and sees what copying it would have brought');
  await swap(leader, WSOL, mint, SOL);
  await openFollowing(who);
  await who.tap('Follow a wallet');
  await who.waitFor(/Which wallet/);
  await who.say(leader.address);
  await who.waitFor(/Give it a name/);
  await who.say('whale');
  await waitForScreen(who, /^whale · /);
  await who.tap('Copy…');
  const replay = textOf(await waitForScreen(who, /^whale · \S+ · not copied/));
  holds(
    'the replay comes before the switch, with its warning',
    /Copied wallets can sell to you/.test(replay),
  );

  say('She copies it: 0.1 SOL a buy, agreed to by PIN');
  await who.tap('Copy this wallet');
  const form = textOf(await waitForScreen(who, /^Copy whale with/));
  holds('her exits are on the form', /Exits: .*(TP|Trail|trail)/.test(form));
  await who.tap('Young');
  await waitForScreen(who, /Young: yes/);
  await who.tap('Start copying');
  await who.waitFor(/Type your PIN to agree/);
  await who.say(PIN);
  await waitForScreen(who, /^whale · \S+ · copying/);

  await copiedPurchase(story);
  await copiedSale(story);

  say('She stops the copy');
  await openFollowing(who);
  await who.tap('whale');
  await waitForScreen(who, /^whale · /);
  await who.tap('Copy…');
  await waitForScreen(who, /· copying/);
  await who.tap('Stop');
  await waitForScreen(who, /not copied/);
  holds('nothing is copied any more', true);
}

async function copiedPurchase({ who, wallet, leader, mint, chain }: CopyStory): Promise<void> {
  say('The wallet buys; she buys with it, once, and her exits stand beside it');
  const before = await chain.lamports(wallet);
  const signature = signatureOf(await boughtWith(who, () => swap(leader, WSOL, mint, 2n * SOL)));
  console.log(`  signature ${signature}`);
  const buy = await chain.transaction(signature);
  equal(
    'she paid 0.1 SOL, the network fee and the account’s rent, nothing else',
    before - (await chain.lamports(wallet)),
    EACH_LAMPORTS + buy.feeLamports + (await chain.tokenAccountRent()),
  );
  holds('something arrived', (await chain.tokens(wallet, mint)) > 0n);
  await who.say('/orders');
  const orders = textOf(await waitForScreen(who, /^Orders/));
  holds('the exits are open', /TP/.test(orders) && /Trail/.test(orders));
}

/**
 * The message of the copied purchase. The copy's rules may skip one that came too late or whose sale could not be rehearsed, as happens on a
 * machine with much other work. The wallet then buys once more, and the reason is printed.
 */
async function boughtWith(who: Person, buys: () => Promise<void>): Promise<Message> {
  for (let tries = 1; ; tries += 1) {
    await buys();
    const bought = await waitForScreen(who, /^Copy of whale\nBought /).catch(() => null);
    if (bought !== null) return bought;
    await openFollowing(who);
    await who.tap('whale');
    await waitForScreen(who, /^whale · /);
    await who.tap('Copy…');
    await waitForScreen(who, /· copying/);
    await who.tap('Skips');
    const skips = textOf(await waitForScreen(who, /last decisions/));
    console.log(skips.replaceAll(/^/gm, '  '));
    if (tries === MOST_TRIES) throw new Error(`the copy bought nothing in ${tries} tries`);
  }
}

async function copiedSale({ who, wallet, leader, mint, chain }: CopyStory): Promise<void> {
  say('The wallet sells all of it; so does she');
  await swap(leader, mint, WSOL, await leader.held(mint));
  const until = performance.now() + WITHIN_MS;
  while ((await chain.tokens(wallet, mint)) > 0n && performance.now() < until) await pause(POLL_MS);
  equal('nothing of it is left', await chain.tokens(wallet, mint), 0n);
  await who.waitFor(/Sold all|^Sold/, { timeoutMs: WITHIN_MS, past: true });
  let orders = '';
  while (performance.now() < until) {
    await who.say('/orders');
    orders = textOf(await waitForScreen(who, /^Orders/));
    if (/No orders/.test(orders)) break;
    await pause(POLL_MS);
  }
  holds('and its exits are over', /No orders/.test(orders));
}

/** A form of exits belongs to a holding: she buys a little, keeps the form as her default, and sells. */
async function setExits({ who, mint }: CopyStory): Promise<void> {
  await onCard(who, mint);
  await confirm(who, { ask: '🟢 0.1', button: 'Confirm buy', done: /^Bought/ });
  await onCard(who, mint);
  await who.tap('TP/SL');
  await waitForScreen(who, /Exits/);
  await who.tap('TP +25%');
  await waitForScreen(who, /TP \+25% at/);
  await who.tap('15%');
  await waitForScreen(who, /below its high/);
  await who.tap('As default');
  await who.waitForToast(/go with each purchase/);
  await onCard(who, mint);
  await confirm(who, { ask: '🔴 100%', button: 'Confirm sell', done: /^Sold/ });
}

async function confirm(
  who: Person,
  { ask, button, done }: { readonly ask: string; readonly button: string; readonly done: RegExp },
): Promise<void> {
  const asked = await askTrade(who, ask);
  await who.tap(button);
  console.log(`  signature ${signatureOf(await waitForResult(who, asked, done))}`);
}

async function openFollowing(who: Person): Promise<void> {
  await who.say('/home');
  await waitForScreen(who, /Send a name/);
  await who.tap('Following');
  await waitForScreen(who, /^Following/);
}

async function onCard(who: Person, mint: string): Promise<void> {
  await who.say(mint);
  await waitForScreen(who, /\n\S+( SOL)? · cap |No market/);
}

async function swap(leader: RestTrader, from: string, to: string, amount: bigint): Promise<void> {
  const { signature } = await leader.swap({
    fromTokenAddress: from,
    toTokenAddress: to,
    amount: amount.toString(),
    slippageBps: 500,
  });
  console.log(`  signature ${signature}`);
}

function textOf(message: { readonly text?: string; readonly caption?: string }): string {
  return message.text ?? message.caption ?? '';
}
