import { AuthorityType, createApproveInstruction, createSetAuthorityInstruction } from '@solana/spl-token';
import { AddressLookupTableProgram, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toInstruction } from '../../../src/adapters/chain/instruction-codec.ts';
import { address, fromBase58, toBase58 } from '../../../src/core/address/address.ts';
import { TOKEN_PROGRAM } from '../../../src/core/address/programs.ts';
import { minBigint } from '../../../src/core/amounts/rounding.ts';
import { type Api, buildApi, post, SOL } from '../../api/build-api.ts';
import { addressOf } from '../../core/intents/build.ts';
import { type DeskRig, startDeskRig } from '../trade/desk-rig.ts';
import { createStubRival } from './stub-rival.ts';

const SEED = 'rival-swap';
type Data = {
  readonly tx: string;
  readonly toTokenAmount: string;
  readonly minReceiveAmount: string;
  readonly bestRouter: unknown;
  readonly lastValidBlockHeight: string;
};

let rig: DeskRig;
let stub: Awaited<ReturnType<typeof createStubRival>>;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig(SEED);
  stub = await createStubRival(rig, SEED, 'PUP');
  api = buildApi({ ...rig, deps: { ...rig.deps, rivals: stub.rivals } });
}, 30_000);
afterAll(async () => {
  await api.close();
  await rig.stop();
});
beforeEach(() => {
  stub.offers(null);
  stub.passedOver.length = 0;
});

const ONE_SOL = '1000000000';
const body = (more: object = {}) => ({
  userWalletAddress: rig.wallet,
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount: ONE_SOL,
  slippageBps: 100,
  ...more,
});
async function swap(more: object = {}): Promise<Data> {
  const answer = await post(api.open, body(more));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Data }>().data;
}
const units = async (mint: string): Promise<bigint> =>
  (await rig.chain.holdings(rig.wallet)).find((holding) => holding.mint === mint)?.amount ?? 0n;
async function submit(tx: string): Promise<string | null> {
  const transaction = VersionedTransaction.deserialize(fromBase58(tx) ?? new Uint8Array());
  transaction.sign([rig.keypair]);
  const outcome = await rig.chain.send(transaction.serialize());
  if (outcome.kind === 'refused') return outcome.err;
  rig.confirmSlots();
  return (await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array())))?.err ?? null;
}

/** What our own router gives for the same, to be beaten. */
const ownOut = async (more: object = {}): Promise<bigint> => {
  stub.offers(null);
  return BigInt((await swap(more)).toTokenAmount);
};

describe('an aggregator beside our own router', () => {
  it('wins with a better price, and its transaction brings the amount to the unit', async () => {
    const { mint } = rig.token('PUP');
    const better = (await ownOut()) + 1_000_000n;
    stub.offers({ amountOut: better });
    const data = await swap();
    expect(data.bestRouter).toEqual({
      router: 'Stub Router',
      subRouters: [
        { protocol: [{ name: 'Maker', percent: '100' }], fromTokenAddress: SOL, toTokenAddress: mint },
      ],
    });
    expect(data.toTokenAmount).toBe(better.toString());
    expect(BigInt(data.minReceiveAmount)).toBe((better * 99n + 99n) / 100n);
    const before = await units(mint);
    expect(await submit(data.tx)).toBeNull();
    expect((await units(mint)) - before).toBe(better);
    expect(stub.passedOver).toEqual([]);
  });

  it('wins a sale for SOL, with the referrer paid out of it', async () => {
    const { mint } = rig.token('PUP');
    await rig.airdrop(rig.treasury, 1_000_000n);
    const sale = {
      fromTokenAddress: mint,
      toTokenAddress: SOL,
      amount: '5000000000',
      referrerWalletAddress: rig.treasury,
      referrerFeeBps: 100,
    };
    const own = await ownOut(sale);
    stub.offers({ amountOut: own * 2n });
    const data = await swap(sale);
    expect(data.bestRouter).toMatchObject({ router: 'Stub Router' });
    expect(BigInt(data.toTokenAmount)).toBe(own * 2n - (own * 2n) / 100n);
    const [before, referrer] = [await rig.chain.balance(rig.wallet), await rig.chain.balance(rig.treasury)];
    expect(await submit(data.tx)).toBeNull();
    const gained = (await rig.chain.balance(rig.wallet)) - before;
    expect(gained).toBe(BigInt(data.toTokenAmount) - 5_000n);
    expect((await rig.chain.balance(rig.treasury)) - referrer).toBe((own * 2n) / 100n);
  });

  it('loses a tie, and loses with a price that its transaction does not bring', async () => {
    const own = await ownOut();
    stub.offers({ amountOut: own });
    expect((await swap()).bestRouter).toMatchObject({ router: 'tradepost' });
    stub.offers({ amountOut: own + 5_000_000n, brings: own - own / 1_000n });
    expect((await swap()).bestRouter).toMatchObject({ router: 'tradepost' });
    // The same output for one signature less is more.
    stub.offers({ amountOut: own + 1n, brings: own });
    expect((await swap()).bestRouter).toMatchObject({ router: 'Stub Router' });
  });

  it('is held to the minimum by the chain itself when the price changes after the answer', async () => {
    const { mint } = rig.token('PUP');
    const own = await ownOut();
    stub.offers({ amountOut: own + 1_000_000n });
    const data = await swap();
    // Units that leave meanwhile stand for an output that falls short: the account ends below what was checked for.
    const held = await units(mint);
    const away = { payer: rig.wallet, owner: stub.maker, mint, tokenProgram: TOKEN_PROGRAM } as const;
    const { blockhash } = await rig.chain.latestBlockhash();
    const message = rig.compiler.compile({
      payer: rig.wallet,
      blockhash,
      instructions: [
        rig.programs.createAssociatedTokenAccount(away),
        stub.move(
          mint,
          rig.programs.associatedTokenAddress(rig.wallet, mint, TOKEN_PROGRAM),
          rig.programs.associatedTokenAddress(stub.maker, mint, TOKEN_PROGRAM),
          minBigint(held, own),
        ),
      ],
    });
    const transaction = new VersionedTransaction(
      VersionedTransaction.deserialize(
        rig.compiler.assemble(message, new Map([[rig.wallet, new Uint8Array(64)]])),
      ).message,
    );
    transaction.sign([rig.keypair]);
    expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
    expect(await submit(data.tx)).toMatch(/Custom/);
  });

  const approve = (account: string) =>
    toInstruction(
      createApproveInstruction(
        new PublicKey(account),
        new PublicKey(addressOf(66)),
        new PublicKey(rig.wallet),
        9n,
      ),
    );

  it.each([
    [
      'takes more than the amount',
      (own: bigint) => ({ amountOut: own * 2n, takes: 1_000_000_001n }),
      'simulate',
    ],
    ['brings less than the minimum', (own: bigint) => ({ amountOut: own * 2n, brings: own }), 'simulate'],
    [
      'approves somebody for what was bought',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: ({ destination }: { destination: string }) => [approve(destination)],
      }),
      'simulate',
    ],
    [
      'hands the account over',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: ({ destination }: { destination: string }) => [
          toInstruction(
            createSetAuthorityInstruction(
              new PublicKey(destination),
              new PublicKey(rig.wallet),
              AuthorityType.AccountOwner,
              new PublicKey(addressOf(66)),
            ),
          ),
        ],
      }),
      'simulate',
    ],
    [
      'has another signer',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: () => [
          {
            programId: TOKEN_PROGRAM,
            accounts: [{ address: addressOf(66), signer: true, writable: false }],
            data: new Uint8Array([1]),
          },
        ],
      }),
      'build',
    ],
    [
      'sends SOL along',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: () => [rig.programs.transferSol({ from: rig.wallet, to: addressOf(66), lamports: 1n })],
      }),
      'build',
    ],
    [
      'calls an unknown program',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: () => [{ programId: addressOf(67), accounts: [], data: new Uint8Array([1]) }],
      }),
      'build',
    ],
    [
      'names a lookup table that is none',
      (own: bigint) => ({
        amountOut: own * 2n,
        answer: (honest: object) => ({ ...honest, lookupTables: [addressOf(68)] }) as never,
      }),
      'build',
    ],
    [
      'answers with a message that is none',
      (own: bigint) => ({
        amountOut: own * 2n,
        answer: () => ({ kind: 'message', bytes: new Uint8Array(50).fill(3) }) as const,
      }),
      'build',
    ],
    [
      'is too large for a packet',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: () => [{ programId: TOKEN_PROGRAM, accounts: [], data: new Uint8Array(1_300) }],
      }),
      'simulate',
    ],
  ] as const)('is passed over when its transaction %s; our own stands', async (_title, offer, step) => {
    const own = await ownOut();
    stub.offers(offer(own) as never);
    expect((await swap()).bestRouter).toMatchObject({ router: 'tradepost' });
    expect(stub.passedOver.map((one) => one.step)).toEqual([step]);
  });

  it('is passed over when its swap could write another token account of the trader', async () => {
    const usdc = rig.token('USDC');
    // The trader comes to hold a second token.
    stub.offers(null);
    expect(await submit((await swap({ toTokenAddress: usdc.mint })).tx)).toBeNull();
    const other = rig.programs.associatedTokenAddress(rig.wallet, usdc.mint, TOKEN_PROGRAM);
    const own = await ownOut();
    stub.offers({
      amountOut: own * 2n,
      answer: (honest) =>
        honest.kind === 'message'
          ? honest
          : {
              ...honest,
              instructions: honest.instructions.map((one) => ({
                ...one,
                accounts: [...one.accounts, { address: other, signer: false, writable: true }],
              })),
            },
    });
    expect((await swap()).bestRouter).toMatchObject({ router: 'tradepost' });
    expect(stub.passedOver.map(({ err }) => String(err))).toEqual([expect.stringMatching(/other-account/)]);
  });

  it('answers where our own router knows no way, in GET /dex/quote too', async () => {
    const { mint } = rig.token('PUP');
    const lonely = { fromTokenAddress: SOL, toTokenAddress: mint, amount: '1' };
    stub.offers({ amountOut: 77n });
    expect((await swap({ ...lonely, slippageBps: 0 })).toTokenAmount).toBe('77');
    const quote = await api.open.inject({
      url: `/dex/quote?fromTokenAddress=${SOL}&toTokenAddress=${mint}&amount=1&slippageBps=0`,
    });
    expect(quote.json()).toMatchObject({
      data: { toTokenAmount: '77', bestRouter: { router: 'Stub Router' } },
    });
    stub.offers(null);
    expect((await post(api.open, body(lonely))).json()).toMatchObject({ error: {} });
  });

  it('finds its accounts in a lookup table that stands on the chain', async () => {
    const { mint } = rig.token('PUP');
    const slot = Number((await rig.chain.latestBlockhash()).slot) - 1;
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: rig.keypair.publicKey,
      payer: rig.keypair.publicKey,
      recentSlot: slot,
    });
    const makers = [SOL, mint].map((one) =>
      rig.programs.associatedTokenAddress(stub.maker, address(one), TOKEN_PROGRAM),
    );
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: rig.keypair.publicKey,
      payer: rig.keypair.publicKey,
      addresses: makers.map((one) => new PublicKey(one)),
    });
    const { blockhash } = await rig.chain.latestBlockhash();
    const message = rig.compiler.compile({
      payer: rig.wallet,
      blockhash,
      instructions: [create, extend].map(toInstruction),
    });
    const setup = VersionedTransaction.deserialize(
      rig.compiler.assemble(message, new Map([[rig.wallet, new Uint8Array(64)]])),
    );
    setup.sign([rig.keypair]);
    expect(await rig.chain.send(setup.serialize())).toEqual({ kind: 'accepted' });
    rig.confirmSlots();

    const better = (await ownOut()) + 1_000_000n;
    stub.offers({
      amountOut: better,
      answer: (honest) =>
        honest.kind === 'message' ? honest : { ...honest, lookupTables: [address(table.toBase58())] },
    });
    const data = await swap();
    const { message: answered } = VersionedTransaction.deserialize(fromBase58(data.tx) ?? new Uint8Array());
    expect(answered.addressTableLookups.map(({ accountKey }) => accountKey.toBase58())).toEqual([
      table.toBase58(),
    ]);
    const before = await units(mint);
    expect(await submit(data.tx)).toBeNull();
    expect((await units(mint)) - before).toBe(better);
  });
});
