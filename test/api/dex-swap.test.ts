import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { fromBase58, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import type { LandedTransaction } from '../../src/platform/ports/chain.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

type Data = {
  readonly tx: string;
  readonly toTokenAmount: string;
  readonly minReceiveAmount: string;
  readonly bestRouter: {
    readonly router: string;
    readonly subRouters: readonly { readonly protocol: readonly { name: string; percent: string }[] }[];
  };
  readonly fees: Readonly<Record<string, string | null>>;
  readonly lastValidBlockHeight: string;
};

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('rest-swap');
  api = buildApi(rig);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

async function swap(body: Record<string, unknown>): Promise<Data> {
  const answer = await post(api.open, { userWalletAddress: rig.wallet, slippageBps: 100, ...body });
  expect(answer.json(), answer.body).toHaveProperty('data');
  expect(answer.statusCode).toBe(200);
  return answer.json<{ data: Data }>().data;
}

/** What a caller does with `tx`: decode, sign, submit. */
async function submit(tx: string): Promise<LandedTransaction> {
  const transaction = VersionedTransaction.deserialize(fromBase58(tx) ?? new Uint8Array());
  transaction.sign([rig.keypair]);
  const outcome = await rig.chain.send(transaction.serialize());
  expect(outcome).toEqual({ kind: 'accepted' });
  rig.confirmSlots();
  const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
  if (landed === null) throw new Error('accepted but not served');
  expect(landed.err).toBeNull();
  return landed;
}

const lamports = (landed: LandedTransaction, account: string): bigint => {
  const row = landed.balances.find((balance) => balance.address === account);
  return row === undefined ? 0n : row.after - row.before;
};
const units = (landed: LandedTransaction, owner: string, mint: string): bigint =>
  landed.tokenBalances
    .filter((row) => row.owner === owner && row.mint === mint)
    .reduce((sum, row) => sum + row.after - row.before, 0n);

describe('POST /dex/swap', () => {
  it('gives the quote alone with quoteOnly, the same as the transaction would bring and nothing to sign', async () => {
    const order = {
      userWalletAddress: rig.wallet,
      fromTokenAddress: SOL,
      toTokenAddress: rig.token('PUP').mint,
      amount: '100000000',
      referrerWalletAddress: rig.keypair.publicKey.toBase58(),
      referrerFeeBps: 100,
    };
    const ask = (query: string, body: Record<string, unknown> = order) =>
      api.open.inject({ method: 'POST', url: `/dex/swap${query}`, payload: body });
    const [full, quote] = [await ask('?quoteOnly=false'), await ask('?quoteOnly=true')];
    expect([full.statusCode, quote.statusCode]).toEqual([200, 200]);
    const [built, { data }] = [full.json<{ data: Data }>().data, quote.json<{ data: Data }>()];
    const extra = ['tx', 'txBase64', 'submitToken', 'signers', 'lastValidBlockHeight', 'fees'];
    expect(Object.keys(data).toSorted()).toEqual(
      Object.keys(built)
        .filter((key) => !extra.includes(key))
        .toSorted(),
    );
    // The referrer's part is taken off in both.
    expect(data).toMatchObject({
      toTokenAmount: built.toTokenAmount,
      minReceiveAmount: built.minReceiveAmount,
    });
    // A wallet without anything can ask, too.
    const poor = Keypair.generate().publicKey.toBase58();
    expect((await ask('?quoteOnly=true', { ...order, userWalletAddress: poor })).statusCode).toBe(200);
    // The same checks, and one of its own.
    const bad = await ask('?quoteOnly=true', { ...order, amount: '0' });
    expect(bad.json<ErrorAnswer>().error).toMatchObject({ code: 'AMOUNT_INVALID' });
    const odd = await ask('?quoteOnly=yes');
    expect(odd.statusCode).toBe(400);
    expect(odd.json<ErrorAnswer>().error).toMatchObject({
      field: 'quoteOnly',
      message: expect.stringContaining('expected true or false') as string,
    });
  });

  it('goes through another token where that is the only way, and tells every pair of it', async () => {
    const [bao, usdc] = [rig.token('BAO').mint, rig.token('USDC').mint];
    const data = await swap({ fromTokenAddress: SOL, toTokenAddress: bao, amount: '500000000' });
    expect(data.bestRouter.subRouters).toEqual([
      {
        protocol: [{ name: expect.stringMatching(/^Desk/), percent: '100' }],
        fromTokenAddress: SOL,
        toTokenAddress: usdc,
      },
      { protocol: [{ name: 'Desk South', percent: '100' }], fromTokenAddress: usdc, toTokenAddress: bao },
    ]);
    expect(data).toMatchObject({ remainders: [] });
    const landed = await submit(data.tx);
    expect(units(landed, rig.wallet, bao)).toBe(BigInt(data.toTokenAmount));
    expect(units(landed, rig.wallet, usdc)).toBe(0n);
    expect(lamports(landed, rig.wallet)).toBe(
      -(500_000_000n + landed.feeLamports + BigInt(data.fees['newAccountRentLamports'] ?? '')),
    );
  });

  it('goes through SOL between two tokens, wrapped and unwrapped inside', async () => {
    const [tax, usdc] = [rig.token('TAX').mint, rig.token('USDC').mint];
    const bought = await swap({ fromTokenAddress: SOL, toTokenAddress: usdc, amount: '400000000' });
    await submit(bought.tx);
    const data = await swap({
      fromTokenAddress: usdc,
      toTokenAddress: tax,
      amount: bought.toTokenAmount,
    });
    expect(data.bestRouter.subRouters.map((one) => Object.values(one).slice(1))).toEqual([
      [usdc, SOL],
      [SOL, tax],
    ]);
    const landed = await submit(data.tx);
    expect(units(landed, rig.wallet, tax)).toBe(BigInt(data.toTokenAmount));
    expect(units(landed, rig.wallet, usdc)).toBe(-BigInt(bought.toTokenAmount));
    expect(lamports(landed, rig.wallet)).toBe(
      -(landed.feeLamports + BigInt(data.fees['newAccountRentLamports'] ?? '')),
    );
  });

  it('gives a transaction that, signed and sent, brings toTokenAmount to the unit over a split', async () => {
    const { mint } = rig.token('PUP');
    const data = await swap({ fromTokenAddress: SOL, toTokenAddress: mint, amount: '5000000000' });
    expect(data).toMatchObject({
      requester: rig.wallet,
      fromTokenAddress: SOL,
      toTokenAddress: mint,
      fromTokenAmount: '5000000000',
      requestAmount: '5000000000',
      maxSpendAmount: '5000000000',
      slippage: '100',
    });
    const { protocol } = data.bestRouter.subRouters[0] ?? { protocol: [] };
    expect(protocol.map(({ name }) => name)).toEqual(['Desk North', 'Desk South']);
    expect(protocol.reduce((sum, { percent }) => sum + Number(percent), 0)).toBe(100);

    const unsigned = VersionedTransaction.deserialize(fromBase58(data.tx) ?? new Uint8Array());
    expect(unsigned.message.staticAccountKeys[0]?.toBase58()).toBe(rig.wallet);
    expect(unsigned.signatures[0]?.every((byte) => byte === 0)).toBe(true);

    const landed = await submit(data.tx);
    expect(units(landed, rig.wallet, mint)).toBe(BigInt(data.toTokenAmount));
    expect(BigInt(data.minReceiveAmount)).toBeLessThanOrEqual(BigInt(data.toTokenAmount));
    expect(landed.feeLamports).toBe(BigInt(data.fees['networkFeeLamports'] ?? ''));
    expect(-lamports(landed, rig.wallet)).toBe(
      5_000_000_000n + landed.feeLamports + BigInt(data.fees['newAccountRentLamports'] ?? ''),
    );
  });

  it('sells a token for SOL and pays the referrer out of it', async () => {
    const { mint } = rig.token('PUP');
    const referrer = address(Keypair.generate().publicKey.toBase58());
    await rig.airdrop(referrer, 1_000_000n);
    const data = await swap({
      fromTokenAddress: mint,
      toTokenAddress: SOL,
      amount: '100000000000',
      referrerWalletAddress: referrer,
      referrerFeeBps: 300,
    });
    const landed = await submit(data.tx);
    const net = BigInt(data.toTokenAmount);
    expect(lamports(landed, rig.wallet)).toBe(net - landed.feeLamports);
    const paid = lamports(landed, referrer);
    expect(paid).toBe(BigInt(data.fees['referrerFee'] ?? ''));
    expect(paid).toBe(((net + paid) * 300n) / 10_000n);
    expect(units(landed, rig.wallet, mint)).toBe(-100_000_000_000n);
  });

  it('takes the referrer’s part of a purchase from the SOL that is spent', async () => {
    const { mint } = rig.token('TAX');
    const referrer = address(Keypair.generate().publicKey.toBase58());
    await rig.airdrop(referrer, 1_000_000n);
    const data = await swap({
      fromTokenAddress: SOL,
      toTokenAddress: mint,
      amount: '400000000',
      referrerWalletAddress: referrer,
      referrerFeeBps: 100,
    });
    const landed = await submit(data.tx);
    expect(lamports(landed, referrer)).toBe(4_000_000n);
    // What arrives is net of the token's own transfer fee.
    expect(units(landed, rig.wallet, mint)).toBe(BigInt(data.toTokenAmount));
  });

  it('swaps one token for another, the referrer paid in the bought one where it has an account', async () => {
    const [pup, usdc] = [rig.token('PUP').mint, rig.token('USDC').mint];
    const referrer = address(Keypair.generate().publicKey.toBase58());
    const order = {
      fromTokenAddress: pup,
      toTokenAddress: usdc,
      amount: '50000000000',
      referrerWalletAddress: referrer,
      referrerFeeBps: 100,
    };
    const refused = await post(api.open, { userWalletAddress: rig.wallet, ...order });
    expect(refused.statusCode).toBe(400);
    expect(refused.json<ErrorAnswer>().error).toMatchObject({
      code: 'REFERRER_UNFUNDED',
      field: 'referrerWalletAddress',
      retryable: false,
    });
    const { referrerWalletAddress: _wallet, referrerFeeBps: _fee, ...plain } = order;
    const landed = await submit((await swap(plain)).tx);
    expect(units(landed, rig.wallet, pup)).toBe(-50_000_000_000n);
    // The trader has an account of it now: as a referrer of somebody else's swap it could be paid.
    const data = await swap({ ...order, referrerWalletAddress: rig.wallet });
    const own = await submit(data.tx);
    expect(units(own, rig.wallet, usdc)).toBe(
      BigInt(data.toTokenAmount) + BigInt(data.fees['referrerFee'] ?? ''),
    );
  });

  it.each([
    {
      what: 'a referrer whom the fee leaves below the rent-exempt minimum',
      body: () => ({
        toTokenAddress: rig.token('PUP').mint,
        referrerWalletAddress: Keypair.generate().publicKey.toBase58(),
        referrerFeeBps: 50,
      }),
      code: 'REFERRER_UNFUNDED',
      field: 'referrerWalletAddress',
    },
    {
      what: 'a referrer that is a mint',
      body: () => ({
        toTokenAddress: rig.token('PUP').mint,
        referrerWalletAddress: rig.token('KOI').mint,
        referrerFeeBps: 100,
      }),
      code: 'REFERRER_NOT_A_WALLET',
      field: 'referrerWalletAddress',
    },
    {
      what: 'an unknown mint',
      body: () => ({ toTokenAddress: Keypair.generate().publicKey.toBase58() }),
      code: 'TOKEN_NOT_FOUND',
      field: 'toTokenAddress',
    },
    {
      what: 'a pair whose only way does not fit a transaction',
      body: () => ({ fromTokenAddress: rig.token('BAO').mint, toTokenAddress: rig.token('LAN').mint }),
      code: 'ROUTE_TOO_LARGE',
    },
    {
      what: 'more SOL than the wallet holds',
      body: () => ({ toTokenAddress: rig.token('PUP').mint, amount: '90000000000' }),
      code: 'INSUFFICIENT_LAMPORTS',
      field: 'userWalletAddress',
    },
    {
      what: 'more units than the wallet holds',
      body: () => ({ fromTokenAddress: rig.token('KOI').mint, toTokenAddress: SOL, amount: '1000000000' }),
      code: 'INSUFFICIENT_TOKENS',
      field: 'userWalletAddress',
    },
    {
      what: 'an amount that buys nothing',
      body: () => ({ toTokenAddress: rig.token('USDC').mint, amount: '1' }),
      code: 'AMOUNT_DUST',
      field: 'amount',
    },
    {
      what: 'a requester that is a mint',
      body: () => ({ toTokenAddress: rig.token('PUP').mint, userWalletAddress: rig.token('PUP').mint }),
      code: 'ADDRESS_INVALID',
      field: 'userWalletAddress',
    },
  ])('refuses $what with 400 $code', async ({ body, code, field }) => {
    const answer = await post(api.open, {
      userWalletAddress: rig.wallet,
      fromTokenAddress: SOL,
      amount: '100000000',
      ...body(),
    });
    expect(answer.statusCode, answer.body).toBe(400);
    const { error } = answer.json<ErrorAnswer>();
    expect(error).toMatchObject({ code, retryable: false, ...(field === undefined ? {} : { field }) });
    expect(error.requestId).toBe(answer.headers['x-request-id']);
  });

  it('names the mint when a token account is given', async () => {
    const { mint } = rig.token('PUP');
    const account = rig.programs.associatedTokenAddress(rig.wallet, mint, address(rig.token('PUP').program));
    const answer = await post(api.open, {
      userWalletAddress: rig.wallet,
      fromTokenAddress: SOL,
      toTokenAddress: account,
      amount: '1000000',
    });
    const { error } = answer.json<ErrorAnswer>();
    expect(error).toMatchObject({ code: 'TOKEN_ACCOUNT_NOT_MINT', field: 'toTokenAddress' });
    expect(error.message).toContain(mint);
  });
});

describe('GET /dex/quote', () => {
  it('says what POST /dex/swap would bring, without a wallet', async () => {
    const { mint } = rig.token('KOI');
    const order = { fromTokenAddress: SOL, toTokenAddress: mint, amount: '700000000' };
    const answer = await api.open.inject({
      method: 'GET',
      url: `/dex/quote?${new URLSearchParams({ ...order, slippageBps: '100' }).toString()}`,
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const quote = answer.json<{ data: Data }>().data;
    expect(quote).not.toHaveProperty('tx');
    const data = await swap(order);
    expect(quote.toTokenAmount).toBe(data.toTokenAmount);
    expect(quote.minReceiveAmount).toBe(data.minReceiveAmount);
  });
});
