import type { Person } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { startUser } from '../../src/modules/settings/use/start-user.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';
import { begin, labels, sayAndWait, tapAndWait } from './token-wizard.ts';

const SOL = 1_000_000_000n;

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('spending');
});
afterAll(() => rig.stop());

/** The confirm screen of a purchase. */
async function toBuy(person: Person, mint: string, sol: string, screen: RegExp): Promise<void> {
  await sayAndWait(person, mint, /\n\S+( SOL)? · cap |No market/);
  await tapAndWait(person, '🟢 X', /How much SOL/);
  await sayAndWait(person, sol, screen);
}

async function buy(person: Person, mint: string, sol: string): Promise<void> {
  await toBuy(person, mint, sol, /You get about(?![\s\S]*Needs your PIN)/);
  await tapAndWait(person, 'Confirm buy', /^Bought/);
}

/** A token on the desk's curve with a first buy, as a thief makes one: its row is written with finality. */
async function launch(person: Person): Promise<Address> {
  await begin(person);
  await tapAndWait(person, 'Launch it instead', /Which one/);
  await person.tap({ data: 'form:pad0' });
  await person.waitFor(/The symbol/);
  await sayAndWait(person, 'BAIT', /The name/);
  await sayAndWait(person, 'Bait', /Send a picture/);
  for (const question of [/A description/, /Links/, /first buy/]) await tapAndWait(person, 'Skip', question);
  await sayAndWait(person, '1', /Your first buy 1 SOL/);
  await person.tap('Launch');
  const done = await person.waitFor(/^Launched BAIT/);
  const mint = address(/\n([1-9A-HJ-NP-Za-km-z]{32,44})/.exec(done.text ?? '')?.[1] ?? '');
  await until(() => rig.db.createdTokens.find(mint));
  return mint;
}

const spent = async (person: Person): Promise<number> =>
  (await rig.intents(person)).filter(({ kind }) => kind === 'buy').length;

describe('Spending from a chat', () => {
  it('goes without a PIN up to the cap, then asks, and a right PIN lets trades through until they are locked', async () => {
    const { person } = await rig.trader('Spender', 20n);
    const { mint } = rig.token('PUP');
    await buy(person, mint, '3');
    await toBuy(person, mint, '2.5', /Needs your PIN\. It is more than the 1\.997\d* SOL of 5 SOL/);
    await tapAndWait(
      person,
      'Confirm buy',
      /you have none yet[\s\S]*It is more than the 1\.997\d* SOL of 5 SOL/,
    );
    expect(await spent(person)).toBe(1);
    await sayAndWait(person, PIN, /once more/);
    await sayAndWait(person, '111333', /not the same/);
    expect(await spent(person)).toBe(1);
    await sayAndWait(person, PIN, /once more/);
    // The purchase that waited runs by itself.
    await sayAndWait(person, PIN, /^Bought/);
    expect(await spent(person)).toBe(2);
    await buy(person, mint, '4');

    await sayAndWait(person, '/setting', /Settings/);
    const open = await tapAndWait(person, 'Security', /Trades need no PIN until/);
    // What a PIN let through does not count; the most that the first one may have paid the network does.
    expect(open.text).toMatch(/Without PIN, per 24 hours: 5 SOL · left now 1\.997\d* SOL/);
    expect(labels(open)).toContain('Lock now');
    const closed = await tapAndWait(person, 'Lock now', /ask for the PIN/);
    expect(labels(closed)).not.toContain('Lock now');
    await toBuy(person, mint, '2.5', /Needs your PIN/);
    await tapAndWait(person, 'Confirm buy', /lets trades through for 12 hours/);
    await sayAndWait(person, '111222', /Wrong PIN\. Tries left: 4/);
    await tapAndWait(person, 'Cancel', /Cancelled|Nothing|Stopped/);
    await buy(person, mint, '1.9');
  });

  it('ends what a PIN unlocked with /panic, a new PIN, and a phone that speaks another language', async () => {
    const { person } = await rig.trader('Careful', 1n);
    const { id: userId } = await rig.user(person);
    const { guard } = rig.services;
    const hash = await guard.hashPin({ userId, pin: PIN });
    await guard.setPin({ userId, hash, again: PIN, replaces: null });
    const isOpen = async (): Promise<boolean> => (await guard.overview({ userId })).unlockedUntil !== null;
    const unlock = async (): Promise<void> => {
      await guard.unlockTrades({ userId, pin: PIN });
      expect(await isOpen()).toBe(true);
    };
    await unlock();
    await sayAndWait(person, '/panic', /Frozen/);
    expect(await isOpen()).toBe(false);
    await expect(guard.unlockTrades({ userId, pin: PIN })).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
    await guard.unfreeze({ userId, pin: PIN });
    await unlock();
    const replaces = await guard.beginPinChange({ userId, pin: PIN });
    await guard.setPin({ userId, hash, again: PIN, replaces });
    expect(await isOpen()).toBe(false);
    await unlock();
    await startUser(rig, {
      telegramId: BigInt(person.user.id),
      firstName: 'Careful',
      language: 'pt-br',
      inviteCode: null,
    });
    expect(await isOpen()).toBe(false);
    await unlock();
    await person.block(true);
    await person.block(false);
    await until(async () => !(await isOpen()));
  });

  it('asks the victim of a thief who launched a token for the PIN, whatever the amount', async () => {
    const { person: thief } = await rig.trader('Thief', 5n);
    const { person: victim, wallet } = await rig.trader('Victim', 10n);
    const mint = await launch(thief);
    const before = await rig.chain.balance(wallet.address);
    await toBuy(
      victim,
      mint,
      '0.01',
      /Needs your PIN\. This token was made with this service\. No record shows/,
    );
    await tapAndWait(victim, 'Confirm buy', /you have none yet/);
    expect(await spent(victim)).toBe(0);
    expect(await rig.chain.balance(wallet.address)).toBe(before);
    expect(before).toBe(10n * SOL);
  });
});
