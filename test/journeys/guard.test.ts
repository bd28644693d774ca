import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Person } from '@tradepost/local-telegram';
import { addressFromBytes, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { showSecondFactor } from '../../src/modules/guard/use/second-factor.ts';
import { openBackup, secretKeyOf } from '../../src/platform/backup/backup-file.ts';
import { authenticator } from '../support/fakes/codes.ts';
import { PASSED } from '../support/passed.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

const HOUR = 3_600_000;
const PASSPHRASE = 'zwölf Boxkämpfer jagen';

/** New addresses wait two hours here, which is never reached: what waits is cancelled, blocked or stays. */
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('guard', { delayMs: 2 * HOUR });
});
afterAll(() => rig.stop());

const stranger = (): string => {
  const { publicKey } = generateKeyPairSync('ed25519');
  return addressFromBytes(new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)));
};

/** Asks for a withdrawal until the PIN is asked for, or until it is refused before with `says`. */
async function askToSend(
  person: Person,
  to: string,
  amount: string,
  says: RegExp = /cannot be undone/,
): Promise<void> {
  await person.say('/withdraw_sol');
  await person.waitFor(/To which/);
  await person.say(to);
  await person.waitFor(/How much SOL/);
  await person.say(amount);
  await person.waitFor(says);
}

async function setPin(person: Person, pin: string): Promise<void> {
  await person.say('/setting');
  await person.waitFor(/Settings/);
  await person.tap('Security');
  await person.waitFor(/PIN: not set/);
  await person.tap('Set a PIN');
  await person.waitFor(/Type a new PIN/);
  await person.say(pin);
  await person.waitFor(/once more/);
  await person.say(pin);
  await person.waitFor(/The PIN is set/);
}

/** Everything that is kept or was shown: nothing a person typed as a secret may be in it. */
async function everythingKept(person: Person): Promise<string> {
  const intents = await rig.intents(person);
  const user = await rig.user(person);
  const kept = [
    rig.dialogs.dump(),
    rig.logged.join('\n'),
    // What stands in the chat now.
    JSON.stringify([...(rig.telegram.core.world.chats.get(person.user.id)?.messages.values() ?? [])]),
    JSON.stringify([intents, user, await rig.db.guards.find(user.id)], (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  ];
  return kept.join('\n');
}

describe('a withdrawal to a new address', () => {
  it('waits, says so in a message of its own, and is cancelled by its button', async () => {
    const { person, wallet } = await rig.trader('Waiting', 3n);
    const to = stranger();
    await askToSend(person, to, '1');
    await rig.confirmWithPin(person);
    const notice = await person.waitFor(/Waiting until .*UTC/);
    expect(notice.text).toContain(to);
    const [intent] = await rig.intents(person);
    expect(intent?.status).toBe('CREATED');
    expect((intent?.notBefore ?? 0) - (intent?.createdAt ?? 0)).toBeGreaterThan(2 * HOUR - 60_000);
    await person.tap('Cancel withdrawal');
    await person.waitFor(/Cancelled before anything was sent/);
    expect((await rig.intents(person))[0]?.status).toBe('CANCELLED');
    expect(await rig.db.intents.attempts(intent?.id ?? '')).toEqual([]);
    // Whoever cancels does not know the address: it must not grow old enough meanwhile.
    expect(await rig.db.addressBook.find(wallet.id, address(to))).toBeNull();
  });

  it('is blocked in one tap: address gone, everything frozen, and a trade refused', async () => {
    const { person, wallet } = await rig.trader('Blocking', 3n);
    const to = stranger();
    await askToSend(person, to, '1');
    await rig.confirmWithPin(person);
    await person.waitFor(/Waiting until/);
    await person.tap('Block and freeze');
    await person.waitFor(/Blocked and frozen/);
    expect(await rig.db.addressBook.list(wallet.id)).toEqual([]);
    await until(async () => (await rig.intents(person))[0]?.status === 'CANCELLED');

    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap('🟢 0.1');
    await person.waitFor(/You get about/);
    await person.tap('Confirm buy');
    await person.waitFor(/Everything is frozen/);
    expect(await rig.intents(person)).toHaveLength(1);
  });

  it('counts against the daily cap, which refuses the next one', async () => {
    const { person } = await rig.trader('Capped', 9n);
    const to = stranger();
    await askToSend(person, to, '4');
    await rig.confirmWithPin(person);
    await person.waitFor(/Waiting until/);
    await askToSend(person, to, '2', /1 SOL of your 5 SOL per 24 hours are left/);
    expect(await rig.intents(person)).toHaveLength(1);
  });
});

/** Where the first button of a message leads. */
const linkOf = (message: { reply_markup?: unknown }): string =>
  (message.reply_markup as { inline_keyboard: { url?: string }[][] }).inline_keyboard[0]?.[0]?.url ?? '';

describe('an authenticator', () => {
  it('is added by a page, asked for behind the PIN, and its secret never enters the chat', async () => {
    const { person } = await rig.trader('Careful', 3n);
    await setPin(person, PIN);
    await person.tap('Security');
    await person.waitFor(/PIN: set/);
    await person.tap('Add authenticator');
    await person.waitFor(/Add an authenticator/);
    await person.say(PIN);
    const screen = await person.waitFor(/Open the page, scan, come back/);
    const token = linkOf(screen).split('/').at(-1) ?? '';
    expect(linkOf(screen)).toBe(`https://desk.example/second-factor/${token}`);
    // What the page does when its button is pressed.
    const shown = await showSecondFactor(rig, token);
    const uri = shown?.uri ?? '';
    const code = (): string => authenticator(uri, rig.clock.now());
    await person.say('1');
    await person.waitFor(/the PIN and the six digits/);
    const first = code();
    await person.say(first);
    await person.waitFor(/The authenticator is on/);

    await askToSend(person, stranger(), '1');
    await person.waitFor(/Behind the PIN, a space and the six digits/);
    await person.say(PIN);
    await person.waitFor(/I need both in one message/);
    await person.say(`${PIN} ${first}`);
    await person.waitFor(/Wrong PIN or code, or a code that was used already. Tries left: 4/);
    expect(await rig.intents(person)).toHaveLength(0);
    // The next code: also a step ahead is taken.
    await person.say(`${PIN} ${authenticator(uri, rig.clock.now() + 30_000)}`);
    await person.waitFor(/Waiting until/);
    expect(await rig.intents(person)).toHaveLength(1);

    // The day on which it is lost, and new codes while it is not.
    const codes = shown?.codes ?? [];
    expect(codes).toHaveLength(10);
    await askToSend(person, stranger(), '1');
    await person.say(`${PIN} ${codes[0]?.match(/.{4}/g)?.join('-')}`);
    await person.waitFor(/Waiting until/);
    expect(await rig.intents(person)).toHaveLength(2);
    await person.say('/setting');
    await person.waitFor(/Settings/);
    await person.tap('Security');
    await person.waitFor(/Recovery codes left: 9/);
    await person.tap('New recovery codes');
    await person.waitFor(/take the place of the ones you have/);
    await person.say(`${PIN} ${codes[0]}`);
    await person.waitFor(/Wrong PIN or code, or a code that was used already. Tries left: 4/);
    await person.say(`${PIN} ${codes[1]}`);
    const renewing = await person.waitFor(/write the codes down, come back/);
    const renewal = await showSecondFactor(rig, linkOf(renewing).split('/').at(-1) ?? '');
    expect(renewal?.uri).toBeNull();
    const user = await rig.user(person);
    // The step that was used a moment ago counts no more, and the next one is half a minute away: the clock moves for nobody.
    await rig.db.guards.save({ ...(await rig.db.guards.find(user.id)), totpStep: 0 }, PASSED);
    await person.say(code());
    await person.waitFor(/The new recovery codes count/);
    await person.tap('Security');
    await person.waitFor(/Recovery codes left: 10/);

    const kept = await everythingKept(person);
    expect(kept).not.toContain(new URL(uri).searchParams.get('secret'));
    expect(kept).not.toMatch(new RegExp(`otpauth|\\b(${PIN}|${first})\\b`));
    const letters = kept.toUpperCase().replaceAll(/[ -]/g, '');
    const all = [...codes, ...(renewal?.codes ?? [])];
    expect(all).toHaveLength(20);
    expect(all.filter((one) => letters.includes(one))).toEqual([]);
    // A search that finds what is there.
    expect(letters).toContain('RECOVERYCODESLEFT:10');
  });
});

describe('the PIN', () => {
  it('is deleted from the chat at once, asked again when wrong, and locked after five', async () => {
    const { person } = await rig.trader('Guesser', 3n);
    await setPin(person, PIN);
    const to = stranger();
    await askToSend(person, to, '1');
    for (const left of [4, 3, 2, 1]) {
      await person.say('111222');
      const asked = await person.waitFor(new RegExp(`Wrong PIN. Tries left: ${left}`));
      // What the PIN is for stays beside the question; to a new address nothing is sent at once.
      expect(asked.text).toMatch(
        new RegExp(`Send 1 SOL[^\\n]*\\?\\nTo ${to}\\n\\nType your PIN\\. Your message`),
      );
    }
    await person.say('12345');
    await person.waitFor(new RegExp(`exactly 6 digits[\\s\\S]*To ${to}`));
    await person.say('111222');
    await person.waitFor(/Too many wrong PINs/);
    await askToSend(person, stranger(), '1', /Too many wrong PINs/);
    expect(await rig.intents(person)).toHaveLength(0);
    const kept = await everythingKept(person);
    expect(kept).not.toMatch(new RegExp(`\\b(${PIN}|111222)\\b`));
    // The secret ended with whom it was for: nobody after that was asked what it means.
    expect(kept).not.toContain('I did not understand that');
  });

  it('never reaches a dialogue: a command ends the question, and a late answer is still deleted', async () => {
    const { person } = await rig.trader('Changer', 3n);
    await askToSend(person, stranger(), '1');
    await person.tap('Set a PIN');
    await person.waitFor(/Type a new PIN/);
    await person.say('/cancel');
    await person.waitFor(/Stopped/);
    expect((await rig.db.guards.find((await rig.user(person)).id)).pinHash).toBeNull();
    await person.say('/setting');
    await person.waitFor(/Settings/);
    await person.tap('Security');
    await person.waitFor(/Security/);
    await person.tap('Set a PIN');
    await person.waitFor(/Type a new PIN/);
    await person.say('123456');
    await person.waitFor(/among the first/);
    await person.say(PIN);
    await person.waitFor(/once more/);
    await person.say('739155');
    await person.waitFor(/not the same/);
    await person.say(PIN);
    await person.waitFor(/once more/);
    await rig.restartBot();
    await person.say(PIN);
    await person.waitFor(/The PIN is set/);
    expect(await everythingKept(person)).not.toMatch(new RegExp(`\\b(${PIN}|739155)\\b`));
  });
});

describe('/panic', () => {
  it('freezes in one message, although the menu does not show it, and unlocking takes PIN and time', async () => {
    const { person } = await rig.trader('Panicker', 3n);
    await setPin(person, PIN);
    await askToSend(person, stranger(), '1');
    await rig.confirmWithPin(person);
    await person.waitFor(/Waiting until/);
    await person.say('/panic');
    await person.waitFor(/Withdrawals stopped: 1\.\nUnlock under Security with your PIN\./);
    await askToSend(person, stranger(), '1', /Everything is frozen/);
    await person.tap('Security');
    await person.waitFor(/Nothing is signed for you/);
    await person.tap('Unlock');
    await person.waitFor(/Type your PIN to unlock/);
    await person.say('111222');
    await person.waitFor(/Wrong PIN/);
    await person.say(PIN);
    await person.waitFor(/Unlocking takes effect at/);
    await askToSend(person, stranger(), '1', /It unlocks at/);
  });

  it('says without a PIN that none ends it, and how long its end waits', async () => {
    const { person } = await rig.trader('Pinless', 1n);
    await person.say('/panic');
    await person.waitFor(
      /no PIN that was old enough\..*without a PIN: it waits.*\/panic stops that wait\. The operator can unlock you sooner/,
    );
    await person.tap('Security');
    await person.waitFor(/no PIN that was old enough\. Unlocking needs no PIN and waits/);
    await person.tap('Unlock');
    await person.waitFor(/Unlocked\.|Unlocking takes effect at/);
  });

  it('stops the signing of what is written down already', async () => {
    const { person, wallet } = await rig.trader('Frozen', 3n);
    const user = await rig.user(person);
    await rig.services.guard.freeze({ userId: user.id });
    const { assertMaySign } = await import('../../src/engine/switches/use/assert-may-sign.ts');
    const intent = {
      userId: user.id,
      walletId: wallet.id,
      notBefore: null,
      params: { kind: 'buy' },
    } as never;
    const deps = { db: rig.db, clock: { now: () => Date.now() } };
    await expect(assertMaySign(deps, intent)).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
  });
});

describe('the address book', () => {
  it('takes an address with the PIN, shows its wait, offers it, and forgets it', async () => {
    const { person } = await rig.trader('Booker', 3n);
    await setPin(person, PIN);
    await person.tap('Security');
    await person.waitFor(/PIN: set/);
    await person.tap('Address book');
    await person.waitFor(/No addresses yet/);
    await person.tap('Add address');
    await person.waitFor(/Which Solana address/);
    const to = stranger();
    await person.say(to);
    await person.waitFor(/A name for it/);
    await person.say('<b>Cold</b>');
    await person.waitFor(/Type your PIN/);
    await person.say(PIN);
    await person.waitFor(/can be used after/);
    await person.say('/withdraw_sol');
    await person.waitFor(/choose a saved one/);
    await person.tap('<b>Cold</b>');
    await person.waitFor(/How much SOL/);
    await person.say('1');
    await person.waitFor(/New address: nothing leaves before/);
    await person.say('/setting');
    await person.waitFor(/Settings/);
    await person.tap('Security');
    await person.waitFor(/PIN: set/);
    await person.tap('Address book');
    await person.waitFor(/usable after/);
    await person.tap('Remove <b>Cold</b>');
    await person.waitFor(/No addresses yet/);
  });

  it('says what was cancelled with the address that is removed', async () => {
    const { person } = await rig.trader('Remover', 3n);
    const to = stranger();
    await askToSend(person, to, '1');
    await rig.confirmWithPin(person);
    await person.waitFor(/Waiting until/);
    await person.say('/setting');
    await person.waitFor(/Settings/);
    await person.tap('Security');
    await person.waitFor(/PIN: set/);
    await person.tap('Address book');
    await person.waitFor(/usable after/);
    await person.tap(/^Remove /);
    await person.waitForToast(/Removed. Withdrawals to it that waited are stopped: 1/);
    await person.waitFor(/No addresses yet/);
    expect(await rig.intents(person)).toMatchObject([{ status: 'CANCELLED' }]);
  });
});

describe('a backup', () => {
  async function openWallet(person: Person): Promise<void> {
    await person.say('/home');
    await person.waitFor(/Tradepost/);
    await person.tap(/Wallets \(/);
    await person.waitFor(/Wallets \(/);
    await person.tap('Main');
    await person.waitFor(/Main · active/);
  }

  it('leaves as an encrypted file after PIN and passphrase, and opens to the wallet’s own key', async () => {
    const { person, wallet } = await rig.trader('Saver');
    await setPin(person, PIN);
    await openWallet(person);
    await person.tap('Back up');
    await person.waitFor(/Type your PIN/);
    await person.say(PIN);
    await person.waitFor(/Ready to be taken/);
    await person.tap('Take the file');
    await person.waitFor(/Type a passphrase/);
    await person.say('too short');
    await person.waitFor(/needs 12 to 256 characters/);
    await person.say(PASSPHRASE);
    await person.waitFor(/in one message/);
    await person.say(PASSPHRASE);
    await person.waitFor(/not a PIN, a space and a passphrase/);
    await person.say(`${PIN} ${PASSPHRASE} `);
    const message = await person.waitFor((_text, { document }) => document !== undefined);
    const file = rig.telegram.core.world.files.get(message.document?.file_id ?? '');
    const text = Buffer.from(file?.bytes ?? []).toString('utf8');
    const { seed, address } = await openBackup(text, PASSPHRASE);
    expect(address).toBe(wallet.address);
    const secret = secretKeyOf(seed);
    const kept = `${await everythingKept(person)}\n${await person.transcript()}`;
    for (const form of [seed.toString('hex'), toBase58(seed), toBase58(secret), seed.toString('base64')]) {
      expect(kept).not.toContain(form);
      expect(text).not.toContain(form);
    }
    expect(await everythingKept(person)).not.toContain(PASSPHRASE);
  });

  it('comes in as a key or a file, once, sealed, and counts as a wallet', async () => {
    const { person } = await rig.trader('Importer');
    const startImport = async () => {
      await person.say('/home');
      await person.waitFor(/Tradepost/);
      await person.tap(/Wallets \(/);
      await person.waitFor(/Wallets \(/);
      await person.tap('Import wallet');
      await person.waitFor(/Import a wallet/);
    };
    const seed = randomBytes(32);
    const secret = toBase58(secretKeyOf(seed));
    await startImport();
    await person.say('not a key');
    await person.waitFor(/no Solana private key/);
    await startImport();
    await person.say(secret);
    await person.waitFor(/is here now/);
    await startImport();
    await person.say(secret);
    await person.waitFor(/keeps that wallet already/);
    expect(`${await everythingKept(person)}`).not.toContain(secret);

    const { sealBackup } = await import('../../src/platform/backup/backup-file.ts');
    const file = await sealBackup(randomBytes(32), PASSPHRASE, { n: 1_024, r: 8, p: 1 });
    await startImport();
    await person.say(Buffer.from(file).toString('utf8'));
    await person.waitFor(/passphrase of the file/);
    await person.say('a wrong passphrase');
    await person.waitFor(/does not open this file/);
    expect(await rig.wallets(person)).toHaveLength(2);
    await startImport();
    await person.say(Buffer.from(file).toString('utf8'));
    await person.waitFor(/passphrase of the file/);
    await person.say(PASSPHRASE);
    await person.waitFor(/is here now/);
    expect(await rig.wallets(person)).toHaveLength(3);
    expect(await everythingKept(person)).not.toContain(PASSPHRASE);
  });
});

describe('forged buttons', () => {
  it('change nothing of another person, whatever is tapped, in whatever order', async () => {
    const { person: alice, wallet } = await rig.trader('Victim', 3n);
    await askToSend(alice, stranger(), '1');
    await rig.confirmWithPin(alice);
    await alice.waitFor(/Waiting until/);
    await alice.say('/setting');
    await alice.waitFor(/Settings/);
    await alice.tap('Security');
    await alice.waitFor(/PIN: set/);
    await alice.tap('Address book');
    await alice.waitFor(/usable after/);
    const state = async (): Promise<string> => {
      const user = await rig.user(alice);
      const rows = [
        await rig.intents(alice),
        await rig.wallets(alice),
        await rig.db.addressBook.list(wallet.id),
        await rig.db.guards.find(user.id),
      ];
      // Its worker looks at what waits, now and then, and leases it for the moment.
      return JSON.stringify(rows, (key, value: unknown) =>
        key.startsWith('lease') ? undefined : typeof value === 'bigint' ? String(value) : value,
      );
    };
    const before = await state();

    const shown = [...(rig.telegram.core.world.chats.get(alice.user.id)?.messages.values() ?? [])];
    const real = shown.flatMap(({ message }) =>
      (message.reply_markup?.inline_keyboard ?? [])
        .flat()
        .flatMap((button) => ('callback_data' in button ? [button.callback_data] : [])),
    );
    const ids = [...new Set(real.flatMap((data) => data.match(/[\w-]{22}$/)?.[0] ?? []))];
    expect(ids.length).toBeGreaterThan(1);
    const routes = [
      ...['stop', 'resume', 'token-0', 'confirm'].map((action) => `withdraw:${action}`),
      ...['block', 'remove-0', 'add', 'open'].map((action) => `address_book:${action}`),
      ...['pin', 'cap', 'unfreeze', 'cancel'].map((action) => `security:${action}`),
      ...['start', 'import', 'show', 'take', 'stop'].map((action) => `backup:${action}`),
      ...['pick-0', 'delete', 'delete_yes', 'rename', 'switch'].map((action) => `wallets:${action}`),
      'receipt:show',
      'trade:again',
    ];
    const forged = [...real, ...routes, ...routes.flatMap((route) => ids.map((id) => `${route}:${id}`))];
    for (const data of forged) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);

    const { person: mallory } = await rig.trader('Mallory', 1n);
    const own = (await mallory.lastMessage())?.message_id ?? 0;
    for (const data of forged) {
      rig.telegram.core.people.tap(mallory.user.id, own, data);
      rig.telegram.core.people.tap(mallory.user.id, own, `+${data}`.slice(0, 64));
    }
    await mallory.say('/home');
    await mallory.waitFor(/Tradepost/);
    expect(await state()).toBe(before);
    expect(await rig.wallets(mallory)).toHaveLength(1);
    expect(await rig.intents(mallory)).toHaveLength(0);
  });
});
