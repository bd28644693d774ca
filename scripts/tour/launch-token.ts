import type { Person } from '@tradepost/local-telegram';
import type { ChainReader } from './chain-reader.ts';
import { equal, holds, say } from './checks.ts';
import { askTrade, signatureOf, waitForResult, waitForScreen } from './screens.ts';

/** A launch on the desk's curve with a first buy: balances read back from the chain. Returns its mint. */
export async function launchToken(who: Person, wallet: string, chain: ChainReader): Promise<string> {
  say('Carol launches a token on a curve, with a first buy in the same transaction');
  await who.say('/create_token');
  await waitForScreen(who, /Which type/);
  await who.tap('Launch it instead');
  await waitForScreen(who, /Which one/);
  await who.tap({ data: 'form:pad0' });
  for (const [question, answer] of [
    [/The symbol/, 'MOON'],
    [/The name/, 'Moon Coin'],
  ] as const) {
    await waitForScreen(who, question);
    await who.say(answer);
  }
  for (const question of [/Send a picture/, /A description/, /Links/]) {
    await waitForScreen(who, question);
    await who.tap('Skip');
  }
  await waitForScreen(who, /first buy/);
  await who.say('0.1');
  await waitForScreen(who, /Your first buy 0\.1 SOL/);
  const before = await chain.lamports(wallet);
  await who.tap('Launch');
  const done = await waitForScreen(who, /^Launched MOON/);
  const signature = signatureOf(done);
  console.log(`  signature ${signature}`);
  const mint = /\n([1-9A-HJ-NP-Za-km-z]{32,44})/.exec(done.text ?? '')?.[1] ?? '';
  const bought = await chain.tokens(wallet, mint);
  holds('the first buy is in her wallet', bought > 0n);
  const launch = await chain.transaction(signature);
  equal(
    'what left her wallet is what others received, and the network fee',
    before - (await chain.lamports(wallet)),
    [...launch.deltas].reduce((sum, [key, delta]) => (key === wallet ? sum : sum + delta), 0n) +
      launch.feeLamports,
  );
  holds(
    'the launch fee is a transfer in the same transaction',
    [...launch.deltas.values()].includes(20_000_000n),
  );
  return mint;
}

/** The sale of all that she bought in her launch. */
export async function sellLaunched(
  who: Person,
  wallet: string,
  mint: string,
  chain: ChainReader,
): Promise<void> {
  say('She sells all of it on the curve');
  await who.say(mint);
  await waitForScreen(who, /\n\S+( SOL)? · cap |No market/);
  const asked = await askTrade(who, '🔴 100%', /Sell [\s\S]*At least/);
  await who.tap('Confirm sell');
  const sold = await waitForResult(who, asked, /^Sold/);
  console.log(`  signature ${signatureOf(sold)}`);
  equal('none of it is left', await chain.tokens(wallet, mint), 0n);
}
