import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_EXITS } from '../../src/modules/settings/rules/exit-set.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { labels, sayAndWait, tapAndWait } from './token-wizard.ts';

const SOL = 1_000_000_000n;
const CARD = /\n\S+( SOL)? · cap /;
const SET = { takes: [{ atBps: 10_000, shareBps: 10_000 }], stopBps: 3_000, trailBps: null };
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('default exits', { spendCapLamports: 1_000n * SOL });
});
afterAll(() => rig.stop());
const { trade } = orderDesk(() => rig);

type Trader = Awaited<ReturnType<JourneyRig['trader']>>;

async function traderWith(
  name: string,
  change: Parameters<JourneyRig['services']['guard']['changeSettings']>[0]['change'] = { exits: SET },
): Promise<Trader> {
  const trader = await rig.trader(name, 5n);
  await rig.services.guard.changeSettings({ userId: trader.wallet.userId ?? '', change });
  return trader;
}

async function legsOf({ wallet }: Trader) {
  const groups = await rig.db.orders.listOpen(wallet.userId ?? '');
  return groups
    .filter(({ kind }) => kind === 'OTOCO')
    .flatMap(({ orders }) => orders)
    .map(({ type, status, terms }) => [type, status, terms.request]);
}

const OPEN = [
  ['TAKE_PROFIT', 'OPEN', '+100%'],
  ['STOP_LOSS', 'OPEN', '-30%'],
];

describe('exits that go with each purchase', () => {
  it('are off, are chosen in the settings, and each is taken off or changed for one purchase', async () => {
    const trader = await rig.trader('Chooser', 5n);
    const { person } = trader;
    await sayAndWait(person, '/setting', /Exits after each buy: off/);
    await tapAndWait(person, 'Exits', /rounds have none/i);
    await tapAndWait(person, '+100%', /Exits after each buy: TP \+100%\n/);
    await tapAndWait(person, '−30%', /Exits after each buy: TP \+100% · SL −30%/);
    expect((await rig.user(person)).settings.exits).toEqual(SET);
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    const shown = await tapAndWait(person, '🟢 0.5', /Then TP \+100% · SL −30%/);
    expect(labels(shown)).toEqual(expect.arrayContaining(['TP +100%', 'SL −30%']));
    await tapAndWait(person, 'TP +100%', /Then TP \+300% · SL −30%/);
    await person.tap('TP +300%');
    await person.waitFor((text, message) => /Then SL −30%/.test(text) && labels(message).length > 0);
    await tapAndWait(person, 'Confirm buy', /^Bought[\s\S]*SL −30% at|^Bought/);
    await until(async () => (await legsOf(trader)).some(([, status]) => status === 'OPEN'));
    expect(await legsOf(trader)).toEqual([['STOP_LOSS', 'OPEN', '-30%']]);
    // The settings stay as they were.
    expect((await rig.user(person)).settings.exits).toEqual(SET);
  });

  it('go with a purchase that is not confirmed, and with one that a pasted address makes', async () => {
    for (const change of [
      { exits: SET, confirmTrades: false },
      {
        exits: SET,
        autoBuy: { on: true, lamports: SOL / 2n, dayLamports: 2n * SOL, maxImpactBps: 1_000 },
      },
    ]) {
      const trader = await traderWith('Quick', change);
      await trader.person.say(rig.token('PUP').mint);
      if ('confirmTrades' in change) {
        await trader.person.waitFor((text, message) => CARD.test(text) && labels(message).length > 0);
        await trader.person.tap('🟢 0.5');
      }
      await trader.person.waitFor(/^Bought/);
      await until(async () => (await legsOf(trader)).every(([, status]) => status === 'OPEN'));
      expect(await legsOf(trader)).toEqual(OPEN);
    }
  });

  it('go with a limit order, and not with rounds', async () => {
    const trader = await traderWith('Patient');
    const { person } = trader;
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await tapAndWait(person, 'DCA', /DCA/);
    await tapAndWait(person, 'Start', /Order #1/);
    expect(await legsOf(trader)).toEqual([]);
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await tapAndWait(person, 'Limit', /Limit buy/);
    await tapAndWait(person, '−10%', /sell what arrived:\s*TP \+100% at[\s\S]*SL −30% at/);
    await tapAndWait(person, 'Place order', /Order #2/);
    expect(await legsOf(trader)).toEqual(OPEN.map(([type, , request]) => [type, 'WAITING', request]));
  });

  it('are taken from the form of exits, where each is a percentage or a multiple', async () => {
    const trader = await traderWith('Former', { exits: NO_EXITS });
    const { person, wallet } = trader;
    const mint = rig.token('PUP').mint as Address;
    await trade(wallet, mint, 'buy', SOL);
    await sayAndWait(person, mint, CARD);
    await tapAndWait(person, 'TP/SL', /Exits/);
    await tapAndWait(person, 'TP +25%', /TP \+25% at/);
    await sayAndWait(person, '3x', /TP 3x at/);
    await tapAndWait(person, '15%', /Trail|15%/);
    await person.tap('As default');
    await person.waitForToast(/go with each purchase/);
    expect((await rig.user(person)).settings.exits).toEqual({
      takes: [
        { atBps: 2_500, shareBps: 5_000 },
        { atBps: 20_000, shareBps: 5_000 },
      ],
      stopBps: null,
      trailBps: 1_500,
    });
    await sayAndWait(person, '$5', /TP at \$5/);
    await person.tap('As default');
    await person.waitFor(/count from its entry/);
    expect((await rig.user(person)).settings.exits.takes).toHaveLength(2);
  });

  it('stop the purchase where one is refused, and it can be bought without', async () => {
    const trader = await traderWith('Small');
    const { person } = trader;
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await person.tap('🟢 X');
    await person.waitFor(/SOL/);
    await sayAndWait(person, '0.005', /Then TP \+100% · SL −30%/);
    await tapAndWait(person, 'Confirm buy', /^Exits not possible: Too small/);
    expect(await rig.intents(person)).toEqual([]);
    await person.tap('Buy without');
    await person.waitFor(
      (text, message) => /At least/.test(text) && !/Then/.test(text) && labels(message).length > 0,
    );
    await tapAndWait(person, 'Confirm buy', /^Bought/);
    expect(await legsOf(trader)).toEqual([]);
  });
});
