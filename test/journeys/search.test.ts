import type { Person } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import type { TokenHit } from '../../src/modules/market/use/search-tokens.ts';
import { fakeTokenData } from '../support/fakes/token-data.ts';
import { type JourneyRig, startJourneyRig } from './rig.ts';
import { buttons } from './token-wizard.ts';

let rig: JourneyRig;
const hit = (mint: Address, symbol: string, imitates: Address | null): TokenHit => ({
  mint,
  symbol,
  name: symbol,
  decimals: 6,
  verified: false,
  imitates,
  madeHere: false,
  price: null,
  priceSol: null,
  change24h: null,
  change24hQuote: null,
  volume24hUsd: null,
  primaryMarket: null,
  firstSeenAt: 0,
  held: false,
});

beforeAll(async () => {
  rig = await startJourneyRig('search');
  const pup = address(rig.token('PUP').mint);
  const other = address(rig.token('BAO').mint);
  await rig.restartBot({
    tokens: fakeTokenData({
      search: async ({ text }) => {
        if (/^\$?pup(py)?$/i.test(text)) return [hit(pup, 'PUP', null), hit(other, 'РUР', pup)];
        return /^bao$/i.test(text) ? [hit(other, 'BAO', null)] : [];
      },
    }),
  });
});
afterAll(() => rig.stop());

const sayAndWait = async (person: Person, text: string, answer: RegExp) => {
  await person.say(text);
  return person.waitFor(answer);
};

describe('Finding a token', () => {
  it('answers plain text, /trade and the question alike', async () => {
    const { person } = await rig.trader('Finder', 1n);
    for (const text of ['$PUP', 'pup', '/trade puppy']) {
      await sayAndWait(person, text, /2 found, page 1 of 1[\s\S]*looks like number 1/);
    }
    await person.tap('1');
    await person.waitFor(/^PUP Puppy[\s\S]* cap /);
    await sayAndWait(person, '/trade', /Which token/);
    await sayAndWait(
      person,
      'nosuchtoken',
      /No token named “nosuchtoken” is known here\. Send a name[\s\S]*Which token/,
    );
    await sayAndWait(person, 'pup', /2 found/);
    // What can mean one token alone is not asked about.
    await sayAndWait(person, '/trade', /Which token/);
    await sayAndWait(person, 'bao', /^BAO[\s\S]* cap /);
    await sayAndWait(person, '/trade BAO', /^BAO[\s\S]* cap /);
  });

  it('says what it can do where a text names nothing', async () => {
    const { person } = await rig.trader('Talker', 1n);
    await sayAndWait(person, 'hello, how are you?', /I did not understand that/);
    await sayAndWait(person, '0.5', /I did not understand that/);
    await sayAndWait(person, 'Nobody', /No token named “Nobody” is known here/);
    expect(buttons(await person.lastMessage()).map(({ text }) => text)).toEqual([
      'Search',
      'Trending',
      'Home',
    ]);
    await sayAndWait(person, 'x'.repeat(200), /I did not understand that/);
    await sayAndWait(person, '/foo', /There is no command \/foo[\s\S]*\/deposit · Your deposit address/);
    expect(rig.logged.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('asks what a mistyped command was meant to be', async () => {
    const stranger = await rig.person('Newcomer');
    await stranger.start();
    await stranger.waitFor(/Welcome/);
    const before = await sayAndWait(stranger, '/hepl', /no command \/hepl\. Did you mean \/help\?/);
    expect(buttons(before).map(({ text }) => text)).toEqual([
      'Create Deposit Wallet',
      'Try paper mode',
      'Help',
    ]);
    await sayAndWait(stranger, '/foo', /There is no command \/foo\. What I can do/);

    const { person } = await rig.trader('Typist', 1n);
    await sayAndWait(person, '/seting', /no command \/seting\. Did you mean \/setting\?[\s\S]*\/deposit · /);
    await sayAndWait(person, '/withdraw', /Did you mean \/withdraw_sol or \/withdraw_spl\?/);
    await sayAndWait(person, '/order', /Did you mean \/orders\?/);
    await sayAndWait(person, '/TRADES pup', /Did you mean \/trade\?/);
    // What operators alone may use is no command to anybody else.
    await sayAndWait(person, '/key', /There is no command \/key\. What I can do/);
    await sayAndWait(person, '/keys', /There is no command \/keys\. What I can do/);
  });

  it('shows what trends and what is new, also where nothing does', async () => {
    const { person } = await rig.trader('Watcher', 1n);
    await sayAndWait(person, '/home', /Tradepost/);
    await person.tap('Trending');
    await person.waitFor(/Trending · 1 h[\s\S]*Nothing trended in the last 1 h/);
    await person.tap('24h');
    await person.waitFor(/Trending · 24 h/);
    await person.tap('New');
    await person.waitFor(/No launch was seen here/);
    await person.tap('Home');
    await person.waitFor(/Tradepost/);
    await person.tap('Search');
    await person.waitFor(/Send me a name like puppy/);
  });
});
