import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { readTokenAccount } from '@tradepost/local-chain';
import { type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { firstIdOfSlot, type RecordedTrade } from '@tradepost/tape';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { newLaunch } from '../../src/modules/launches/rules/stage.ts';
import type { Market } from '../../src/modules/market/rules/market.ts';
import type { OrderGroup } from '../../src/modules/orders/rules/order.ts';
import type { Clock } from '../../src/platform/ports/clock.ts';
import { createTokenMaker, type MadeToken } from '../support/token-maker.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SEED = 'order events';
const SOL = 1_000_000_000n;
/** A token account keeps its amount here, 8 bytes, little-endian. */
const AMOUNT_AT = 64;
/** Several times as long as a condition must hold before an order fires. */
const HELD_MS = 10_000;
let rig: JourneyRig;
let leapt = 0;
/** What an indexer would have recorded. */
const tape: RecordedTrade[] = [];
const clock: Clock = { now: () => Date.now() + leapt };
beforeAll(async () => {
  rig = await startJourneyRig(SEED, {
    spendCapLamports: 100_000n * SOL,
    clock,
    tape: {
      cursor: async (marketId) => ({ marketId, liveSlot: await slotNow(), sealedSlot: 0n, post: null }),
      tradesAfter: async (_ids, after, limit, trader) =>
        tape.filter((one) => one.id > after && (trader ?? one.trader) === one.trader).slice(0, limit),
    },
    markets: { ofMint: async (mint) => (mint === koi() ? [marketOf(mint)] : []) },
  });
});
afterAll(() => rig.stop());

const { draftOf, groupOf, whaleOf, trade, wave, found, heldOf, isSeen } = orderDesk(() => rig);
const pup = (): Address => rig.token('PUP').mint as Address;
const koi = (): Address => rig.token('KOI').mint as Address;
const slotNow = async (): Promise<bigint> => (await rig.chain.accounts([WSOL_MINT])).slot;
const marketOf = (mint: Address): Market => ({
  id: 1,
  address: mint,
  venue: 'desk',
  programId: mint,
  baseMint: mint,
  quoteMint: WSOL_MINT,
  baseDecimals: 9,
  quoteDecimals: 9,
  baseVault: mint,
  quoteVault: mint,
  kind: 'tokens',
  createdSlot: 1n,
  baseTicker: 'KOI',
  quoteTicker: 'SOL',
  name: 'KOI/SOL',
  verified: false,
  followed: true,
  primary: true,
  gapSince: null,
});
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

/** A wallet outside of the product that made a token, and gives of it by real transfers. */
async function creatorOf(token: MadeToken, units: bigint) {
  const maker = createTokenMaker(rig.local.rpcUrl, SEED);
  const key = Keypair.generate();
  const creator = address(key.publicKey.toBase58());
  await rig.fund(creator, SOL);
  await maker.give(creator, token, units);
  const [mint, program] = [new PublicKey(token.mint), new PublicKey(token.program)];
  const accountOf = (owner: Address) =>
    getAssociatedTokenAddressSync(mint, new PublicKey(owner), false, program);
  await rig.db.seenLaunches.insert(
    newLaunch(
      {
        kind: 'created',
        mint: token.mint,
        curve: token.mint,
        config: null,
        creator,
        signature: 's',
        slot: 1n,
        at: 1,
      },
      'test',
      1,
    ),
  );
  return {
    give: (to: Address, amount: bigint) =>
      maker.run(
        [
          createAssociatedTokenAccountIdempotentInstruction(
            maker.maker,
            accountOf(to),
            new PublicKey(to),
            mint,
            program,
          ),
          createTransferCheckedInstruction(
            accountOf(creator),
            mint,
            accountOf(to),
            key.publicKey,
            amount,
            token.decimals,
            [],
            program,
          ),
        ],
        [key],
      ),
  };
}

/** A sale on the local chain, as an indexer would record it. */
async function sells(wallet: Parameters<typeof trade>[0], mint: Address, share: bigint): Promise<void> {
  const before = await heldOf(wallet, mint);
  await trade(wallet, mint, 'sell', share);
  const base = before - (await heldOf(wallet, mint));
  tape.push({
    id: firstIdOfSlot(await slotNow()) + BigInt(tape.length + 1),
    marketId: 1,
    at: 1,
    side: 'sell',
    base,
    quote: 1n,
    fee: null,
    feeSource: 'unknown',
    trader: wallet.address,
    signature: 's',
    source: 'call',
    price: '1',
    dust: false,
    sealed: false,
    createdAt: 1,
  });
}

describe('an exit that waits for the creator to sell', () => {
  it('hears of tokens that the creator gave to another wallet, and sells when half of them are sold there', async () => {
    const { decimals, symbol } = rig.token('KOI');
    const program = (await rig.chain.token(koi()))?.tokenProgram;
    expect(symbol).toBe('KOI');
    const token = {
      mint: koi(),
      program: program === TOKEN_2022_PROGRAM ? program : TOKEN_PROGRAM,
      decimals,
    };
    const units = 10n * 10n ** BigInt(decimals);
    const creator = await creatorOf(token, units);
    const { person, wallet } = await rig.trader('Watchful', 5n);
    const { wallet: heir } = await rig.trader('Heir', 5n);
    await trade(wallet, koi(), 'buy', SOL / 10n);
    const group = await rig.services.orders.place(
      groupOf(wallet, koi(), [draftOf({ side: 'sell', type: 'DEV_SELLS', amount: { kind: 'rest' } })], {
        units: null,
      }),
    );
    await isSeen(group);

    await creator.give(heir.address, units);
    const told = await person.waitFor(/sent 10 KOI to other wallets/);
    expect(told.text).toMatch(/Sales from there count/);

    await sells(heir, koi(), 4_000n);
    await isHeld(group);
    expect(await statusOf(group)).toBe('OPEN');
    await sells(heir, koi(), 2_000n);
    await until(async () => (await statusOf(group)) === 'FILLED');
    expect(await heldOf(wallet, koi())).toBe(0n);
  });
});
