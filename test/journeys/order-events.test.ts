import { readTokenAccount } from '@tradepost/local-chain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/core/address/address.ts';
import { WSOL_MINT } from '../../src/core/address/programs.ts';
import type { OrderGroup } from '../../src/modules/orders/rules/order.ts';
import type { Clock } from '../../src/platform/ports/clock.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
/** A token account keeps its amount here, 8 bytes, little-endian. */
const AMOUNT_AT = 64;
/** Several times as long as a condition must hold before an order fires. */
const HELD_MS = 10_000;
let rig: JourneyRig;
let leapt = 0;
const clock: Clock = { now: () => Date.now() + leapt };
beforeAll(async () => {
  rig = await startJourneyRig('order events', { spendCapLamports: 100_000n * SOL, clock });
});
afterAll(() => rig.stop());

const { draftOf, groupOf, whaleOf, trade, wave, found, heldOf, isSeen } = orderDesk(() => rig);
const pup = (): Address => rig.token('PUP').mint as Address;
const pools = () =>
  rig.local.world.pools.filter(
    ({ mintA, mintB }) => [mintA, mintB].includes(pup()) && [mintA, mintB].includes(WSOL_MINT),
  );

/** Leaves so many per mille of a token account's amount. Wrapped SOL is lamports of the account too. */
function shrink(account: Address, leftPermille: bigint): void {
  const state = rig.local.chain.account(account);
  const held = readTokenAccount(state);
  if (state === null || held === null) throw new Error(`${account} is no token account`);
  const left = (held.amount * leftPermille) / 1_000n;
  const data = Uint8Array.from(state.data);
  new DataView(data.buffer).setBigUint64(AMOUNT_AT, left, true);
  const taken = held.mint === WSOL_MINT ? held.amount - left : 0n;
  rig.local.chain.writeAccount(account, { ...state, data, lamports: state.lamports - taken });
}

/** The makers of the pools between the token and SOL leave so many per mille of both sides: the price stays. */
function takeOut(leftPermille: bigint): void {
  for (const { vaultA, vaultB } of pools()) for (const vault of [vaultA, vaultB]) shrink(vault, leftPermille);
}

/** Waits until the state of now has held long enough for an order to fire by it. Time passes while it is asked. */
const isHeld = (group: OrderGroup): Promise<unknown> =>
  isSeen(group, {
    after: clock.now() + HELD_MS,
    wait: (ask) =>
      until(async () => {
        leapt += 100;
        return ask();
      }),
  });
const statusOf = async (group: OrderGroup) => (await found(group)).orders[0]?.status;

describe('an exit that waits for the liquidity to fall', () => {
  it('stays open after sales of a whale and a smaller fall, and sells all when the makers took out more than half', async () => {
    expect(pools().length).toBeGreaterThan(0);
    const whale = await whaleOf('Whale');
    const { wallet } = await rig.trader('Careful', 5n);
    await trade(wallet, pup(), 'buy', SOL / 10n);
    const held = await heldOf(wallet, pup());
    expect(held).toBeGreaterThan(0n);
    const group = await rig.services.orders.place(
      groupOf(
        wallet,
        pup(),
        [draftOf({ side: 'sell', type: 'LIQUIDITY_FALLS', fallBps: 5_000, amount: { kind: 'rest' } })],
        { units: null },
      ),
    );
    await isSeen(group);

    await wave(whale, pup(), 'buy');
    await wave(whale, pup(), 'sell');
    await isHeld(group);
    expect(await statusOf(group)).toBe('OPEN');

    takeOut(700n);
    await isHeld(group);
    expect(await statusOf(group)).toBe('OPEN');
    expect(await heldOf(wallet, pup())).toBe(held);

    takeOut(600n);
    await until(async () => (await statusOf(group)) === 'FILLED');
    expect(await heldOf(wallet, pup())).toBe(0n);
  });
});
