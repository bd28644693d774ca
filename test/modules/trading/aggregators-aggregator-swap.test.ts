import { AddressLookupTableProgram, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { fromBase58, minBigint, TOKEN_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { toInstruction } from '../../../src/platform/chain/instruction-codec.ts';
import { post, SOL } from '../../api/build-api.ts';
import { type AggregatorRig, startAggregatorRig } from './aggregator-rig.ts';

let r: AggregatorRig;
beforeAll(async () => {
  r = await startAggregatorRig('aggregator-swap');
});
afterAll(() => r.stop());
beforeEach(() => r.stub.reset());

describe('an aggregator beside our own router', () => {
  it('wins with a better price, and its transaction brings the amount to the unit', async () => {
    const { mint } = r.rig.token('PUP');
    const better = (await r.ownOut()) + 1_000_000n;
    r.stub.offers({ amountOut: better });
    const data = await r.swap();
    expect(data.bestRouter).toEqual({
      router: 'Stub Router',
      subRouters: [
        { protocol: [{ name: 'Maker', percent: '100' }], fromTokenAddress: SOL, toTokenAddress: mint },
      ],
    });
    expect(data.toTokenAmount).toBe(better.toString());
    expect(BigInt(data.minReceiveAmount)).toBe((better * 99n + 99n) / 100n);
    const before = await r.units(mint);
    expect(await r.submit(data.tx)).toBeNull();
    expect((await r.units(mint)) - before).toBe(better);
    expect(r.stub.passedOver).toEqual([]);
  });

  it('wins a sale for SOL, with the referrer paid out of it', async () => {
    const { mint } = r.rig.token('PUP');
    await r.rig.airdrop(r.rig.treasury, 1_000_000n);
    const sale = {
      fromTokenAddress: mint,
      toTokenAddress: SOL,
      amount: '5000000000',
      referrerWalletAddress: r.rig.treasury,
      referrerFeeBps: 100,
    };
    const own = await r.ownOut(sale);
    r.stub.offers({ amountOut: own * 2n });
    const data = await r.swap(sale);
    expect(data.bestRouter).toMatchObject({ router: 'Stub Router' });
    expect(BigInt(data.toTokenAmount)).toBe(own * 2n - (own * 2n) / 100n);
    const [before, referrer] = [
      await r.rig.chain.balance(r.rig.wallet),
      await r.rig.chain.balance(r.rig.treasury),
    ];
    expect(await r.submit(data.tx)).toBeNull();
    const gained = (await r.rig.chain.balance(r.rig.wallet)) - before;
    // The signature, and the floor of the tier for each unit.
    const network = BigInt(data.toTokenAmount) - gained;
    expect(network).toBeGreaterThan(5_000n);
    expect(network).toBeLessThan(15_000n);
    expect((await r.rig.chain.balance(r.rig.treasury)) - referrer).toBe((own * 2n) / 100n);
  });

  it('loses a tie, and loses with a price that its transaction does not bring', async () => {
    const own = await r.ownOut();
    r.stub.offers({ amountOut: own });
    expect((await r.swap()).bestRouter).toMatchObject({ router: 'tradepost' });
    r.stub.offers({ amountOut: own + 5_000_000n, brings: own - own / 1_000n });
    expect((await r.swap()).bestRouter).toMatchObject({ router: 'tradepost' });
    // The same output for one signature less is more.
    r.stub.offers({ amountOut: own + 1n, brings: own });
    expect((await r.swap()).bestRouter).toMatchObject({ router: 'Stub Router' });
  });

  it('is held to the minimum by the chain itself when the price changes after the answer', async () => {
    const { mint } = r.rig.token('PUP');
    const own = await r.ownOut();
    r.stub.offers({ amountOut: own + 1_000_000n });
    const data = await r.swap();
    // Units that leave meanwhile stand for an output that falls short: the account ends below what was checked for.
    const held = await r.units(mint);
    const away = { payer: r.rig.wallet, owner: r.stub.maker, mint, tokenProgram: TOKEN_PROGRAM } as const;
    const { blockhash } = await r.rig.chain.latestBlockhash();
    const message = r.rig.compiler.compile({
      payer: r.rig.wallet,
      blockhash,
      instructions: [
        r.rig.programs.createAssociatedTokenAccount(away),
        r.stub.move(
          mint,
          r.rig.programs.associatedTokenAddress(r.rig.wallet, mint, TOKEN_PROGRAM),
          r.rig.programs.associatedTokenAddress(r.stub.maker, mint, TOKEN_PROGRAM),
          minBigint(held, own),
        ),
      ],
    });
    const transaction = new VersionedTransaction(
      VersionedTransaction.deserialize(
        r.rig.compiler.assemble(message, new Map([[r.rig.wallet, new Uint8Array(64)]])),
      ).message,
    );
    transaction.sign([r.rig.keypair]);
    expect(await r.rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
    r.rig.confirmSlots();
    expect(await r.submit(data.tx)).toMatch(/Custom/);
  });

  it('answers where our own router knows no way, in GET /dex/quote too', async () => {
    const { mint } = r.rig.token('PUP');
    const lonely = { fromTokenAddress: SOL, toTokenAddress: mint, amount: '1' };
    r.stub.offers({ amountOut: 77n });
    expect((await r.swap({ ...lonely, slippageBps: 0 })).toTokenAmount).toBe('77');
    const quote = await r.api.open.inject({
      url: `/dex/quote?fromTokenAddress=${SOL}&toTokenAddress=${mint}&amount=1&slippageBps=0`,
    });
    expect(quote.json()).toMatchObject({
      data: { toTokenAmount: '77', bestRouter: { router: 'Stub Router' } },
    });
    r.stub.offers(null);
    expect((await post(r.api.open, r.body(lonely))).json()).toMatchObject({ error: {} });
  });

  it('finds its accounts in a lookup table that stands on the chain', async () => {
    const { mint } = r.rig.token('PUP');
    const slot = Number((await r.rig.chain.latestBlockhash()).slot) - 1;
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: r.rig.keypair.publicKey,
      payer: r.rig.keypair.publicKey,
      recentSlot: slot,
    });
    const makers = [SOL, mint].map((one) =>
      r.rig.programs.associatedTokenAddress(r.stub.maker, address(one), TOKEN_PROGRAM),
    );
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: r.rig.keypair.publicKey,
      payer: r.rig.keypair.publicKey,
      addresses: makers.map((one) => new PublicKey(one)),
    });
    const { blockhash } = await r.rig.chain.latestBlockhash();
    const message = r.rig.compiler.compile({
      payer: r.rig.wallet,
      blockhash,
      instructions: [create, extend].map(toInstruction),
    });
    const setup = VersionedTransaction.deserialize(
      r.rig.compiler.assemble(message, new Map([[r.rig.wallet, new Uint8Array(64)]])),
    );
    setup.sign([r.rig.keypair]);
    expect(await r.rig.chain.send(setup.serialize())).toEqual({ kind: 'accepted' });
    r.rig.confirmSlots();

    const better = (await r.ownOut()) + 1_000_000n;
    r.stub.offers({
      amountOut: better,
      answer: (honest) =>
        honest.kind === 'message' ? honest : { ...honest, lookupTables: [address(table.toBase58())] },
    });
    const data = await r.swap();
    const { message: answered } = VersionedTransaction.deserialize(fromBase58(data.tx) ?? new Uint8Array());
    expect(answered.addressTableLookups.map(({ accountKey }) => accountKey.toBase58())).toEqual([
      table.toBase58(),
    ]);
    const before = await r.units(mint);
    expect(await r.submit(data.tx)).toBeNull();
    expect((await r.units(mint)) - before).toBe(better);
  });
});
