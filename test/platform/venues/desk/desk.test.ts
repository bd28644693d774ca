import { readTokenAccount, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../../../src/core/address/address.ts';
import { bps } from '../../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../../src/engine/intents/kinds/buy/plan.ts';
import { quoteTrade } from '../../../../src/modules/trading/use/quote-trade.ts';
import { createDeskVenue } from '../../../../src/platform/venues/desk/index.ts';
import { describeVenue } from '../../../conformance/venue.ts';
import {
  ATTEMPT,
  buildIntent,
  buildWallet,
  type DeskRig,
  startDeskRig,
} from '../../../modules/trading/desk-rig.ts';

let rig: DeskRig;
let vaults: ReadonlyMap<string, bigint>;
const started = startDeskRig('desk-venue').then(async (made) => {
  rig = made;
  const keys = rig.local.world.pools.flatMap((pool) => [pool.vaultA, pool.vaultB]);
  const { accounts } = await rig.chain.accounts(keys);
  vaults = new Map(
    keys.map((key, index) => {
      const account = accounts[index];
      return [
        key,
        account === null || account === undefined ? 0n : (readTokenAccount(account)?.amount ?? 0n),
      ];
    }),
  );
});
beforeAll(() => started, 30_000);
afterAll(() => rig.stop());

const reserves = (pool: Pool, mint: string): bigint => {
  const record = rig.local.world.pools.find((one) => one.id === pool.id);
  if (record === undefined) throw new Error(`unknown pool ${pool.id}`);
  return vaults.get(record.mintA === mint ? record.vaultA : record.vaultB) ?? 0n;
};
const pair = (a: string, b: string) => async () => {
  await started;
  const mintOf = (symbol: string) => (symbol === 'SOL' ? WSOL_MINT : rig.token(symbol).mint);
  return { venue: rig.venues[0]!, mintA: mintOf(a), mintB: mintOf(b), reserves };
};

describeVenue('desk, plain tokens', pair('PUP', 'SOL'));
describeVenue('desk, no SOL in the pair', pair('KOI', 'USDC'));
describeVenue('desk, a launch curve', pair('LAN', 'SOL'));
describeVenue('desk, a Token-2022 transfer fee', async () => ({
  ...(await pair('TAX', 'SOL')()),
  // The mint's fee and the desk's.
  roundedFees: 2n,
}));

describe('createDeskVenue', () => {
  async function swapMessage(overrides: { readonly extra?: bigint } = {}) {
    const [pool] = await rig.venues[0]!.pools(rig.token('PUP').mint, WSOL_MINT);
    const owner = rig.wallet;
    const account = (mint: typeof WSOL_MINT) =>
      rig.programs.associatedTokenAddress(owner, mint, TOKEN_PROGRAM);
    const mintOut = rig.token('PUP').mint;
    const amountIn = 1_000_000_000n;
    const amountOut = pool!.quote(WSOL_MINT, amountIn);
    const [pay, give] = pool!.swap({
      owner,
      mintIn: WSOL_MINT,
      amountIn,
      amountOut,
      minOut: amountOut,
      source: account(WSOL_MINT),
      destination: account(mintOut),
    });
    const tampered = Uint8Array.from(give!.data);
    const view = new DataView(tampered.buffer);
    view.setBigUint64(1, view.getBigUint64(1, true) + (overrides.extra ?? 0n), true);
    const { blockhash } = await rig.chain.latestBlockhash();
    const message = rig.compiler.compile({
      payer: owner,
      blockhash,
      instructions: [pay!, { ...give!, data: tampered }],
    });
    return { message, pool: pool!, amountOut };
  }

  it('gets the maker’s signature for exactly the quoted output', async () => {
    const { message, pool } = await swapMessage();
    const signatures = await rig.venues[0]!.coSign?.(message.bytes, message.signers);
    expect([...(signatures?.keys() ?? [])]).toEqual([pool.id]);
    expect(signatures?.get(pool.id)).toHaveLength(64);
  });

  it('quotes what the maker signs right after another trade, before that one is confirmed', async () => {
    const { mint } = rig.token('PUP');
    const lamports = 500_000_000n;
    const quote = await quoteTrade(rig.deps, {
      side: 'buy',
      wallet: rig.wallet,
      mint,
      slippageBps: bps(500),
      tier: 'normal',
      amount: { lamports },
    });
    const params = { kind: 'buy', mint, terms: quote.terms, tier: quote.tier, lamportsIn: lamports } as const;
    const plan = createBuyPlanBuilder(rig.deps);
    const before = await swapMessage();
    const other = await plan(buildIntent(ATTEMPT, params), buildWallet(rig.wallet), ATTEMPT);
    await rig.land(other, ATTEMPT);
    const after = await swapMessage();
    expect(after.amountOut).toBeLessThan(before.amountOut);
    const signatures = await rig.venues[0]!.coSign?.(after.message.bytes, after.message.signers);
    expect([...(signatures?.keys() ?? [])]).toEqual([after.pool.id]);
    rig.confirmSlots();
  });

  it('throws PRICE_MOVED with both amounts for one unit more', async () => {
    const { message, amountOut } = await swapMessage({ extra: 1n });
    await expect(rig.venues[0]!.coSign?.(message.bytes, message.signers)).rejects.toMatchObject({
      code: 'PRICE_MOVED',
      details: { got: amountOut },
    });
  });

  it('treats any other refusal as our own mistake', async () => {
    const { blockhash } = await rig.chain.latestBlockhash();
    const message = rig.compiler.compile({
      payer: rig.wallet,
      blockhash,
      instructions: [rig.programs.memo('no swap')],
    });
    await expect(rig.venues[0]!.coSign?.(message.bytes, message.signers)).rejects.toThrow(/UNKNOWN_POOL/);
  });

  it('says CHAIN_UNREACHABLE when the desk does not answer as a desk', async () => {
    const { chain, programs } = rig;
    const [mintA, mintB] = [rig.token('PUP').mint, address(WSOL_MINT)];
    for (const deskUrl of [`${rig.local.rpcUrl}/elsewhere`, 'http://127.0.0.1:1/desk']) {
      const venue = createDeskVenue({ deskUrl, chain, programs });
      await expect(venue.pools(mintA, mintB)).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
    }
  });

  it('refuses to be part of a desk list that is not marked as a demonstration', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ demonstration: false, pools: [] })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    const venue = createDeskVenue({
      deskUrl: `http://127.0.0.1:${port}/desk`,
      chain: rig.chain,
      programs: rig.programs,
    });
    await expect(venue.counterparts(WSOL_MINT)).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
});
