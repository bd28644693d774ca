/**
 * `npm run tour`: plays the main job end to end on the embedded defaults, in a fresh state folder, without a person. Prints every chat
 * message as a person would see it and every signature, and checks the chain's balances to the lamport by plain JSON-RPC. Exits 0 only when
 * all of it is true. With `-- --keys` it plays another story: how a person gets an API key. With `-- --provider public|free|paid|hostile` the product
 * reads the chain through such a provider.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPerson, type Person } from '@tradepost/local-telegram';
import { addressFromBytes } from '@tradepost/solana';
import { PERSON_LIMIT } from '../src/platform/telegram/middleware/rate-limit.ts';
import { startProgram } from '../test/support/program.ts';
import { createChainReader } from './tour/chain-reader.ts';
import { equal, holds, say, summary } from './tour/checks.ts';
import { copyStory } from './tour/copy-story.ts';
import { devSellsStory } from './tour/dev-sells-story.ts';
import { findAndTrade } from './tour/find-and-trade.ts';
import { graduationStory } from './tour/graduation-story.ts';
import { keyStory, OPERATOR } from './tour/key-story.ts';
import { launchToken, sellLaunched } from './tour/launch-token.ts';
import { makeToken } from './tour/make-token.ts';
import { orderStory } from './tour/order-story.ts';
import { createRestTrader } from './tour/rest-swap.ts';
import {
  askTrade,
  hasButton,
  signatureOf,
  startLink,
  waitForPast,
  waitForResult,
  waitForScreen,
} from './tour/screens.ts';

/** Slots of 100 ms, with which a slow machine keeps up and nothing waits long. */
const SLOT_MS = '100';
const SOL = 1_000_000_000n;
const PIN = '402917';

const dir = mkdtempSync(join(tmpdir(), 'tradepost-tour-'));
/** A little slower than the bot allows: where the machine is busy, two taps may arrive closer than they left. */
const PACE = { ...PERSON_LIMIT, windowMs: PERSON_LIMIT.windowMs + 1_500 };
const isKeyStory = process.argv.includes('--keys');
const provider = process.argv.includes('--provider')
  ? process.argv[process.argv.indexOf('--provider') + 1]
  : undefined;
const program = await startProgram(dir, {
  LOCALNET_SLOT_MS: SLOT_MS,
  OPERATORS: String(OPERATOR),
  ...(provider === undefined ? {} : { LOCALNET_PROVIDER: provider }),
});
/** This script's own reads and sends do not pass the product's provider. */
const behind = { ...program.run, rpcUrl: `${program.run.rpcUrl}/direct` };
try {
  await (isKeyStory ? keyStory(program.run) : tour());
  if (provider !== undefined) await tellFaults(program.run.rpcUrl);
  summary();
} finally {
  await program.stop();
  rmSync(dir, { recursive: true, force: true });
}

async function tour(): Promise<void> {
  const chain = createChainReader(behind.rpcUrl);
  const person = (id: number, first_name: string, language_code: string): Promise<Person> =>
    createPerson({ url: program.run.chatUrl, pace: PACE, user: { id, first_name, language_code } });
  const alice = await person(101, 'Alice', 'en');
  const bob = await person(102, 'Bob', 'en');
  const { pools } = (await (await fetch(`${program.run.rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly { readonly mintA: string; readonly mintB: string; readonly programA: string }[];
  };
  const wsol = 'So11111111111111111111111111111111111111112';
  const puppy = pools.find((pool) => pool.mintB === wsol)?.mintA ?? '';
  const taxed = pools.find((pool) => pool.programA.startsWith('TokenzQ'))?.mintA ?? '';

  say('Alice starts the bot: nothing works before her deposit wallet exists');
  await alice.start();
  await waitForScreen(alice, /Welcome to Tradepost/);
  await alice.say('/trade');
  holds(
    'a core command answers with the Create Deposit Wallet button',
    hasButton(await waitForScreen(alice, /deposit wallet/), 'Create Deposit Wallet'),
  );
  await alice.tap('Create Deposit Wallet');
  holds(
    'the wallet counts as (1/5)',
    hasButton(await waitForScreen(alice, /deposit wallet is ready/), 'Wallets (1/5)'),
  );

  say('She deposits: an address, a QR picture, two play SOL');
  const aliceWallet = await deposit(alice);
  equal('Alice holds the faucet’s 2 SOL', await chain.lamports(aliceWallet), 2n * SOL);

  say('She buys Puppy for 0.5 SOL');
  const bought = await trade(alice, puppy, '🟢 0.5', 'Confirm buy', /^Bought/);
  const buy = await chain.transaction(bought.signature);
  const held = await chain.tokens(aliceWallet, puppy);
  equal(
    'the wallet paid 0.5 SOL, the network fee and the account’s rent, nothing else',
    -(buy.deltas.get(aliceWallet) ?? 0n),
    SOL / 2n + buy.feeLamports + (await chain.tokenAccountRent()),
  );
  equal('the chat says what arrived', bought.units('Bought', 6), shownUnits(held));
  const treasury = [...buy.deltas].find(([, delta]) => delta === SOL / 200n)?.[0] ?? '';
  holds('the platform fee of 1 % is a transfer in the same transaction', treasury !== '');

  say('She sells half of it');
  const before = await chain.lamports(aliceWallet);
  const sold = await sell(alice, '🔴 50%');
  const sale = await chain.transaction(sold.signature);
  equal('half is sold, the odd unit stays hers', await chain.tokens(aliceWallet, puppy), held - held / 2n);
  equal(
    'her lamports rose by what the chat says, to the sixth digit, less the network fee',
    cut((await chain.lamports(aliceWallet)) - before + sale.feeLamports, 1_000n),
    sold.units('·', 9),
  );

  say('She reads her receipt');
  await receipt(alice, sold.signature);

  await findAndTrade(alice, program.run, puppy);

  say('She buys for 1 SOL: more than one desk takes at a good price, so it is split over two');
  const heldBefore = await chain.tokens(aliceWallet, puppy);
  const split = await trade(alice, puppy, '🟢 1', 'Confirm buy', /^Bought/);
  holds('the confirm screen names both desks', /Desk North \d+% \+ Desk South \d+%/.test(split.confirm));
  const got = (await chain.tokens(aliceWallet, puppy)) - heldBefore;
  equal('what arrived is what the chat says', split.units('Bought', 6), shownUnits(got));
  // The confirm screen shows whole tokens of an amount this large.
  equal(
    'and what the confirm screen quoted, to the last digit it shows',
    unitsAfter(split.confirm, 'about', 6),
    got - (got % 1_000_000n),
  );

  say('She buys a token that no pool trades against SOL: the way leads through another one');
  const direct = (mint: string) => pools.some((pool) => pool.mintA === mint && pool.mintB === wsol);
  const far = pools.find(({ mintA }) => mintA !== wsol && !direct(mintA));
  const [distant, between] = [far?.mintA ?? '', far?.mintB ?? ''];
  const hopped = await trade(alice, distant, '🟢 0.1', 'Confirm buy', /^Bought/);
  holds('the confirm screen names both exchanges', /Via Desk \w+ to \w+, then Desk \w+/.test(hopped.confirm));
  equal(
    'what arrived is what the chat says',
    hopped.units('Bought', 6),
    shownUnits(await chain.tokens(aliceWallet, distant)),
  );
  equal('nothing is left of the token between', await chain.tokens(aliceWallet, between), 0n);
  const hops = await chain.transaction(hopped.signature);
  equal(
    'the wallet paid 0.1 SOL, the network fee and the rent of the one account that stays',
    -(hops.deltas.get(aliceWallet) ?? 0n),
    SOL / 10n + hops.feeLamports + (await chain.tokenAccountRent()),
  );

  say('She mines and claims points, gives them for a fee discount, and trades');
  await discount(alice, puppy);

  say('A program swaps by REST: it signs what POST /dex/swap returned');
  const trader = await createRestTrader(behind, 20n * SOL);
  const swapped = await trader.swap({
    fromTokenAddress: wsol,
    toTokenAddress: puppy,
    amount: (5n * SOL).toString(),
    slippageBps: 100,
  });
  console.log(`  signature ${swapped.signature}`);
  const protocols = swapped.data.bestRouter.subRouters[0]?.protocol ?? [];
  holds(
    `the route is split: ${protocols.map(({ name, percent }) => `${name} ${percent} %`).join(' · ')}`,
    protocols.length === 2,
  );
  equal(
    'toTokenAmount arrived, to the unit',
    await chain.tokens(trader.address, puppy),
    BigInt(swapped.data.toTokenAmount),
  );

  const over = await trader.swap({
    fromTokenAddress: wsol,
    toTokenAddress: distant,
    amount: SOL.toString(),
    slippageBps: 100,
  });
  console.log(`  signature ${over.signature}`);
  holds('the next one has two hops', over.data.bestRouter.subRouters.length === 2);
  equal(
    'toTokenAmount arrived over both, to the unit',
    await chain.tokens(trader.address, distant),
    BigInt(over.data.toTokenAmount),
  );
  equal('and nothing stays between', await chain.tokens(trader.address, between), 0n);

  say('She invites: her link, opened as Bob');
  await alice.say('/referral');
  const link = startLink(await waitForScreen(alice, /Referral · code/));
  await bob.follow(link);
  holds(
    'Bob is told that the inviter is attached',
    /attached/.test(textOf(await waitForScreen(bob, /Inviter/))),
  );
  await bob.tap('Create Deposit Wallet');
  await waitForScreen(bob, /deposit wallet is ready/);
  const bobWallet = await deposit(bob);

  say('Bob trades a token that withholds 1 % of each transfer; Alice earns her share on chain');
  const aliceBefore = await chain.lamports(aliceWallet);
  const bobs = await trade(bob, taxed, '🟢 0.5', 'Confirm buy', /^Bought/);
  equal(
    'what arrived is net of the token’s own fee',
    bobs.units('Bought', 6),
    shownUnits(await chain.tokens(bobWallet, taxed)),
  );
  const told = await alice.waitFor(/You earned/, { timeoutMs: 60_000 });
  const reward = ((SOL / 200n) * 3_000n) / 10_000n;
  equal('Alice is told 30 % of the fee', solIn(textOf(told)), reward);
  equal('and has it on chain, to the lamport', (await chain.lamports(aliceWallet)) - aliceBefore, reward);
  await alice.say('/referral');
  holds(
    'her overview shows it paid',
    /paid 0\.0015 SOL/.test(textOf(await waitForScreen(alice, /Referral · code/))),
  );
  await alice.tap('Ledger');
  const audit = textOf(await waitForScreen(alice, /yours/));
  const paidBy = /paid in (\S+)/.exec(audit)?.[1] ?? '';
  equal(
    `her ledger names the payout ${paidBy}, and the chain shows her share in it`,
    (await chain.transaction(paidBy)).deltas.get(aliceWallet) ?? 0n,
    reward,
  );

  say('Alice withdraws her tokens to a wallet that has no account for them, then all of her SOL');
  const cold = freshAddress();
  const rest = await chain.tokens(aliceWallet, puppy);
  await withdraw(alice, '/withdraw_spl', cold, 'max', /PUP/);
  equal('the tokens arrived', await chain.tokens(cold, puppy), rest);
  const balance = await chain.lamports(aliceWallet);
  const out = await withdraw(alice, '/withdraw_sol', cold, 'max', null);
  const last = await chain.transaction(out.signature);
  equal('her wallet is empty', await chain.lamports(aliceWallet), 0n);
  equal('everything but the network fee arrived', await chain.lamports(cold), balance - last.feeLamports);

  say('Every request landed once');
  for (const [name, wallet, count] of [
    ['Alice', aliceWallet, 10],
    ['Bob', bobWallet, 2],
  ] as const) {
    const signatures = await chain.signatures(wallet);
    equal(
      `${name}'s wallet is in no transaction but its own requests, the faucet’s and the reward’s`,
      BigInt(signatures.length),
      BigInt(count),
    );
  }
  const carol = await person(103, 'Carol', 'en');
  await carol.start();
  await waitForScreen(carol, /Welcome to Tradepost/);
  await carol.tap('Create Deposit Wallet');
  await waitForScreen(carol, /deposit wallet is ready/);
  const carolWallet = await deposit(carol);
  await makeToken(carol, carolWallet, chain);
  const moon = await launchToken(carol, carolWallet, chain);
  await devSellsStory({
    who: bob,
    wallet: bobWallet,
    mint: moon,
    chain,
    sellAsDev: () => sellLaunched(carol, carolWallet, moon, chain),
  });
  const market = await createRestTrader(behind, 500n * SOL);
  await graduationStory(bob, market, moon);

  const dave = await person(104, 'Dave', 'en');
  await dave.start();
  await waitForScreen(dave, /Welcome to Tradepost/);
  await dave.tap('Create Deposit Wallet');
  await waitForScreen(dave, /deposit wallet is ready/);
  const daveWallet = await deposit(dave);
  await orderStory({ who: dave, wallet: daveWallet, market, mint: puppy, chain });

  const erin = await person(105, 'Erin', 'en');
  await erin.start();
  await waitForScreen(erin, /Welcome to Tradepost/);
  await erin.tap('Create Deposit Wallet');
  await waitForScreen(erin, /deposit wallet is ready/);
  const erinWallet = await deposit(erin);
  const leader = await createRestTrader(behind, 20n * SOL);
  await copyStory({ who: erin, wallet: erinWallet, leader, mint: puppy, chain });

  for (const one of [alice, bob, carol, dave, erin])
    console.log(`\n──────── the chat of ${one.user.first_name} ────────\n${await one.transcript()}`);
}

/** The provider's faults against the product meanwhile; one without faults has proved nothing. */
async function tellFaults(rpcUrl: string): Promise<void> {
  const response = await fetch(`${rpcUrl}/chaos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { calls, fired } = (await response.json()) as { calls: number; fired: Record<string, number> };
  console.log(
    `  of ${calls} calls: ${Object.entries(fired)
      .map(([kind, times]) => `${kind} ${times}`)
      .join(', ')}`,
  );
  holds(`the provider (${provider}) misbehaved`, Object.keys(fired).length > 0);
}

async function deposit(who: Person): Promise<string> {
  await who.say('/deposit');
  const screen = await who.waitFor((text, message) => message.photo !== undefined && /Send SOL/.test(text));
  holds(
    'the QR picture is a PNG',
    Buffer.from(await who.photo(screen))
      .subarray(1, 4)
      .toString() === 'PNG',
  );
  const address = /[1-9A-HJ-NP-Za-km-z]{32,44}/.exec(textOf(screen))?.[0] ?? '';
  await who.tap(/play SOL/);
  await who.waitForToast(/play SOL are there/);
  return address;
}

type Trade = {
  readonly confirm: string;
  readonly signature: string;
  readonly units: (after: string, decimals: number) => bigint;
};

async function trade(
  who: Person,
  mint: string,
  amount: string,
  confirm: string,
  done: RegExp,
): Promise<Trade> {
  await who.say('/trade');
  await who.waitFor(/Which token/);
  await who.say(mint);
  await waitForScreen(who, /\n\S+( SOL)? · cap |No market/);
  return confirmTrade(who, { ask: amount, button: confirm, done });
}

async function sell(who: Person, button: string): Promise<Trade> {
  return confirmTrade(who, { ask: button, button: 'Confirm sell', done: /^Sold/ });
}

async function confirmTrade(
  who: Person,
  { ask, button, done }: { readonly ask: string; readonly button: string; readonly done: RegExp },
): Promise<Trade> {
  const asked = await askTrade(who, ask);
  const startedAt = performance.now();
  await who.tap(button);
  const message = await waitForResult(who, asked, done);
  console.log(
    `  ${Math.round(performance.now() - startedAt)} ms from the tap to "${textOf(message).split('\n')[0]}"`,
  );
  const signature = signatureOf(message);
  console.log(`  signature ${signature}`);
  return {
    signature,
    confirm: textOf(asked),
    units: (after, decimals) => unitsAfter(textOf(message), after, decimals),
  };
}

/** Points for a discount: the confirm screen and the receipt of the next trade show the smaller fee. */
async function discount(who: Person, mint: string): Promise<void> {
  // Points for a trade come when it is final, which may have been before the trade after it.
  await waitForPast(
    who,
    (text) => text.startsWith('Bought') && text.includes('for 1 SOL') && text.includes('final'),
  );
  await who.say('/home');
  await waitForScreen(who, /Points \d/);
  await who.tap('Earn');
  await who.waitFor((text) => text.startsWith('Earn'));
  await who.tap('Points');
  await waitForScreen(who, /not a token, no cash value/);
  await who.tap('Mine +10');
  await who.waitForToast(/\+10 points/);
  await who.tap('Missions');
  await waitForScreen(who, /First trade \+50: done/);
  await who.tap('Claim First trade');
  await waitForScreen(who, /First trade \+50: claimed/);
  await who.tap('Back');
  await waitForScreen(who, /not a token, no cash value/);
  await who.tap('Shop');
  await waitForScreen(who, /you have \d+ points/);
  await who.tap(/Get fee −10 %, 1 day/);
  await waitForScreen(who, /Give 150 points for this/);
  await who.tap('Give 150 points');
  await waitForScreen(who, /^Done\. Platform fee −10 %/);
  const less = await trade(who, mint, '🟢 0.1', 'Confirm buy', /^Bought/);
  holds(
    'the confirm screen shows the fee with the discount',
    less.confirm.includes('our fee 0.0009 SOL\n(10% off by your points)'),
  );
  const final = await who.waitFor(
    (text, message) =>
      text.startsWith('Bought') &&
      text.includes('PUP for 0.1 SOL') &&
      text.includes('final') &&
      hasButton(message, 'Receipt'),
    { timeoutMs: 30_000 },
  );
  await who.tap('Receipt', final.message_id);
  const shown = textOf(await waitForScreen(who, /Receipt R-[\s\S]*Fee discount/));
  holds(
    'and so does its receipt, from the chain',
    shown.includes('0.0009 SOL fee') && shown.includes('Fee discount 10 %'),
  );
}

async function receipt(who: Person, signature: string): Promise<void> {
  const final = await who.waitFor(
    (text, message) => text.startsWith('Sold') && hasButton(message, 'Receipt'),
    {
      timeoutMs: 30_000,
    },
  );
  await who.tap('Receipt', final.message_id);
  holds(
    'the receipt names the signature',
    textOf(await waitForScreen(who, /Receipt R-/)).includes(signature),
  );
}

async function withdraw(
  who: Person,
  command: string,
  to: string,
  amount: string,
  token: RegExp | null,
): Promise<{ readonly signature: string }> {
  await who.say(command);
  if (token !== null) {
    await waitForScreen(who, /Which token/);
    await who.tap(token);
  }
  await who.waitFor(/which Solana address/);
  await who.say('not an address');
  await who.waitFor(/is not a Solana address/);
  await who.say(to);
  await who.waitFor(/How much/);
  await who.say(amount);
  const confirm = await waitForScreen(who, /cannot be undone/);
  holds('the confirm screen shows the address in full', textOf(confirm).includes(to));
  await typePin(who, textOf(confirm));
  const sent = await waitForResult(who, confirm, /^Sent .*\((in \d|final)/);
  const signature = signatureOf(sent);
  console.log(`  signature ${signature}`);
  return { signature };
}

/** Sets the PIN at the first withdrawal and types it: the bot deletes each message at once. */
async function typePin(who: Person, confirm: string): Promise<void> {
  if (/Set a PIN first/.test(confirm)) {
    await who.tap('Set a PIN');
    await who.waitFor(/Type a new PIN/);
    await who.say(PIN);
    await who.waitFor(/once more/);
    await who.say(PIN);
    await who.waitFor(/Type your PIN/);
  }
  await who.say(PIN);
}

function textOf(message: { readonly text?: string; readonly caption?: string }): string {
  return message.text ?? message.caption ?? '';
}

/** `Bought 49,278.92 PUP` after "Bought" → smallest units, exactly. */
function unitsAfter(text: string, word: string, decimals: number): bigint {
  const number = new RegExp(`${word} ([\\d,]+(?:\\.\\d+)?)`).exec(text)?.[1]?.replaceAll(',', '') ?? '0';
  const [whole = '0', fraction = ''] = number.split('.');
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0'));
}

function cut(units: bigint, step: bigint): bigint {
  return units - (units % step);
}

/** As messages show a token of six decimals: whole ones from 1,000 on, four digits of a fraction below. */
function shownUnits(units: bigint): bigint {
  return cut(units, units >= 1_000_000_000n ? 1_000_000n : units >= 1_000_000n ? 100n : 1n);
}

function solIn(text: string): bigint {
  return unitsAfter(text, 'earned', 9);
}

function freshAddress(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  return addressFromBytes(new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)));
}
