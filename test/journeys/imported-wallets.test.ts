import { Keypair } from '@solana/web3.js';
import type { Person } from '@tradepost/local-telegram';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payoutWallet } from '../../src/modules/wallets/rules/receiving-wallet.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Production's waits, on a clock that is set ahead. */
let rig: JourneyRig;
let aheadMs = 0;
beforeAll(async () => {
  const clock = { now: () => Date.now() + aheadMs };
  rig = await startJourneyRig('imports', { delayMs: 2 * HOUR, longDelayMs: DAY, clock });
});
afterAll(() => rig.stop());

const pass = (ms: number): void => {
  aheadMs += ms;
};

async function setPin(person: Person): Promise<void> {
  const { id: userId } = await rig.user(person);
  const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
  await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
}

async function openWallets(person: Person): Promise<void> {
  await person.say('/home');
  await person.waitFor(/Tradepost/);
  await person.tap(/Wallets \(/);
  await person.waitFor(/Wallets \(/);
}

/** Brings a key through the chat; returns its address. */
async function bring(person: Person, pin: string | null = null): Promise<string> {
  const key = Keypair.generate();
  await openWallets(person);
  await person.tap('Import wallet');
  if (pin !== null) {
    await person.waitFor(/Type your PIN to import/);
    await person.say(pin);
  }
  await person.waitFor(/Import a wallet/);
  await person.say(bs58.encode(key.secretKey));
  await person.waitFor(/is here now[\s\S]*deposits and payouts do not go here/);
  return key.publicKey.toBase58();
}

const deposit = async (person: Person): Promise<string> => {
  await person.say('/deposit');
  const shown = await person.waitFor((_text, { caption }) => caption !== undefined);
  return shown.caption ?? '';
};

describe('an imported wallet', () => {
  it('gets no deposit and no payout from a thief who imports it and makes it active', async () => {
    const { person, wallet } = await rig.trader('Robbed', 1n);
    const planted = await bring(person);
    await person.waitFor(/Wallet imported[\s\S]*If that was not you/);
    await openWallets(person);
    await person.waitFor(/imported/);
    const mine = await rig.wallets(person);
    const theirs = mine.find(({ address }) => address === planted);
    await person.tap(theirs?.name ?? '');
    await person.waitFor(/the person who gave you this key has it too/);
    await person.tap('Use this');
    await person.waitFor(/Wallets \(/);
    expect((await rig.user(person)).activeWalletId).toBe(theirs?.id);
    const caption = await deposit(person);
    expect(caption).toContain(wallet.address);
    expect(caption).not.toContain(planted);
    expect(caption).toMatch(/was imported: the person who gave you this key has it too/);
    pass(30 * DAY);
    expect(payoutWallet(await rig.wallets(person), Date.now() + aheadMs)?.address).toBe(wallet.address);
    await person.say('/home');
    const home = await person.waitFor(/Tradepost/);
    expect(JSON.stringify(home.reply_markup)).not.toContain(planted);
  });

  it('takes the PIN before its key, and one tap under its notice freezes everything', async () => {
    const { person } = await rig.trader('Careful', 1n);
    await setPin(person);
    await openWallets(person);
    await person.tap('Import wallet');
    await person.waitFor(/Type your PIN to import/);
    await person.say('111222');
    await person.waitFor(/wrong|Wrong/);
    const address = await bring(person, PIN);
    await person.waitFor(/Wallet imported/);
    await openWallets(person);
    const theirs = (await rig.wallets(person)).find((one) => one.address === address);
    await person.tap(theirs?.name ?? '');
    await person.waitFor(/the person who gave you this key/i);
    await person.tap('Use this');
    await person.waitFor(/Type your PIN to trade with it/);
    await person.say(PIN);
    await person.waitFor(/Wallets \(/);
    expect((await rig.user(person)).activeWalletId).toBe(theirs?.id);
    await person.tap(/Stop: freeze/);
    await person.waitFor(/Frozen/);
  });

  it('is nothing that /deposit shows to a person who has no other, who is offered to make one', async () => {
    const person = await rig.person('Importer');
    await person.start();
    await person.waitFor(/Welcome/);
    const { id: userId } = await rig.user(person);
    await rig.services.backups.importWallet({
      userId,
      material: bs58.encode(Keypair.generate().secretKey),
      passphrase: null,
      permit: null,
    });
    await person.say('/deposit');
    await person.waitFor(/its address is not for deposits/);
    await person.tap(/Create/);
    await until(async () => (await rig.wallets(person)).length === 2);
    const made = (await rig.wallets(person)).find(({ origin }) => origin === 'made');
    await until(async () => (await deposit(person)).includes(made?.address ?? 'none'));
  });

  it('receives a day after it was confirmed with the PIN, unless its notice is stopped', async () => {
    const { person, wallet } = await rig.trader('Owner', 1n);
    await setPin(person);
    // A young first PIN is taken away by Stop.
    pass(2 * DAY);
    const address = await bring(person, PIN);
    const wallets = () => rig.wallets(person);
    const theirs = async () => (await wallets()).find((one) => one.address === address);
    const name = (await theirs())?.name ?? '';
    const openTheirs = async (): Promise<void> => {
      await openWallets(person);
      await person.tap(name);
      await person.waitFor(/the person who gave you this key/i);
    };
    const confirm = async (): Promise<void> => {
      await openTheirs();
      await person.tap('Let it receive');
      await person.waitFor(/Let .* receive\?[\s\S]*It counts after/);
      await person.say(PIN);
      await person.waitFor(/Confirmed: deposits and payouts may go here from/);
    };
    await confirm();
    await person.waitFor(/The imported wallet .* was confirmed[\s\S]*If that was not you/);
    await person.tap(/Stop: freeze/);
    await person.waitFor(/Frozen/);
    expect((await theirs())?.confirmedAt).toBeNull();

    const { id: userId } = await rig.user(person);
    await rig.services.guard.unfreeze({ userId, pin: PIN });
    pass(7 * DAY);
    await confirm();
    expect(payoutWallet(await wallets(), Date.now() + aheadMs)?.address).toBe(wallet.address);
    pass(DAY);
    await rig.services.guard.switchWallet({ userId, walletId: (await theirs())?.id ?? '', pin: PIN });
    expect(await deposit(person)).toContain(address);
    pass(7 * DAY);
    await openWallets(person);
    await person.tap(name);
    await person.waitFor(/imported/);
    await person.tap('Payouts here');
    await person.waitFor(/Payouts to [\s\S]*It counts after/);
    await person.say(PIN);
    await person.waitFor(/Payouts go here from/);
    await person.waitFor(/Payouts were directed to/);
    pass(DAY);
    expect(payoutWallet(await wallets(), Date.now() + aheadMs)?.address).toBe(address);
    await openWallets(person);
    await person.tap(name);
    await person.waitFor(/Payouts go here\./);
  });

  it('is confirmed in Spanish too, and not before there is a PIN', async () => {
    const person = await rig.person('Lola', 'es');
    await person.start();
    await person.waitFor(/depósito/);
    await person.tap(/Create/);
    await person.waitFor(/lista/);
    const { id: userId } = await rig.user(person);
    const material = bs58.encode(Keypair.generate().secretKey);
    const brought = await rig.services.backups.importWallet({
      userId,
      material,
      passphrase: null,
      permit: null,
    });
    const open = async (): Promise<void> => {
      await person.say('/home');
      await person.waitFor(/Tradepost/);
      await person.tap(/Carteras \(/);
      await person.waitFor(/Carteras \(/);
      await person.tap(brought.name);
      await person.waitFor(/Importada/);
      await person.tap('Dejar que reciba');
    };
    await open();
    await person.waitFor(/Primero pon un PIN/);
    await setPin(person);
    pass(DAY);
    await open();
    await person.waitFor(/Dejar que .* reciba\?/);
    await person.say(PIN);
    await person.waitFor(/Confirmada: desde las/);
    await person.waitFor(/Se confirmó la cartera importada/);
  });
});
