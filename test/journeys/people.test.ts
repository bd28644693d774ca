import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { secretRow, walletRow } from '../conformance/store-rows.ts';
import { FEATURES } from '../support/features.ts';
import { PASSED } from '../support/passed.ts';
import { type JourneyRig, PIN, startJourneyRig } from './rig.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('people');
});
afterAll(() => rig.stop());

/** Labels of a message's inline buttons. */
const labels = (message: { reply_markup?: unknown } | undefined): string[] => {
  const markup = message?.reply_markup as { inline_keyboard?: { text: string }[][] } | undefined;
  return (markup?.inline_keyboard ?? []).flat().map(({ text }) => text);
};

const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor(text);
};

const CARD = /\n\S+( SOL)? · cap /;

describe('/start', () => {
  it('answers every core command with the one button until there is a wallet', async () => {
    const person = await rig.person('Locked');
    await person.start();
    await person.waitFor(/No inviter attached/);
    for (const command of [
      '/home',
      '/referral',
      '/trade',
      '/deposit',
      '/withdraw_sol',
      '/withdraw_spl',
      '/create_token',
      '/setting',
    ]) {
      await person.say(command);
      // The keyboard of the screen before is taken away meanwhile, which is an edit with the same words.
      await person.waitFor(
        (text, message) =>
          /create your deposit wallet/.test(text) && labels(message).includes('Create Deposit Wallet'),
      );
    }
    await person.say('/help');
    await person.waitFor(/Help/);
    await person.say('/cancel');
    await person.waitFor(/Nothing to stop/);
    await person.say(rig.token('PUP').mint);
    expect(labels(await person.waitFor(/create your deposit wallet/))).toContain('Create Deposit Wallet');
  });

  it('creates one wallet, however often the button is tapped', async () => {
    const person = await rig.person('Twice');
    await person.start();
    const welcome = await person.waitFor(/Welcome/);
    await Promise.all([
      person.tap({ data: 'start:create' }, welcome.message_id),
      person.tap({ data: 'start:create' }, welcome.message_id),
    ]);
    await person.waitFor(/ready|already/);
    await person.say('/home');
    const home = await person.waitFor(/0 SOL/);
    expect(labels(home)).toContain('Wallets (1/3)');
    expect(await rig.wallets(person)).toHaveLength(1);
  });

  it('attaches the inviter of the first link for good, and tells them', async () => {
    const { person: alice } = await rig.trader('Alice');
    await alice.say('/referral');
    const screen = await alice.waitFor(/https:\/\/t\.me/);
    const link = /https:\/\/t\.me\/\S+/.exec(screen.text ?? '')?.[0] ?? '';
    const code = /ref_(\w+)/.exec(link)?.[1] ?? '';

    const bob = await rig.person('Bob');
    await bob.follow(link);
    await bob.waitFor(new RegExp(`Inviter: ${code} \\(attached\\)`));
    await alice.waitFor(/A person joined through your link/);
    expect((await rig.user(bob)).inviterId).toBe((await rig.user(alice)).id);

    const { person: carol } = await rig.trader('Carol');
    await carol.say('/referral');
    const other = /ref_(\w+)/.exec((await carol.waitFor(/ref_/)).text ?? '')?.[1] ?? '';
    await bob.start(`ref_${other}`);
    await bob.waitFor(/No inviter attached|Welcome/);
    expect((await rig.user(bob)).inviterId).toBe((await rig.user(alice)).id);
    await alice.start(`ref_${code}`);
    await alice.waitFor(/Main/);
    expect((await rig.user(alice)).inviterId).toBeNull();
  });

  it('ignores payloads that are nobody’s', async () => {
    const person = await rig.person('Odd');
    await person.start('ref_NOBODY99');
    await person.waitFor(/No inviter attached/);
    expect((await rig.user(person)).inviterId).toBeNull();
  });

  it('opens the token of a link after the wallet exists', async () => {
    const { person } = await rig.trader('Linked');
    await person.start(`m_${rig.token('PUP').mint}_NOBODY99`);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
  });
});

describe('language', () => {
  it('follows Telegram, then the saved choice', async () => {
    const person = await rig.person('Chidi', 'es-MX');
    await person.start();
    await person.waitFor(/Te damos la bienvenida/);
    await tapAndWait(person, 'Idioma', /Idioma/);
    await tapAndWait(person, 'English', /Welcome/);
    await person.say('/help');
    await person.waitFor(/Staff never write first/);
    expect((await rig.user(person)).settings.language).toBe('en');
  });
});

describe('wallets', () => {
  it('creates up to the limit, switches, and refuses one more', async () => {
    const { person } = await rig.trader('Many');
    await person.say('/home');
    await person.waitFor(/Tradepost/);
    await tapAndWait(person, 'Wallets (1/3)', /Wallets \(1\/3\)/);
    await tapAndWait(person, 'Create Deposit Wallet', /Wallet 2/);
    await tapAndWait(person, 'Use this', /● Wallet 2/);
    await tapAndWait(person, 'Create Deposit Wallet', /Wallet 3/);
    const full = await tapAndWait(person, 'Back', /Wallets \(3\/3\)/);
    expect(labels(full)).not.toContain('Create Deposit Wallet');
    const [, second] = await rig.wallets(person);
    expect((await rig.user(person)).activeWalletId).toBe(second?.id);
  });

  it('renames after refusing what is no name', async () => {
    const { person } = await rig.trader('Namer');
    await person.say('/home');
    await person.waitFor(/Tradepost/);
    await tapAndWait(person, /Wallets/, /Wallets \(1\/3\)/);
    await tapAndWait(person, 'Create Deposit Wallet', /Wallet 2/);
    // A question with a reply field has no button, so it says how it is left; so does each refusal.
    await tapAndWait(person, 'Rename', /1 to 20 characters\.\n\n\/cancel stops this\.$/);
    for (const bad of ['x'.repeat(21), '\u200B\u202E', 'x'.repeat(600)]) {
      await person.say(bad);
      await person.waitFor(/1 to 20 characters[\s\S]*\/cancel stops this\.$/);
    }
    await person.say('main');
    await person.waitFor(/Another of your wallets is called main/);
    await person.say('<b>Sniper</b> & Co');
    const renamed = await person.waitFor(/Renamed to <b>Sniper<\/b> & Co/);
    expect(renamed.entities?.filter(({ type }) => type === 'bold')).toHaveLength(2);
  });

  it('deletes an empty one with two taps and brings it back', async () => {
    const { person } = await rig.trader('Deleter');
    await person.say('/home');
    await person.waitFor(/Tradepost/);
    await tapAndWait(person, /Wallets/, /Wallets \(1\/3\)/);
    await tapAndWait(person, 'Create Deposit Wallet', /Wallet 2/);
    await tapAndWait(person, 'Delete', /It is empty/);
    await tapAndWait(person, 'Delete wallet', /is deleted/);
    expect(await rig.wallets(person)).toHaveLength(1);
    await tapAndWait(person, /Deleted/, /Deleted wallets/);
    await tapAndWait(person, 'Restore Wallet 2', /Wallets \(2\/3\)/);
    expect(await rig.wallets(person)).toHaveLength(2);
  });

  it('refuses to delete the active wallet beside others', async () => {
    const { person } = await rig.trader('Keeper');
    await person.say('/home');
    await person.waitFor(/Tradepost/);
    await tapAndWait(person, /Wallets/, /Wallets \(1\/3\)/);
    await tapAndWait(person, 'Create Deposit Wallet', /Wallet 2/);
    await tapAndWait(person, 'Back', /Wallets \(2\/3\)/);
    await tapAndWait(person, 'Main', /Main · active/);
    await tapAndWait(person, 'Delete', /is your active wallet/);
  });

  it('asks for the name of a wallet that still holds something', async () => {
    const { person } = await rig.trader('Rich', 3n);
    await person.say('/home');
    await person.waitFor(/3 SOL/);
    await tapAndWait(person, /Wallets/, /3 SOL/);
    await tapAndWait(person, 'Main', /Main · active/);
    await tapAndWait(person, 'Delete', /Set a PIN first/);
    await tapAndWait(person, 'Security', /PIN: not set/);
    await tapAndWait(person, 'Set a PIN', /Type a new PIN/);
    await person.say(PIN);
    await person.waitFor(/once more/);
    await person.say(PIN);
    await person.waitFor(/The PIN is set/);
    await tapAndWait(person, 'Home', /3 SOL/);
    await tapAndWait(person, /Wallets/, /3 SOL/);
    await tapAndWait(person, 'Main', /Main · active/);
    await person.tap('Delete');
    await person.waitFor(/still holds 3 SOL[\s\S]*if it is empty until \d{4}-\d\d-\d\d/);
    await person.say('main');
    await person.waitFor(/That is not its name/);
    await person.say('Main');
    await person.waitFor(/It holds something, so this takes your PIN/);
    await person.say('402917');
    await person.waitFor(/Wrong PIN/);
    expect(await rig.wallets(person)).toHaveLength(1);
    await person.say(PIN);
    await person.waitFor(/is deleted.*until \d{4}-\d\d-\d\d, and at any time while it holds something/);
    expect(await rig.wallets(person)).toHaveLength(0);
    await tapAndWait(person, /Deleted/, /Main · .* · at any time/);
    await person.tap(/Restore Main/);
    await person.waitForToast(/Main/);
    expect(await rig.wallets(person)).toHaveLength(1);
  });

  it('offers the deleted wallet that holds something, however many empty ones went after it', async () => {
    const { person, wallet: main } = await rig.trader('Hoarder');
    const put = async (name: string, deletedAt: number): Promise<Wallet> => {
      const row = walletRow({ id: rig.ids.ulid(), userId: main.userId, name });
      await rig.db.wallets.insert(PASSED, row, secretRow(row));
      await rig.db.wallets.setDeletedAt(PASSED, row.id, deletedAt);
      return row;
    };
    const now = rig.clock.now();
    const savings = await put('Savings', now - 40 * 86_400_000);
    await rig.fund(savings.address, 1_000_000_000n);
    for (let n = 0; n < 12; n += 1) await put(`Empty ${n}`, now - n);
    await person.say('/home');
    await person.waitFor(/Tradepost/);
    await tapAndWait(person, /Wallets/, /Wallets \(1\/3\)/);
    await tapAndWait(person, 'Deleted (13)', /Savings · .* · at any time/);
    await person.tap('Restore Savings');
    await person.waitForToast(/Savings/);
  });

  it('locks everything again when the last wallet goes', async () => {
    const { person } = await rig.trader('Last');
    await person.say('/home');
    await person.waitFor(/Tradepost/);
    await tapAndWait(person, /Wallets/, /Wallets \(1\/3\)/);
    await tapAndWait(person, 'Main', /Main · active/);
    await tapAndWait(person, 'Delete', /It is empty/);
    await tapAndWait(person, 'Delete wallet', /is deleted/);
    await person.say('/trade');
    await person.waitFor(/create your deposit wallet/);
  });
});

describe('/setting', () => {
  it('changes slippage, presets, priority and confirmation, and resets them', async () => {
    const { person } = await rig.trader('Setter');
    await person.say('/setting');
    await person.waitFor(/Settings/);
    await tapAndWait(person, 'Slippage', /Slippage, buying · 5%/);
    for (const bad of ['-1', '0', '101', '100.01', '1e2', '5.555', 'five', 'NaN', 'auto 0', '∞']) {
      await person.say(bad);
      await person.waitFor(
        new RegExp(`^“${bad}” is not a percentage above 0 and up to 100[\\s\\S]*buying · 5%`),
      );
    }
    await person.say('2,5 %');
    await person.waitFor(/^Slippage, buying · 2\.5%/);
    await tapAndWait(person, 'Selling: 5%', /Slippage, selling · 5%/);
    await tapAndWait(person, '10%', /Slippage, selling · 10%/);
    await tapAndWait(person, 'Settings', /Slip: buy 2\.5%, sell 10%/);
    await tapAndWait(person, 'Presets', /Presets/);
    await tapAndWait(person, 'Buy presets', /Four amounts/);
    await person.say('0.1 0.2');
    await person.waitFor(/Expected 4 values/);
    await person.say('0.1 0.2 0.3 -4');
    await person.waitFor(/cannot be negative/);
    await person.say('0.01 0,02 0.3 4');
    await person.waitFor(/0.01 · 0.02 · 0.3 · 4 SOL/);
    await tapAndWait(person, 'Sell presets', /Three percentages/);
    await person.say('0 50 100');
    await person.waitFor(/above 0/);
    await person.say('10 50 99.5');
    await person.waitFor(/10% · 50% · 99\.5%/);
    await tapAndWait(person, 'Back', /Settings/);
    await tapAndWait(person, /Priority/, /A higher priority/);
    await tapAndWait(person, 'Turbo', /Settings/);
    await person.tap('Confirm ✓');
    await person.waitFor((_text, message) => labels(message).includes('Confirm: off'));
    const { settings } = await rig.user(person);
    expect(settings).toMatchObject({
      slippageBuyBps: 250,
      slippageSellBps: 1_000,
      tier: 'turbo',
      confirmTrades: false,
    });
    await tapAndWait(person, 'Reset', /Set everything back/);
    await tapAndWait(person, 'Reset', /Slip: buy 5%, sell 5%/);
    expect((await rig.user(person)).settings).toMatchObject({
      slippageBuyBps: 500,
      buyPresets: [100_000_000n, 500_000_000n, 1_000_000_000n, 5_000_000_000n],
    });
  });

  it('changes slippage and priority of a card in place, and a slippage above 15 % with the PIN alone', async () => {
    const { person, wallet } = await rig.trader('Card setter', 5n);
    const userId = wallet.userId ?? '';
    const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
    await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
    await person.say(rig.token('PUP').mint);
    await person.waitFor(CARD);
    await tapAndWait(person, 'Slip 5%', /Slippage, buying · 5%/);
    await tapAndWait(person, '10%', /Slippage, buying · 10%/);
    await person.tap('Back to PUP');
    expect(labels(await person.waitFor(CARD))).toContain('Slip 10%');
    await tapAndWait(person, 'Slip 10%', /Slippage, buying · 10%/);
    await tapAndWait(person, '20%', /above 15 %[\s\S]*PIN/);
    expect((await rig.user(person)).settings.slippageBuyBps).toBe(1_000);
    await person.say(PIN);
    await person.waitFor(/Slippage, buying · 20%[\s\S]*others take the difference/);
    await person.tap('Back to PUP');
    expect(labels(await person.waitFor(CARD))).toContain('Slip 20%');
    await tapAndWait(person, 'More', /\n\w{32,}/);
    await tapAndWait(person, /^Priority/, /Priority/);
    await person.tap('Turbo');
    expect((await person.waitFor(CARD)).text).toMatch(/^PUP/);
    expect((await rig.user(person)).settings.tier).toBe('turbo');
  });
});

describe('/help and /create_token', () => {
  it('names the commands outside the menu, each of which is there, and every fee that an inviter shares', async () => {
    const { person } = await rig.trader('Reader', 1n);
    await person.say('/help');
    await person.waitFor(/Help/);
    await tapAndWait(person, 'Referral', /of the fees of their trades, new tokens and launches/);
    await tapAndWait(person, 'Back', /Help/);
    const told = (await tapAndWait(person, 'Commands', /\/help · [\s\S]*Also: /)).text ?? '';
    const more = [...told.slice(told.indexOf('Also: ')).matchAll(/\/\w+/g)].map(([command]) => command);
    const hidden = FEATURES.flatMap((feature) => feature.hidden ?? []);
    const open = hidden.filter(({ forOperators }) => forOperators !== true).map(({ name }) => `/${name}`);
    // One that is typed for another needs no line.
    expect(more.toSorted()).toEqual(open.filter((name) => name !== '/settings').toSorted());
    for (const command of open) {
      await person.say(command);
      await person.waitFor((text) => text !== '' && !text.startsWith('There is no command'));
    }
    expect(JSON.stringify(await person.transcript())).not.toContain('There is no command');
  });

  it('opens every topic and goes back', async () => {
    const { person } = await rig.trader('Reader');
    await person.say('/help');
    await person.waitFor(/Official source/);
    for (const topic of ['First steps', 'Trading', 'Wallets and safety', 'Referral']) {
      await tapAndWait(person, topic, new RegExp(topic));
      await tapAndWait(person, 'Back', /Official source/);
    }
    const commands = await tapAndWait(person, 'Commands', /\/withdraw_spl/);
    expect(commands.text?.match(/^\/\w+/gm)).toHaveLength(11);
  });

  it('asks a creator for a referral account first, one tap away', async () => {
    const { person } = await rig.trader('Creator');
    await person.say('/create_token');
    expect(labels(await person.waitFor(/referral account/))).toContain('Create referral account');
    await tapAndWait(person, 'Create referral account', /Which type/);
  });
});
