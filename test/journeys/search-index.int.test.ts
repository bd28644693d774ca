import type { Person } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { createMarketData } from '../../src/modules/market/use/market-data.ts';
import { createTokenData } from '../../src/modules/market/use/token-data.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { openTape } from '../../src/platform/tape/open-tape.ts';
import { createVenues } from '../../src/platform/venues/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeTokenData } from '../support/fakes/token-data.ts';
import { newMarkets } from '../support/tape-rows.ts';
import { type JourneyRig, startJourneyRig } from './rig.ts';

let rig: JourneyRig;
let person: Person;
let pup: Address;
/** Where PUP trades, as the index knows it. */
let pool: Address;
let close: () => Promise<void>;

/** The chat over the index that production uses: Postgres, filled with what the chain says of two tokens. */
beforeAll(async () => {
  rig = await startJourneyRig('search-index', { unlimited: true });
  const tape = await openTape({ url: await createTestDatabase() });
  const { chain, clock } = rig;
  const market = createMarketData({
    ...tape,
    feed: tape.marketFeed,
    venues: createVenues({ chain, programs: createPrograms(), deskUrl: rig.local.deskUrl }),
    clock,
    dollars: [],
  });
  close = async () => {
    market.stop();
    await tape.tape.close();
  };
  pup = address(rig.token('PUP').mint);
  const cyrillic = address(rig.token('BAO').mint);
  const [real, fake] = await Promise.all([chain.token(pup), chain.token(cyrillic)]);
  if (real === null || fake === null) throw new Error('the chain has no such tokens');
  // First the look-alike: being known longer makes nothing genuine.
  await tape.tokenIndex.save([{ ...fake, symbol: 'РUР', name: 'Рuррy' }], clock.now() - 1_000);
  await tape.tokenIndex.save([real], clock.now());
  const [known, deep] = [
    (await newMarkets(tape.markets, ['PUP'], { baseMint: pup }))[0],
    (await newMarkets(tape.markets, ['РUР'], { baseMint: cyrillic }))[0],
  ];
  if (known === undefined || deep === undefined) throw new Error('no markets');
  pool = known.address;
  await tape.markets.saveLooks([
    { marketId: known.id, quote: 10_000_000_000n, mid: 0.02, at: clock.now() },
    { marketId: deep.id, quote: 900_000_000_000n, mid: 5, at: clock.now() },
  ]);
  const tokens = createTokenData({
    ...tape,
    market,
    chain,
    holders: { count: async () => null, list: async () => null, largest: async () => [] },
    isOld: async () => true,
    launchOf: async () => null,
    wellKnown: [{ mint: pup, symbol: 'PUP' }],
    clock,
  });
  await rig.restartBot({ tokens: fakeTokenData({ search: tokens.search, newest: tokens.newest }) });
  ({ person } = await rig.trader('Finder', 1n));
});
afterAll(async () => {
  await close?.();
  await rig?.stop();
});

const short = (mint: Address): string => `${mint.slice(0, 4)}…${mint.slice(-4)}`;

const ask = async (text: string, answer: RegExp): Promise<string> => {
  await person.say(text);
  return (await person.waitFor(answer)).text ?? '';
};

it.each(['$PUP', 'PUP', 'pup', 'puppy', '/trade $pup'])(
  '%s lists Puppy first and marks the Cyrillic one',
  async (text) => {
    const list = await ask(text, /2 found, page 1 of 1/);
    expect(list).toMatch(/1 PUP Puppy[\s\S]*2 РUР Рuррy[\s\S]*looks like number 1/);
    expect(list.indexOf('looks like')).toBeGreaterThan(list.indexOf('2 РUР'));
    await person.tap('1');
    const card = (await person.waitFor(/^PUP Puppy[\s\S]* cap /)).text;
    expect(card).toContain(short(pup));
  },
);

it('opens the card by an address, a market, and links to either', async () => {
  for (const text of [
    pup,
    pool,
    `https://solscan.io/token/${pup}`,
    `https://explorer.solana.com/address/${pup}?cluster=devnet`,
    `https://dexscreener.com/solana/${pool}`,
    `https://birdeye.so/token/${pup}?chain=solana`,
    `http://127.0.0.1:4401/token/${pup}`,
    `http://127.0.0.1:4401/market/${pool}`,
    `/trade http://127.0.0.1:4401/market/${pool}`,
  ]) {
    const card = await ask(text, /^PUP Puppy[\s\S]* cap /);
    expect([text, card.includes(short(pup))]).toEqual([text, true]);
    await ask('/home', /Tradepost/);
  }
  await ask('/trade', /Which token/);
  await ask(`https://desk.example/market/${pool}`, /^PUP Puppy[\s\S]* cap /);
});

it('says that an address of nothing is no token', async () => {
  await ask('11111111111111111111111111111112', /No token found/);
  expect(rig.logged.filter((line) => line.startsWith('error'))).toEqual([]);
});
