import type { Person } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { createTokenMaker } from '../support/token-maker.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { labels, sayAndWait, tapAndWait } from './token-wizard.ts';

const SEED = 'two-accounts';
const SOL = 1_000_000_000n;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig(SEED, { spendCapLamports: 100_000_000_000n });
});
afterAll(() => rig?.stop());
const { draftOf, groupOf, triggerAt, whaleOf, trade, found } = orderDesk(() => rig);

async function holder(
  name: string,
  times = 1n,
): Promise<{
  readonly person: Person;
  readonly wallet: Wallet;
  readonly mint: Address;
}> {
  const { person, wallet } = await rig.trader(name, 3n);
  const { mint, program, decimals } = rig.token('PUP');
  const token = { mint: mint as Address, program: program as Address, decimals };
  const maker = createTokenMaker(rig.local.rpcUrl, SEED);
  const other = await maker.openOther(wallet.address, token);
  await maker.give(wallet.address, token, 40_000_000n * times);
  await maker.give(wallet.address, token, 60_500_000n * times, other);
  await until(
    async () => (await rig.chain.holding(wallet.address, token.mint)).amount === 100_500_000n * times,
  );
  return { person, wallet, mint: token.mint };
}

describe('tokens in two accounts of one mint', () => {
  it('are one holding on the card, in a sale and in a withdrawal, and a sale says what it leaves', async () => {
    const { person, mint } = await holder('Ann');
    const card = await sayAndWait(person, mint, /\n\S+( SOL)? · cap |No market/);
    expect(card.text).toMatch(/100\.5 PUP/);
    const all = await tapAndWait(person, '🔴 100%', /You get about/);
    expect(all.text).toMatch(/Sell 60\.5 PUP/);
    expect(all.text).toMatch(/40 PUP more lie in another account of yours: sell once more/);
    await tapAndWait(person, 'Cancel', /Not done/);

    await sayAndWait(person, mint, /\n\S+( SOL)? · cap |No market/);
    const asked = await tapAndWait(person, '🔴 X%', /[Hh]ow much/);
    expect(asked.text).toMatch(/100\.5/);
    await sayAndWait(person, '100.5', /Your 100\.5 lie in several token accounts.*Type 60\.5 or less/);
  });

  it('are one holding where a withdrawal is asked for', async () => {
    const { person } = await holder('Ben');
    expect(labels(await sayAndWait(person, '/withdraw_spl', /Which token/))).toContain('PUP · 100.5');
  });

  it('are all sold by a stop of everything, one account after the other', async () => {
    const { wallet, mint } = await holder('Cleo', 100n);
    const held = (await rig.chain.holding(wallet.address, mint)).amount;
    const whale = await whaleOf('Whale');
    await trade(whale, mint, 'buy', 40n * SOL);
    const trigger = await triggerAt(wallet, mint, 997n, 'sell', held);
    const stop = draftOf({
      side: 'sell',
      type: 'STOP_LOSS',
      amount: { kind: 'rest' },
      trigger,
      request: '-0.3%',
    });
    const group = await rig.services.orders.place(groupOf(wallet, mint, [stop], { units: null }));
    await until(async () => rig.services.watches.orders.size() === 1);
    await trade(whale, mint, 'sell', 10_000n);
    await until(async () => (await found(group)).orders[0]?.status === 'FILLED');
    expect((await found(group)).orders).toMatchObject([{ fires: 2, filled: held }]);
    const holding = await rig.chain.holding(wallet.address, mint);
    expect(holding.accounts.map(({ amount }) => amount)).toEqual([0n, 0n]);
  });
});
