import { createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Address, address } from '../../../src/core/address/address.ts';
import { findEmptyAccounts } from '../../../src/services/portfolio/clean-up.ts';
import { foldPositions } from '../../../src/services/positions/fold-positions.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { createTraders, type Owned, type Traders } from '../portfolio/traders.ts';
import { type MoneyRig, startMoneyRig, until } from '../transactions/money-rig.ts';

const SOL = 1_000_000_000n;
const RENT = 2_039_280n;

const db = fakeDatabase();
const duster = Keypair.generate();
let rig: MoneyRig;
let traders: Traders;
let PUP: Address;

beforeAll(async () => {
  rig = await startMoneyRig(db, 'closing-sale');
  traders = createTraders(rig, db);
  PUP = rig.token('PUP').mint as Address;
  await rig.fund(rig.treasury.address, SOL);
  const supplier = await traders.owned('Supplier', 5n * SOL);
  await rig.fund(address(duster.publicKey.toBase58()), SOL);
  await traders.trade(supplier, PUP, 'buy', 0);
  await traders.send(supplier, address(duster.publicKey.toBase58()), PUP, 10_000);
}, 60_000);
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

  it('leaves an account with withheld fees as it is', async () => {
    const who = await traders.owned('Tom', 3n * SOL);
    const tax = rig.token('TAX').mint as Address;
    await traders.trade(who, tax, 'buy', 2);
    expect((await traders.quote(who, tax, 'sell', 10_000)).closedLamports).toBe(0n);
    const { outcome } = await traders.trade(who, tax, 'sell', 10_000);
    expect(outcome?.receipt?.rentLamports).toBe(0n);
    expect(await findEmptyAccounts(rig, who.address)).toMatchObject({ accounts: [], empty: 1, kept: 1 });
  });

  it('is not kept from selling by a unit that comes before it is signed', async () => {
    const who = await traders.owned('Ben', 3n * SOL);
    await traders.trade(who, PUP, 'buy', 2);
    const { simulate } = rig.chain;
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
    const { send } = rig.chain;
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
