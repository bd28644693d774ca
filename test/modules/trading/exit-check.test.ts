import {
  createEnableRequiredMemoTransfersInstruction,
  createReallocateInstruction,
  ExtensionType,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { deriveKey, seedOf } from '@tradepost/local-chain';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { withExit } from '../../../src/modules/tokens/rules/safety.ts';
import { createExitCheck } from '../../../src/modules/trading/use/exit-check.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { tradeCard } from '../../../src/modules/trading/use/trade-card.ts';
import { toInstruction } from '../../../src/platform/chain/instruction-codec.ts';
import { buildApi, post, SOL } from '../../api/build-api.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { startTableRig } from '../../engine/lookup-tables/table-rig.ts';
import { type DeskRig, startDeskRig } from './desk-rig.ts';

const SEED = 'exit-check';
let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig(SEED, { version1: false });
});
afterAll(() => rig.stop());

let now = 0;
const check = (more: Partial<Parameters<typeof createExitCheck>[0]> = {}) =>
  createExitCheck({ ...rig.deps, compiler: rig.compiler, clock: { now: () => now }, ...more });
const card = (symbol: string, exitCheck = check()) =>
  tradeCard(
    { ...rig.deps, exitCheck, solPrice: async () => null },
    { wallet: rig.wallet, mint: rig.token(symbol).mint },
  );

/**
 * What a trap does on a real cluster: from now on the maker's account of the token takes in nothing without a memo, so
 * whoever buys gets his tokens and whoever sells is refused. Nothing of it stands in the mint.
 */
async function closeTheWayBack(symbol: string): Promise<void> {
  const { mint } = rig.token(symbol);
  const pool = rig.local.world.pools.find(({ mintA, mintB }) => mintA === mint || mintB === mint);
  if (pool === undefined) throw new Error('no pool');
  const maker = deriveKey(seedOf(SEED), pool.keyLabel);
  await rig.airdrop(maker.address, 10_000_000n);
  const [vault, owner] = [
    new PublicKey(pool.mintA === mint ? pool.vaultA : pool.vaultB),
    new PublicKey(maker.address),
  ];
  const blockhash = await rig.chain.latestBlockhash();
  const message = rig.compiler.compile({
    payer: maker.address as Address,
    blockhash: blockhash.blockhash,
    instructions: [
      createReallocateInstruction(
        vault,
        owner,
        [ExtensionType.MemoTransfer],
        owner,
        [],
        TOKEN_2022_PROGRAM_ID,
      ),
      createEnableRequiredMemoTransfersInstruction(vault, owner, [], TOKEN_2022_PROGRAM_ID),
    ].map(toInstruction),
  });
  const signatures = new Map([[maker.address, maker.sign(message.bytes)]]);
  expect(await rig.chain.send(rig.compiler.assemble(message, signatures))).toEqual({ kind: 'accepted' });
  rig.confirmSlots();
}

describe('the rehearsed way out of a token', () => {
  it.each(['PUP', 'TAX', 'KOI', 'LAN'])('brings for %s what the quotes make one expect', async (symbol) => {
    const [quoted, shown] = [
      await tradeCard(
        { ...rig.deps, solPrice: async () => null },
        { wallet: rig.wallet, mint: rig.token(symbol).mint },
      ),
      await card(symbol),
    ];
    expect(quoted.testSale?.simulated).toBe(false);
    expect(shown.testSale?.simulated).toBe(true);
    const difference = (shown.testSale?.returnedBps ?? 0) - (quoted.testSale?.returnedBps ?? 0);
    // Never rosier; at most a pool's fee each way below, where the way there and back had to be a single pool.
    expect(difference).toBeLessThanOrEqual(2);
    expect(difference).toBeGreaterThan(-60);
    expect(shown.safety).toEqual(quoted.safety);
  });

  it('is rehearsed with the treasury’s lamports for who has none, and not at all when nobody has any', async () => {
    const { mint } = rig.token('KOI');
    expect(await check()(mint, addressOf(5))).toEqual({ kind: 'unchecked' });
    expect(await check({ treasury: rig.wallet })(mint, addressOf(5))).toMatchObject({ kind: 'sold' });
    expect(await check({ treasury: rig.wallet })(mint, null)).toMatchObject({ kind: 'sold' });
  });

  it('goes over two hops there and back where lookup tables make room', async () => {
    const { mint } = rig.token('BAO');
    expect(await check()(mint, rig.wallet)).toEqual({ kind: 'unchecked' });
    const operator = await startTableRig(rig);
    await operator.sync(await operator.wanted());
    const exit = await check({ lookupTables: operator.lookupTables() })(mint, rig.wallet);
    expect(exit).toMatchObject({ kind: 'sold', spentLamports: 100_000_000n });
    expect(exit.kind === 'sold' && exit.returnedLamports).toBeGreaterThan(98_000_000n);
  });

  it('changes nothing on the chain', async () => {
    const before = await rig.chain.balance(rig.wallet);
    await check()(rig.token('PUP').mint, rig.wallet);
    rig.confirmSlots();
    expect(await rig.chain.balance(rig.wallet)).toBe(before);
    expect(await rig.chain.holdings(rig.wallet)).toEqual([]);
  });

  it('is asked of the chain once in half a minute, again at once when it could not be tried', async () => {
    let simulations = 0;
    const chain = {
      ...rig.chain,
      simulate: (...args: Parameters<typeof rig.chain.simulate>) => {
        simulations += 1;
        return rig.chain.simulate(...args);
      },
    };
    const ask = check({ chain });
    const { mint } = rig.token('KOI');
    await Promise.all([ask(mint, rig.wallet), ask(mint, rig.wallet)]);
    await ask(mint, rig.wallet);
    expect(simulations).toBe(1);
    now += 30_000;
    await ask(mint, rig.wallet);
    expect(simulations).toBe(2);
    // What cannot be tried says nothing, and is not kept.
    const err = '"BlockhashNotFound"';
    const lost = check({
      chain: {
        ...rig.chain,
        simulate: async () => ({ err, logs: [], unitsConsumed: 0, loadedBytes: null, after: [], slot: 0n }),
      },
    });
    expect(await lost(mint, rig.wallet)).toEqual({ kind: 'unchecked' });
  });

  it('is said to be closed where a sale is refused, to buyers in the chat and over REST, and blocks no sale', async () => {
    const { mint } = rig.token('TAX');
    expect((await card('TAX')).safety.level).toBe('CAREFUL');
    await closeTheWayBack('TAX');
    const shown = await card('TAX');
    expect(shown.safety.level).toBe('BLOCK');
    expect(shown.safety.warnings[0]).toEqual({ code: 'CANNOT_SELL', severity: 'BLOCK' });
    expect(shown.testSale).toBeNull();
    const quote = await quoteTrade(
      { ...rig.deps, exitCheck: check() },
      {
        side: 'buy',
        wallet: rig.wallet,
        mint,
        slippageBps: bps(100),
        tier: 'normal',
        amount: { lamports: 100_000_000n },
      },
    );
    expect(quote.safety.level).toBe('BLOCK');

    const api = buildApi({ ...rig, deps: { ...rig.deps, exitCheck: check() } });
    try {
      const answer = await post(api.open, {
        userWalletAddress: rig.wallet,
        fromTokenAddress: SOL,
        toTokenAddress: mint,
        amount: '100000000',
      });
      expect(answer.statusCode, answer.body).toBe(200);
      const { data } = answer.json<{ data: { warnings: { code: string; message: string }[] } }>();
      expect(data.warnings).toContainEqual({
        code: 'TOKEN_RISK',
        message: 'the bought token: CANNOT_SELL',
      });
    } finally {
      await api.close();
    }
  });

  it('says nothing where no pool trades the token and where no node answers', async () => {
    const { mint } = rig.token('PUP');
    expect(await check({ venues: [] })(mint, rig.wallet)).toEqual({ kind: 'unchecked' });
    expect(await check()(addressOf(9), rig.wallet)).toEqual({ kind: 'unchecked' });
  });
});

describe('withExit', () => {
  const fine = { level: 'OK', warnings: [] } as const;
  const sold = (returnedLamports: bigint) =>
    ({ kind: 'sold', spentLamports: 1_000n, returnedLamports }) as const;

  it('puts what happened before what could, and leaves a good way out unsaid', () => {
    expect(withExit(fine, sold(900n))).toEqual(fine);
    expect(withExit(fine, undefined)).toEqual(fine);
    expect(withExit(fine, { kind: 'unchecked' })).toEqual(fine);
    expect(withExit(fine, sold(899n))).toEqual({
      level: 'CAREFUL',
      warnings: [{ code: 'POOR_EXIT', severity: 'CAREFUL', returnedBps: 8_990 }],
    });
    expect(withExit(fine, { kind: 'cannot-buy' }).level).toBe('CAREFUL');
    const risky = { level: 'CAREFUL', warnings: [{ code: 'PAUSABLE', severity: 'CAREFUL' }] } as const;
    expect(withExit(risky, { kind: 'cannot-sell' })).toMatchObject({
      level: 'BLOCK',
      warnings: [{ code: 'CANNOT_SELL' }, { code: 'PAUSABLE' }],
    });
  });
});
