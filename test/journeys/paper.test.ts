import type { Person } from '@tradepost/local-telegram';
import { shortAddress } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAddress } from '../conformance/store-rows.ts';
import { type JourneyRig, startJourneyRig } from './rig.ts';
import { labels } from './token-wizard.ts';

let rig: JourneyRig;
const forbidden: string[] = [];
beforeAll(async () => {
  rig = await startJourneyRig('paper');
  const { botDeps } = rig;
  const trap = <T extends object>(name: string, real: T, allowed: readonly string[]): T =>
    new Proxy(real, {
      get: (target, key, receiver) => {
        const value: unknown = Reflect.get(target, key, receiver);
        if (typeof value !== 'function' || allowed.includes(String(key))) return value;
        return (...given: readonly unknown[]) => {
          forbidden.push(`${name}.${String(key)}`);
          return Reflect.apply(value, target, given);
        };
      },
    });
  // Whatever signs, builds or writes an intent is watched.
  await rig.restartBot({
    trade: trap('trade', botDeps.trade, ['lookUpToken', 'paperQuote', 'suggestTokens', 'tradeCard']),
    // The signer names a new person.
    vault: trap('vault', botDeps.vault, ['openPerson']),
    withdrawals: trap('withdrawals', botDeps.withdrawals, []),
    db: { ...botDeps.db, intents: trap('intents', botDeps.db.intents, ['listByUser', 'find']) },
  });
});
afterAll(() => rig.stop());

const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor(text);
};

describe('Paper mode', () => {
  it('buys and sells at live quotes before there is a wallet, and makes no intent', async () => {
    const person = await rig.person('Pat');
    await person.start();
    const welcome = await person.waitFor(/for 1 % of each trade/);
    const rows = (welcome.reply_markup as { inline_keyboard: { text: string }[][] }).inline_keyboard;
    expect(rows[1]?.[0]?.text).toBe('Try paper mode');
    await tapAndWait(person, 'Try paper mode', /PAPER[\s\S]*Cash 10 SOL[\s\S]*No tokens yet/);

    await person.say('pup');
    await person.waitFor(/^PAPER · Puppy \(PUP\)[\s\S]*You hold 0 PUP on paper/);
    await tapAndWait(
      person,
      'Buy 0.5 SOL',
      /^PAPER · Buy PUP with 0\.5 SOL\?[\s\S]*0\.005 SOL to this service/,
    );
    const confirm = await person.lastMessage();
    await tapAndWait(person, 'Buy on paper', /^PAPER · Bought [\d,.]+ PUP for 0\.5 SOL/);
    // The same button again settles nothing.
    const data = JSON.stringify(confirm?.reply_markup).match(/"(paper:settle:[^"]+)"/)?.[1] ?? '';
    await person.tap({ data }, confirm?.message_id);
    await person.waitForToast(/Already pressed, or too old/);

    await person.say('/home');
    const locked = await person.waitFor(/create your deposit wallet/);
    // The way back: the book is still there, and paper mode can be left from it.
    expect(labels(locked)).toEqual(['Create Deposit Wallet', 'Paper positions', 'Help']);
    await person.tap('Paper positions', locked.message_id);
    await person.waitFor(/Cash 9\.5 SOL[\s\S]*PUP [\d,.]+ · if sold now/);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/^PAPER · Puppy[\s\S]*Cash 9\.5 SOL/);
    await tapAndWait(person, 'Sell 50 %', /^PAPER · Sell/);
    // Bought and sold at once: the fees and the spread are gone.
    await tapAndWait(person, 'Sell on paper', /^PAPER · Sold [\d,.]+ PUP for 0\.2\d+ SOL · −\d/);
    await tapAndWait(
      person,
      'Paper positions',
      /PUP [\d,.]+ · if sold now 0\.2\d+ SOL · −\d[\s\S]*All together 9\.9/,
    );

    await tapAndWait(person, /Start again/, /Forget all paper trades/);
    await tapAndWait(person, /Start again/, /Cash 10 SOL[\s\S]*No tokens yet/);
    await tapAndWait(person, 'Leave paper mode', /Welcome/);

    expect(forbidden).toEqual([]);
    expect(await rig.intents(person)).toEqual([]);
    expect(await rig.wallets(person)).toEqual([]);
    expect(rig.logged.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('refuses what the book cannot pay, in words', async () => {
    const person = await rig.person('Poor');
    await person.start();
    await person.waitFor(/Welcome/);
    await tapAndWait(person, 'Try paper mode', /Cash 10 SOL/);
    await person.say('pup');
    await person.waitFor(/You hold 0 PUP/);
    await tapAndWait(person, 'Buy 5 SOL', /^PAPER · Buy/);
    await tapAndWait(person, 'Buy on paper', /^PAPER · Bought/);
    await tapAndWait(person, 'Card', /Cash 5 SOL/);
    await tapAndWait(person, 'Buy 5 SOL', /^PAPER · Buy/);
    await tapAndWait(person, 'Buy on paper', /^PAPER · Bought/);
    await tapAndWait(person, 'Card', /Cash 0 SOL/);
    await tapAndWait(person, 'Buy 0.1 SOL', /Not enough SOL/);
    await tapAndWait(person, 'Back', /^PAPER · Puppy/);
  });

  it('ends with the first real wallet', async () => {
    const person = await rig.person('Real');
    await person.start();
    await person.waitFor(/Welcome/);
    await tapAndWait(person, 'Try paper mode', /Cash 10 SOL/);
    await tapAndWait(person, 'Create Deposit Wallet', /deposit wallet is ready/);
    expect((await rig.user(person)).settings.paper?.on).toBe(false);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/^PUP Puppy[\s\S]* cap /);
  });

  it('opens, and can be left, although the chain does not know a token of the book any more', async () => {
    const person = await rig.person('Gone');
    await person.start();
    await person.waitFor(/for 1 % of each trade/);
    const user = await rig.user(person);
    const gone = newAddress();
    const holding = { mint: gone, decimals: 6, units: 5_000_000n, cost: 1_000_000_000n };
    const paper = { on: true, lamports: 9_000_000_000n, holdings: [holding] };
    await rig.db.users.update(user.id, { settings: { ...user.settings, paper } });
    await tapAndWait(
      person,
      'Try paper mode',
      new RegExp(`PAPER[\\s\\S]*Cash 9 SOL[\\s\\S]*${shortAddress(gone)}`),
    );
    await tapAndWait(person, 'Leave paper mode', /for 1 % of each trade/);
    expect((await rig.user(person)).settings.paper?.on).toBe(false);
  });
});
