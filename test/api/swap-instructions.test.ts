import { VersionedTransaction } from '@solana/web3.js';
import { type Address, type Instruction, TOKEN_PROGRAM, toBase58, unitsHeld } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { firstSignature } from '../../src/engine/signing/rules/wire-transaction.ts';
import type { Venue } from '../../src/platform/ports/venue.ts';
import { type DeskRig, signMessage, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

type Part = {
  readonly programId: Address;
  readonly accounts: Instruction['accounts'];
  readonly data: string;
};
const GROUPS = ['computeBudget', 'feesIn', 'setup', 'swap', 'cleanup', 'feesOut', 'tip'] as const;
type Data = Readonly<Record<(typeof GROUPS)[number], readonly Part[]>> & {
  readonly blockhash: string;
  readonly lookupTables: readonly unknown[];
  readonly signers: readonly string[];
  readonly toTokenAmount: string;
  readonly minReceiveAmount: string;
};

let rig: DeskRig;
let api: Api;
/** The same desk as if its swaps needed no signature of its own: below it gives one to the whole transaction. */
let bare: Api;
const unsigned = (venue: Venue): Venue => ({
  name: venue.name,
  pools: (...asked) => venue.pools(...asked),
  counterparts: (mint) => venue.counterparts(mint),
});
const alone = (venues: readonly Venue[]): DeskRig => ({
  ...rig,
  compiler: {
    ...rig.compiler,
    assemble: (message, signatures) =>
      rig.compiler.assemble(
        message,
        new Map([...message.signers.map((one) => [one, new Uint8Array(64)] as const), ...signatures]),
      ),
  },
  deps: { ...rig.deps, venues: venues.map(unsigned) },
});
beforeAll(async () => {
  rig = await startDeskRig('swap-instructions');
  api = buildApi(rig);
  bare = buildApi(alone(rig.venues));
});
afterAll(async () => {
  await Promise.all([api.close(), bare.close()]);
  await rig.stop();
});

const order = (more: object = {}) => ({
  userWalletAddress: rig.wallet,
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount: '100000000',
  ...more,
});
const ask = (of: Api, what: 'quote' | 'instructions', more: object = {}) =>
  of.open.inject({ method: 'POST', url: `/dex/swap/${what}`, payload: order(more) });
const instructionOf = ({ programId, accounts, data }: Part): Instruction => ({
  programId,
  accounts,
  data: new Uint8Array(Buffer.from(data, 'base64')),
});
const told = (data: Data) => GROUPS.flatMap((group) => data[group].map(instructionOf));

describe('POST /dex/swap/instructions', () => {
  it('gives groups that, in their order, are the whole transaction, and it lands', async () => {
    const referrer = { referrerWalletAddress: rig.treasury, referrerFeeBps: 100 };
    const answer = await ask(bare, 'instructions', referrer);
    expect(answer.statusCode, answer.body).toBe(200);
    const { data } = answer.json<{ data: Data }>();
    expect(data.feesIn).toHaveLength(1);
    expect(data.setup.length).toBeGreaterThan(0);
    expect(data.cleanup.length).toBeGreaterThan(0);
    expect([data.feesOut, data.tip]).toEqual([[], []]);
    expect(data.signers).toEqual([rig.wallet]);

    const message = rig.compiler.compile({
      payer: rig.wallet,
      blockhash: data.blockhash,
      instructions: told(data),
      lookupTables: [],
    });
    const others = message.signers.filter((one) => one !== rig.wallet);
    const signatures = new Map(await rig.venues[0]?.coSign?.(message.bytes, others));
    signatures.set(rig.wallet, signMessage(rig.keypair, message.bytes));
    const bytes = rig.compiler.assemble(message, signatures);
    expect(await rig.chain.send(bytes)).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
    const landed = await rig.chain.landed(toBase58(firstSignature(bytes)));
    expect(landed?.err).toBeNull();
    const account = rig.programs.associatedTokenAddress(rig.wallet, rig.token('PUP').mint, TOKEN_PROGRAM);
    const { accounts } = await rig.chain.accounts([account]);
    expect(unitsHeld(accounts[0] ?? null)).toBe(BigInt(data.toTokenAmount));
  });

  it('takes a part of what was bought behind the swap', async () => {
    const sale = { fromTokenAddress: rig.token('PUP').mint, toTokenAddress: SOL, amount: '1000000' };
    const referrer = { referrerWalletAddress: rig.treasury, referrerFeeBps: 100 };
    const answer = await ask(bare, 'instructions', { ...sale, ...referrer });
    expect(answer.statusCode, answer.body).toBe(200);
    const { data } = answer.json<{ data: Data }>();
    expect([data.feesIn.length, data.feesOut.length]).toEqual([0, 1]);
  });

  it('is of the same instructions as the transaction of the same body', async () => {
    const { data } = (await ask(bare, 'instructions')).json<{ data: Data }>();
    const swap = (await post(api.open, order())).json<{ data: { txBase64: string } }>().data;
    const { message } = VersionedTransaction.deserialize(Buffer.from(swap.txBase64, 'base64'));
    const programs = message.compiledInstructions.map((one) =>
      message.staticAccountKeys[one.programIdIndex]?.toBase58(),
    );
    expect(told(data).map(({ programId }) => programId)).toEqual(programs);
  });

  it('takes an address that a program derives, which a transaction to sign does not', async () => {
    const vault = rig.programs.associatedTokenAddress(rig.wallet, address(SOL), TOKEN_PROGRAM);
    await rig.airdrop(vault, 1_000_000_000n);
    const more = { userWalletAddress: vault };
    const answer = await ask(bare, 'instructions', more);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json<{ data: Data }>().data.signers).toEqual([vault]);
    expect((await post(api.open, order(more))).json<ErrorAnswer>().error.code).toBe('ADDRESS_INVALID');
    expect((await ask(api, 'quote', more)).statusCode).toBe(200);
  });

  it('goes over no venue that must sign itself, and says so', async () => {
    const answer = await ask(api, 'instructions');
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorAnswer>().error).toMatchObject({
      code: 'NO_ROUTE',
      message: expect.stringContaining('venues that need no signature of their own'),
    });
  });

  it('refuses what a swap refuses', async () => {
    const poor = await ask(bare, 'instructions', { amount: '99000000000000' });
    expect(poor.json<ErrorAnswer>().error.code).toBe('INSUFFICIENT_LAMPORTS');
    const same = await ask(bare, 'instructions', { toTokenAddress: SOL });
    expect(same.json<ErrorAnswer>().error.code).toBe('SAME_TOKEN');
  });

  it('withholds groups in which the policy finds what the swap does not need', async () => {
    const planted = rig.venues.map(
      (venue): Venue => ({
        ...venue,
        pools: async (a, b) =>
          (await venue.pools(a, b)).map((pool) => ({
            ...pool,
            swap: (asked) => [...pool.swap(asked), rig.programs.memo('not asked for')],
          })),
      }),
    );
    const faulty = buildApi(alone(planted));
    try {
      const answer = await ask(faulty, 'instructions');
      expect(answer.statusCode, answer.body).toBe(500);
      expect(answer.body).not.toContain('programId');
      expect(faulty.denied).toContain('memo');
    } finally {
      await faulty.close();
    }
  });
});

describe('POST /dex/swap/quote', () => {
  it('is the quote of the swap of the same body', async () => {
    const quoted = (await ask(api, 'quote', { slippageBps: 100 })).json<{ data: Data }>().data;
    const answer = await post(api.open, order({ slippageBps: 100 }));
    const swap = answer.json<{ data: Data }>().data;
    expect(quoted).toMatchObject({
      toTokenAmount: swap.toTokenAmount,
      minReceiveAmount: swap.minReceiveAmount,
      requester: rig.wallet,
    });
    expect(quoted).not.toHaveProperty('txBase64');
  });
});
