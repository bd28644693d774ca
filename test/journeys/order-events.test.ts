import type { AccountState } from '@tradepost/local-chain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/core/address/address.ts';
import { WSOL_MINT } from '../../src/core/address/programs.ts';
import type { OrderGroup } from '../../src/modules/orders/rules/order.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
/** A token account keeps its amount here, 8 bytes, little-endian. */
const AMOUNT_AT = 64;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('order events', { spendCapLamports: 100_000n * SOL });
});
afterAll(() => rig.stop());

const { draftOf, groupOf, whaleOf, trade, wave, found } = orderDesk(() => rig);
const pup = (): Address => rig.token('PUP').mint as Address;
const pools = () =>
  rig.local.world.pools.filter(
    ({ mintA, mintB }) => [mintA, mintB].includes(pup()) && [mintA, mintB].includes(WSOL_MINT),
  );

/** `permille` of what its owner kept in this account. Wrapped SOL is lamports of the account too. */
function shrink(account: Address, mint: Address, permille: bigint): void {
  const state = rig.local.chain.account(account);
  if (state === null) throw new Error('no such account');
  const data = Uint8Array.from(state.data);
  const view = new DataView(data.buffer);
  const amount = view.getBigUint64(AMOUNT_AT, true);
  const left = (amount * permille) / 1_000n;
  view.setBigUint64(AMOUNT_AT, left, true);
  const lamports = mint === WSOL_MINT ? state.lamports - (amount - left) : state.lamports;
  rig.local.chain.writeAccount(account, { ...state, data, lamports } satisfies AccountState);
}

/** The makers take out all but so much of the pools between the token and SOL: the price stays. */
function takeOut(leftPermille: bigint): void {
  for (const { mintA, mintB, vaultA, vaultB } of pools()) {
    shrink(vaultA, mintA, leftPermille);
    shrink(vaultB, mintB, leftPermille);
  }
}

const heldOf = async (wallet: Address): Promise<bigint> =>
  (await rig.chain.holdings(wallet)).find(({ mint }) => mint === pup())?.amount ?? 0n;
const statusOf = async (group: OrderGroup) => (await found(group)).orders[0]?.status;
const isSeen = (group: OrderGroup, after: number): Promise<unknown> =>
  until(async () => {
    const [mark] = await rig.services.orders.marks([group.mint]);
    return mark !== undefined && mark.at > after;
  });

describe('an exit that waits for the liquidity to fall', () => {
  it('outlives sales of a whale and a smaller fall, and sells all when so much was taken out of the pools', async () => {
    expect(pools().length).toBeGreaterThan(0);
    const whale = await whaleOf('Whale');
    const { wallet } = await rig.trader('Careful', 5n);
    await trade(wallet, pup(), 'buy', SOL / 10n);
    const held = await heldOf(wallet.address);
    expect(held).toBeGreaterThan(0n);
    const group = await rig.services.orders.place(
      groupOf(
        wallet,
        pup(),
        [draftOf({ side: 'sell', type: 'LIQUIDITY_FALLS', fallBps: 5_000, amount: { kind: 'rest' } })],
        { units: null },
      ),
    );
    await isSeen(group, group.createdAt);

    await wave(whale, pup(), 'buy');
    await wave(whale, pup(), 'sell');
    await isSeen(group, rig.clock.now());
    expect(await statusOf(group)).toBe('OPEN');

    takeOut(700n);
    await isSeen(group, rig.clock.now());
    expect(await statusOf(group)).toBe('OPEN');
    expect(await heldOf(wallet.address)).toBe(held);

    takeOut(600n);
    await until(async () => (await statusOf(group)) === 'FILLED');
    expect(await heldOf(wallet.address)).toBe(0n);
  });
});
