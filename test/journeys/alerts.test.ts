import { type Address, shortAddress } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../src/core/amounts/bps.ts';
import { unlocked } from '../../src/modules/guard/rules/unlock.ts';
import { confirmable } from '../../src/modules/trading/use/trade-quote.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { alertRow } from '../conformance/alert-store.ts';
import { newAddress } from '../conformance/store-rows.ts';
import { PASSED } from '../support/passed.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('alerts', { spendCapLamports: 1_000n * SOL });
});
afterAll(() => rig.stop());

async function whaleOf(name: string): Promise<Wallet> {
  const { wallet } = await rig.trader(name, 400n);
  const guard = await rig.db.guards.find(wallet.userId ?? '');
  await rig.db.guards.save(unlocked({ ...guard, pinHash: 'a hash' }, rig.clock.now()), PASSED);
  return wallet;
}

/** The price moves by real trades. */
async function trade(wallet: Wallet, mint: Address, side: 'buy' | 'sell', amount: bigint): Promise<void> {
  const settings = { wallet: wallet.address, mint, slippageBps: bps(500), tier: 'normal' } as const;
  const quote = await rig.services.trade.quoteTrade(
    side === 'buy'
      ? { side, ...settings, amount: { lamports: amount } }
      : { side, ...settings, amount: { shareBps: bps(Number(amount)) } },
  );
  const { intent } = await rig.services.trade.confirmTrade({
    userId: wallet.userId ?? '',
    walletId: wallet.id,
    idemKey: rig.ids.token(),
    trade: confirmable(quote),
  });
  await until(async () => (await rig.db.intents.find(intent.id))?.status === 'SUCCEEDED');
}

describe('a price alert', () => {
  it('is made on the card, listed, told once when real trades cross its price, and set again', async () => {
    const mint = rig.token('PUP').mint as Address;
    const { person, wallet } = await rig.trader('Listener', 5n);
    const userId = wallet.userId ?? '';
    await person.say(mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap('Alert');
    await person.waitFor(/Alert PUP · now/);
    await person.say('abc');
    await person.waitFor(/That is no price/);
    await person.say('+0.5%');
    await person.waitFor(/rises to .*\(\+0\.5%\)/s);
    await person.tap('Set alert');
    await person.waitFor(/PUP rises to .*once/s);
    expect(await rig.db.alerts.listOpen(userId)).toHaveLength(1);
    await until(async () => rig.services.watches.alerts.size() === 1);

    const whale = await whaleOf('Alert whale');
    await trade(whale, mint, 'buy', 20n * SOL);
    await person.waitFor(/🔔 PUP rose to/);
    expect(await rig.db.alerts.listOpen(userId)).toEqual([]);

    await person.tap('Tell me again');
    await person.waitFor(/after it has been below/);
    // It stands above: nothing is told before it has been back.
    await until(async () => rig.services.watches.alerts.size() === 1);
    await trade(whale, mint, 'sell', 10_000n);
    await until(async () => (await rig.db.alerts.listOpen(userId))[0]?.armed === true);
    await trade(whale, mint, 'buy', 20n * SOL);
    await until(async () => (await rig.db.alerts.listOpen(userId)).length === 0);
    await person.say('/alerts');
    await person.waitFor(/No alerts/);
    expect(await rig.db.intents.listByUser(userId, { limit: 5, kinds: ['buy', 'sell'] })).toEqual([]);
  });

  it('that is past already says so, and can be removed', async () => {
    const mint = rig.token('PUP').mint as Address;
    const { person, wallet } = await rig.trader('Late', 5n);
    await person.say(mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap('Alert');
    await person.waitFor(/Alert PUP · now/);
    await person.say('+0.5%');
    await person.waitFor(/rises to/);
    await trade(await whaleOf('Late whale'), mint, 'buy', 20n * SOL);
    await person.tap('Every time');
    await person.waitFor(/must first fall below/);
    await person.tap('Set alert for its way back');
    await person.waitFor(/after it has been below/);
    await person.tap('Remove 1');
    await person.waitFor(/No alerts/);
    expect(await rig.db.alerts.listOpen(wallet.userId ?? '')).toEqual([]);
  });

  it('is refused for the 51st, for SOL, and for what nothing trades; a stranger finds none', async () => {
    const mint = rig.token('PUP').mint as Address;
    const { wallet } = await rig.trader('Many', 1n);
    const userId = wallet.userId ?? '';
    const { unit, price, direction } = await rig.services.alerts.resolve({ mint, text: '3x' });
    const request = { userId, mint, unit, price, direction, request: '3x', repeats: false, armed: true };
    const first = await rig.services.alerts.place({ ...request, placeKey: 'k' });
    expect(await rig.services.alerts.place({ ...request, placeKey: 'k' })).toEqual(first);
    for (let n = 1; n < 50; n += 1)
      await rig.services.alerts.place({ ...request, placeKey: rig.ids.token() });
    await expect(rig.services.alerts.place({ ...request, placeKey: rig.ids.token() })).rejects.toMatchObject({
      code: 'ALERT_REFUSED',
      details: { max: 50 },
    });
    expect(await rig.db.alerts.countOpen(userId)).toBe(50);
    await expect(
      rig.services.alerts.remove({ userId: 'somebody else', alertId: first.id }),
    ).rejects.toMatchObject({ code: 'ALERT_NOT_FOUND' });
    await expect(
      rig.services.alerts.resolve({
        mint: 'So11111111111111111111111111111111111111112' as Address,
        text: '1',
      }),
    ).rejects.toMatchObject({ code: 'ORDER_REFUSED', details: { kind: 'mint-is-sol' } });
    for (const text of ['0', '-5', 'abc', '1e30', '0,5,5', '-100%', 'NaN', 'K']) {
      await expect(rig.services.alerts.resolve({ mint, text })).rejects.toMatchObject({
        code: 'ORDER_REFUSED',
        details: { kind: 'price-invalid' },
      });
    }
  });

  it('is listed and can be removed although its token is not on the chain any more', async () => {
    const { person, wallet } = await rig.trader('Orphan', 1n);
    const mint = newAddress();
    await rig.db.alerts.insert(
      alertRow(wallet.userId ?? '', { mint, expiresAt: rig.clock.now() + 3_600_000 }),
    );
    await person.say('/alerts');
    await person.waitFor(new RegExp(`1\\. ${shortAddress(mint)} .*\\+10%`));
    await person.tap('Remove 1');
    await person.waitFor(/No alerts/);
    expect(await rig.db.alerts.listOpen(wallet.userId ?? '')).toEqual([]);
  });
});
