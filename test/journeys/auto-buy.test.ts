import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

let rig: JourneyRig;
/** How far the product's clock is before the one that messages are stamped with. */
let aheadMs = 0;
beforeAll(async () => {
  const clock = { now: () => Date.now() + aheadMs };
  rig = await startJourneyRig('auto-buy', { spendCapLamports: 2_000_000_000n, clock });
});
afterAll(() => rig.stop());

const bought = async (userId: string) =>
  (await rig.db.intents.listByUser(userId, { limit: 20, kinds: ['buy'] })).map(
    ({ idemKey, params, status }) => ({
      auto: idemKey.startsWith('auto-'),
      lamports: params.kind === 'buy' ? params.lamportsIn : 0n,
      status,
    }),
  );

describe('auto-buy', () => {
  it('is off; once it was read twice and turned on, a pasted mint is bought once, and the rest shows a card and why', async () => {
    const { mint } = rig.token('PUP');
    const { person, wallet } = await rig.trader('Paster', 5n);
    const userId = wallet.userId ?? '';
    await person.say(mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    expect(await bought(userId)).toEqual([]);

    await person.say('/setting');
    await person.waitFor(/Settings/i);
    await person.tap('Auto-buy');
    await person.waitFor(/Auto-buy is off/);
    await person.tap('0.05 SOL');
    await person.waitFor(/at once for 0\.05 SOL/);
    await person.tap('Turn on…');
    await person.waitFor(/Turn auto-buy on\?/);
    expect((await rig.db.users.find(userId))?.settings.autoBuy.on).toBe(false);
    await person.tap('Turn auto-buy on');
    await person.waitFor(/Auto-buy is ON/);

    await person.say(`what about ${mint}`);
    await person.waitFor(/Not bought: auto-buy takes a token’s address alone/);
    expect(await bought(userId)).toEqual([]);

    await person.say(mint);
    await person.waitFor(/Bought/);
    await until(async () => (await bought(userId))[0]?.status === 'SUCCEEDED');
    expect(await bought(userId)).toEqual([{ auto: true, lamports: 50_000_000n, status: 'SUCCEEDED' }]);

    await person.say(mint);
    await person.waitFor(/Not bought: you bought this token in the last 24 hours/);
    expect(await bought(userId)).toHaveLength(1);
  });

  it('buys no token with a warning, nothing above its day, and nothing in paper mode', async () => {
    const { person, wallet } = await rig.trader('Careful', 5n);
    const userId = wallet.userId ?? '';
    const setting = { on: true, lamports: 50_000_000n, dayLamports: 50_000_000n, maxImpactBps: 500 };
    const user = await rig.db.users.find(userId);
    if (user === null) throw new Error('nobody');
    const save = (change: object) =>
      rig.db.users.update(userId, { settings: { ...user.settings, autoBuy: { ...setting, ...change } } });
    await save({});
    await person.say(rig.token('TAX').mint);
    await person.waitFor(/Not bought: the token has a warning/);
    await save({ dayLamports: 49_999_999n });
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/Not bought: auto-buy would spend more than/);
    await save({ lamports: 100_000_000_000n, dayLamports: 100_000_000_000n });
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/Not bought: Not enough SOL/i);
    await rig.db.users.update(userId, {
      settings: {
        ...user.settings,
        autoBuy: setting,
        paper: { on: true, lamports: 10n ** 10n, holdings: [] },
      },
    });
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/PAPER/);
    expect(await bought(userId)).toEqual([]);
  });

  it('buys nothing for a message that waited while the bot was away', async () => {
    const { person, wallet } = await rig.trader('Waiting', 5n);
    const userId = wallet.userId ?? '';
    const user = await rig.db.users.find(userId);
    if (user === null) throw new Error('nobody');
    const autoBuy = { on: true, lamports: 50_000_000n, dayLamports: 10n ** 9n, maxImpactBps: 500 };
    await rig.db.users.update(userId, { settings: { ...user.settings, autoBuy } });
    aheadMs = 120_000;
    try {
      await person.say(rig.token('PUP').mint);
      await person.waitFor(/Not bought: your message waited for more than a minute/);
    } finally {
      aheadMs = 0;
    }
    expect(await bought(userId)).toEqual([]);
  });

  it('never goes past the PIN, a freeze or the cap of what is spent without a tap', async () => {
    const { person, wallet } = await rig.trader('Guarded', 5n);
    const userId = wallet.userId ?? '';
    const user = await rig.db.users.find(userId);
    if (user === null) throw new Error('nobody');
    const autoBuy = { on: true, lamports: 3_000_000_000n, dayLamports: 10n ** 11n, maxImpactBps: 500 };
    await rig.db.users.update(userId, { settings: { ...user.settings, autoBuy } });
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/Not bought: this purchase asks for your PIN/);
    await person.say('/panic');
    await until(async () => (await rig.db.guards.find(userId)).frozenAt !== null);
    await rig.db.users.update(userId, {
      settings: { ...user.settings, autoBuy: { ...autoBuy, lamports: 50_000_000n } },
    });
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/Not bought: .*(frozen|froze)/i);
    expect(await bought(userId)).toEqual([]);
  });
});
