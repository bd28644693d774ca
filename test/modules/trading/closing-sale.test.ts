import { createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js';
import type { Address } from '@tradepost/solana';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { findEmptyAccounts, quoteCleanUp } from '../../../src/modules/positions/use/clean-up.ts';
import { foldPositions } from '../../../src/modules/positions/use/fold-positions.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import { type MoneyRig, startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { createTokenMaker } from '../../support/token-maker.ts';
import { createTraders, type Owned, type Traders } from '../positions/traders.ts';

const SOL = 1_000_000_000n;
const RENT = 2_039_280n;
const SEED = 'closing-sale';

const db = fakeDatabase();
const duster = Keypair.generate();
let rig: MoneyRig;
let traders: Traders;
let PUP: Address;

beforeAll(async () => {
  rig = await startMoneyRig(db, SEED, { looks: true });
  traders = createTraders(rig, db);
  PUP = rig.token('PUP').mint as Address;
  await rig.fund(rig.treasury.address, SOL);
  const supplier = await traders.owned('Supplier', 5n * SOL);
  await rig.fund(address(duster.publicKey.toBase58()), SOL);
  await traders.trade(supplier, PUP, 'buy', 0);
  await traders.send(supplier, address(duster.publicKey.toBase58()), PUP, 10_000);
});
afterAll(() => rig?.stop());
afterEach(() => vi.restoreAllMocks());

/** One unit into somebody's account, as a stranger sends it who wants closing to fail. */
async function dust({ address: to }: Owned): Promise<void> {
  const mint = new PublicKey(PUP);
  const accountOf = (owner: PublicKey) => getAssociatedTokenAddressSync(mint, owner);
  const sending = new Transaction().add(
    createTransferInstruction(accountOf(duster.publicKey), accountOf(new PublicKey(to)), duster.publicKey, 1),
  );
  const connection = new Connection(rig.local.rpcUrl, 'confirmed');
  const before = await traders.heldOf({ address: to }, PUP);
  await connection.sendTransaction(sending, [duster]);
  await until(async () => (await traders.heldOf({ address: to }, PUP)) === before + 1n);
}

const attemptsOf = async (intentId: string) =>
  (await db.intents.attempts(intentId)).map(({ status }) => status);
const accountsOf = async (who: Owned) =>
  (await rig.chain.holdings(who.address)).find(({ mint }) => mint === PUP)?.accounts.length ?? 0;

describe('a sale of everything', () => {
  it('brings the deposit back, which is no part of its proceeds, its profit or its position', async () => {
    const who = await traders.owned('Ann', 3n * SOL);
    await traders.trade(who, PUP, 'buy', 2);
    expect((await traders.quote(who, PUP, 'sell', 9_999)).closedLamports).toBe(0n);
    const quote = await traders.quote(who, PUP, 'sell', 10_000);
    expect(quote.closedLamports).toBe(RENT);
    const before = await rig.chain.balance(who.address);
    const { id, outcome } = await traders.trade(who, PUP, 'sell', 10_000);
    const receipt = outcome?.receipt;
    expect(receipt?.rentLamports).toBe(-RENT);
    const proceeds = quote.terms.quotedOut - (receipt?.feeLamports ?? 0n);
    expect((receipt?.walletLamportsDelta ?? 0n) - RENT).toBe(proceeds);
    expect(await rig.chain.balance(who.address)).toBe(before + proceeds + RENT);
    expect(await accountsOf(who)).toBe(0);
    expect(await attemptsOf(id)).toEqual(['FINALIZED']);
    const [event] = (await db.positions.events([who.id], [PUP])).filter(({ kind }) => kind === 'sell');
    expect(event).toMatchObject({ flowLamports: proceeds, rentLamports: -RENT });
    const [position] = (await foldPositions(db, who.userId)).positions;
    expect(position).toMatchObject({ units: 0n, cost: 0n });
  });

  it('harvests the fees that are withheld in the account and then closes it', async () => {
    const who = await traders.owned('Tom', 3n * SOL);
    const tax = rig.token('TAX').mint as Address;
    await traders.trade(who, tax, 'buy', 2);
    const [holding] = (await rig.chain.holdings(who.address)).filter(({ mint }) => mint === tax);
    const [{ address: account } = { address: tax }] = holding?.accounts ?? [];
    const [state] = (await rig.chain.accounts([account])).accounts;
    const rent = state?.lamports ?? 0n;
    expect(rent).toBeGreaterThan(RENT);
    const quote = await traders.quote(who, tax, 'sell', 10_000);
    expect(quote.closedLamports).toBe(rent);
    const { id, outcome } = await traders.trade(who, tax, 'sell', 10_000);
    expect(outcome?.receipt?.rentLamports).toBe(-rent);
    expect(await attemptsOf(id)).toEqual(['FINALIZED']);
    expect((await rig.chain.accounts([account])).accounts).toEqual([null]);
  });

  it('is followed by Clean up, which harvests and closes what stayed', async () => {
    const who = await traders.owned('Una', 3n * SOL);
    const tax = rig.token('TAX');
    const made = { mint: tax.mint as Address, program: tax.program as Address, decimals: tax.decimals };
    const maker = createTokenMaker(rig.local.rpcUrl, SEED);
    await maker.give(who.address, made, 1_000_000n);
    await until(async () => (await traders.heldOf(who, made.mint)) === 990_000n);
    // To the person's other wallet: the account left behind is empty, and the fee of its arrival is withheld in it.
    await traders.send(who, (await traders.secondWallet(who, SOL)).address, made.mint, 10_000);
    const found = await findEmptyAccounts(rig, who.address);
    expect(found).toMatchObject({ empty: 1, kept: 0, accounts: [{ feeMint: made.mint }] });
    const { params } = await quoteCleanUp(
      { chain: rig.chain, programs: rig.programs, compiler: rig.deps.compiler, db },
      {
        userId: who.userId,
        walletId: who.id,
        tier: 'normal',
      },
    );
    const before = await rig.chain.balance(who.address);
    const { intent } = await createIntent(rig.deps, {
      userId: who.userId,
      walletId: who.id,
      idemKey: 'clean-up-fees',
      params,
    });
    expect(await rig.settled(intent.id)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await rig.chain.balance(who.address)).toBeGreaterThan(before);
    expect(await findEmptyAccounts(rig, who.address)).toMatchObject({ empty: 0 });
  });

  it('leaves accounts that hold more than a fallen rent, and Clean up takes what is above it', async () => {
    const who = await traders.owned('Vera', 3n * SOL);
    await traders.trade(who, PUP, 'buy', 2);
    const units = await traders.heldOf(who, PUP);
    const asked = { userId: who.userId, walletId: who.id, tier: 'normal' } as const;
    // One that has not kept the former rent.
    const freshChain = () => createRpcChain({ urls: [rig.local.rpcUrl] });
    const quote = async () => {
      const chain = freshChain();
      return quoteCleanUp({ chain, programs: rig.programs, compiler: rig.deps.compiler, db }, asked);
    };
    await expect(quote()).rejects.toMatchObject({ code: 'NOTHING_TO_CLEAN_UP' });
    rig.local.setRent(2_575n);
    // Until the nodes say it at `confirmed`.
    await until(async () => (await freshChain().rentExemption(0)) === 128n * 2_575n);
    try {
      const { params, accounts, excess, rentLamports } = await quote();
      expect([accounts, excess.length]).toEqual([[], 1]);
      expect(rentLamports).toBe(RENT - 2_575n * 293n);
      const before = await rig.chain.balance(who.address);
      const { intent } = await createIntent(rig.deps, { ...asked, idemKey: 'take-excess', params });
      const settled = await rig.settled(intent.id);
      expect(settled).toMatchObject({ status: 'SUCCEEDED' });
      const fee = settled.outcome?.receipt?.feeLamports ?? 0n;
      expect(await rig.chain.balance(who.address)).toBe(before + rentLamports - fee);
      expect(await traders.heldOf(who, PUP)).toBe(units);
      await expect(quote()).rejects.toMatchObject({ code: 'NOTHING_TO_CLEAN_UP' });
    } finally {
      rig.local.setRent(6_960n);
    }
  });

  it('is not kept from selling by a unit that comes before it is signed', async () => {
    const who = await traders.owned('Ben', 3n * SOL);
    await traders.trade(who, PUP, 'buy', 2);
    const simulate = rig.chain.simulate.bind(rig.chain);
    vi.spyOn(rig.chain, 'simulate').mockImplementationOnce(async (...of) => {
      await dust(who);
      return simulate(...of);
    });
    const { id } = await traders.trade(who, PUP, 'sell', 10_000);
    expect(await traders.heldOf(who, PUP)).toBe(1n);
    expect(await attemptsOf(id)).toEqual(['FINALIZED']);
  });

  it('is sold by its second attempt when the unit comes before the first lands', async () => {
    const who = await traders.owned('Cleo', 3n * SOL);
    await traders.trade(who, PUP, 'buy', 2);
    const send = rig.chain.send.bind(rig.chain);
    vi.spyOn(rig.chain, 'send').mockImplementationOnce(async (bytes) => {
      await dust(who);
      return send(bytes);
    });
    const { id } = await traders.trade(who, PUP, 'sell', 10_000);
    expect(await traders.heldOf(who, PUP)).toBe(1n);
    // The node refuses to pass it on, which proves nothing: a second is signed once the first can land no more.
    expect(await attemptsOf(id)).toEqual(['DEAD', 'FINALIZED']);
  });
});
