import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BORROWED_WAYS } from '../support/chat/sent-contents.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { labels, sayAndWait, tapAndWait } from './token-wizard.ts';

const SOL = 1_000_000_000n;
const CARD = /\n\S+( SOL)? · cap /;
const ORIGIN = BORROWED_WAYS['forwarded'] ?? {};
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('typed on forms', { spendCapLamports: 1_000n * SOL });
});
afterAll(() => rig.stop());
const { trade } = orderDesk(() => rig);

type Trader = Awaited<ReturnType<JourneyRig['trader']>>;

async function onCard(name: string, holds = false): Promise<Trader> {
  const mint = rig.token('PUP').mint as Address;
  const trader = await rig.trader(name, 5n);
  if (holds) await trade(trader.wallet, mint, 'buy', SOL);
  await sayAndWait(trader.person, mint, CARD);
  return trader;
}

async function openOrders({ wallet }: Trader) {
  const groups = await rig.db.orders.listOpen(wallet.userId ?? '');
  return groups.flatMap(({ orders }) => orders);
}

describe('a price typed at a form', () => {
  it('is the price of the limit order, in each of its forms, and a text that is none is refused above the form', async () => {
    const trader = await onCard('Limiter');
    const { person } = trader;
    await tapAndWait(person, 'Limit', /Limit buy/);
    await sayAndWait(person, '-15%', /Limit buy[\s\S]*\(−15%\)/);
    await sayAndWait(person, '$0.000001', /Exactly \$0\.000001\b/);
    await sayAndWait(person, '0.0000001', /Exactly 0\.0000001 SOL/);
    await sayAndWait(person, '0,0000002 SOL', /Exactly 0\.0000002 SOL/);
    await sayAndWait(person, '2M', /cap \$2M/);
    await sayAndWait(person, '2x', /^Limit buy[\s\S]*2x/);
    await sayAndWait(person, '1,500', /^A comma before three digits[\s\S]*Limit buy/);
    await sayAndWait(person, 'bonk', /^That is no price[\s\S]*Limit buy/);
    await sayAndWait(person, '-100%', /^That is no price[\s\S]*Limit buy/);
    await sayAndWait(person, '-12.5%', /Limit buy[\s\S]*\(−12\.5%\)/);
    await tapAndWait(person, 'Place order', /Order #1/);
    expect(await openOrders(trader)).toMatchObject([{ type: 'LIMIT', terms: { request: '-12.5%' } }]);
    // The form is over: the same text is looked up as ever.
    await sayAndWait(person, '-12.5%', /did not understand|Nothing|Search|do not know/i);
    expect(await openOrders(trader)).toHaveLength(1);
  });

  it('is an exit on the side of the price that it is on', async () => {
    const trader = await onCard('Exiter', true);
    const { person } = trader;
    await until(
      async () =>
        (await rig.services.orders.entryPrice({
          userId: trader.wallet.userId ?? '',
          walletId: trader.wallet.id,
          mint: rig.token('PUP').mint as Address,
        })) !== null,
    );
    await tapAndWait(person, 'TP/SL', /Exits/);
    await sayAndWait(person, '-35%', /SL −35% at/);
    await sayAndWait(person, '3x', /TP 3x at[\s\S]*SL −35% at|SL −35% at[\s\S]*TP 3x at/);
    await sayAndWait(person, '$0.0000001', /SL at \$0\.0/);
    await sayAndWait(person, '$5', /TP at \$5/);
    await sayAndWait(person, '0.5x', /SL 0\.5x at/);
    await tapAndWait(person, /Place order/, /Orders/);
    expect((await openOrders(trader)).map(({ type, terms }) => [type, terms.request])).toEqual([
      ['TAKE_PROFIT', '3x'],
      ['TAKE_PROFIT', '$5'],
      ['STOP_LOSS', '0.5x'],
    ]);
  });

  it('is the amount, the worst price or the rhythm of rounds', async () => {
    const { person } = await onCard('Rounds');
    await tapAndWait(person, 'DCA', /DCA/);
    await sayAndWait(person, '0.25', /DCA[\s\S]*buys 0\.25 SOL now[\s\S]*Total 1\.25 SOL/);
    await sayAndWait(person, '12 x 6h', /DCA[\s\S]*every 6 h, 12 times in all\nTotal 3 SOL/);
    await sayAndWait(person, '+15%', /Not above/);
    await sayAndWait(person, '$0.001', /^Rounds compare prices in SOL[\s\S]*DCA/);
    await sayAndWait(person, '1,500', /1,500[\s\S]*DCA|two ways[\s\S]*DCA/);
  });

  it('is the price of an alert, in Spanish with a comma', async () => {
    const trader = await onCard('Avisada');
    const { person, wallet } = trader;
    await rig.services.guard.changeSettings({ userId: wallet.userId ?? '', change: { language: 'es' } });
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await tapAndWait(person, 'Alerta', /PUP/);
    await sayAndWait(person, '$0,0000012', /Cuando baje a \$0,0₅12\n/);
    await sayAndWait(person, '1.500', /^Un punto o una coma ante tres cifras/);
    await sayAndWait(person, '+12,5%', /suba a/);
  });
});

describe('what is typed at a form and is no price', () => {
  it('a command leads away, six digits are deleted, and an address opens its card with a way back', async () => {
    const trader = await onCard('Wanderer');
    const { person } = trader;
    await tapAndWait(person, 'Limit', /Limit buy/);
    await tapAndWait(person, '−10%', /\(−10%\)/);
    await sayAndWait(person, '424242', /^I deleted six digits[\s\S]*Limit buy[\s\S]*\(−10%\)/);
    expect(await person.transcript()).toMatch(/deleted/i);
    await person.say(rig.token('KOI').mint);
    const kept = await person.waitFor(/Your form is kept for 10 minutes/);
    expect(labels(kept)).toEqual(['Back to the limit order']);
    expect(await person.transcript()).toMatch(/KOI[\s\S]*· cap /);
    // The card is open and the form is not: a price is no answer to it.
    await sayAndWait(person, '-20%', /did not understand|Nothing|do not know/i);
    await tapAndWait(person, 'Back to the limit order', /Limit buy[\s\S]*\(−10%\)/);
    await sayAndWait(person, '-20%', /Limit buy[\s\S]*\(−20%\)/);
    await sayAndWait(person, 'sell', /^Positions/);
    await sayAndWait(person, '-20%', /did not understand|Nothing|do not know/i);
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await tapAndWait(person, 'Limit', /Limit buy/);
    await sayAndWait(person, '/home', /Send a name/);
    await sayAndWait(person, '-20%', /did not understand|Nothing|do not know/i);
    expect(await openOrders(trader)).toEqual([]);
    expect(await rig.intents(person)).toEqual([]);
  });

  it('is no price either when somebody else wrote it', async () => {
    const { person } = await onCard('Forwarder');
    await tapAndWait(person, 'Limit', /Limit buy/);
    await person.send({ text: '-20%', ...ORIGIN });
    await person.waitFor(/^That message was forwarded[\s\S]*Limit buy/);
    expect((await person.lastMessage())?.text).not.toContain('−20%)');
  });
});
