import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PublicKey } from '@solana/web3.js';
import { TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { type ExchangePool, isRefusal } from '@tradepost/venues';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { accountDiscriminator } from '../../../packages/venues/src/shared/discriminator.ts';
import { buildCpmm } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import { AccountBytes, buildMint, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { address } from '../../../src/core/address/address.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { accountsToKnow, heldAccounts } from '../../../src/engine/signing/rules/held-accounts.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import { buildAttempt } from '../../../src/engine/transactions/use/build-attempt.ts';
import {
  type AggregatorQuotes,
  createAggregatorQuotes,
} from '../../../src/modules/trading/use/aggregator-quotes.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { openAggregators } from '../../../src/platform/aggregators/index.ts';
import { raydiumCompute, raydiumTransactions } from '../../platform/aggregators/vendor-answers.ts';
import { startVendor, type Vendor } from '../../platform/aggregators/vendor-server.ts';
import { describeOnLocalnet } from '../../platform/venues/shared/exchange/localnet.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { type AggregatorRig, startAggregatorRig } from './aggregator-rig.ts';
import { buildIntent, buildWallet, signMessage } from './desk-rig.ts';

/**
 * Raydium's API as it is: a stub on loopback that answers with a whole transaction for the real CPMM program, through the
 * product's own client, decoder, rebuild, simulation, policy and chain.
 */
describeOnLocalnet('an aggregator’s swap on a real program', { programs: [RAYDIUM_CPMM_PROGRAM] }, () => {
  const AMOUNT = 250_000_000n;
  const AUTH_BUMP_AT = 328;
  let vendor: Vendor;
  let r: AggregatorRig;
  let aggregatorQuotes: AggregatorQuotes;
  let programs: readonly string[];
  const passedOver: unknown[] = [];

  beforeAll(async () => {
    let pool: () => ExchangePool = () => {
      throw new Error('no pool yet');
    };
    vendor = await startVendor(({ route, query, body }) => {
      if (route.startsWith('GET')) {
        const order = {
          mintIn: address(query['inputMint'] ?? ''),
          mintOut: address(query['outputMint'] ?? ''),
          amountIn: BigInt(query['amount'] ?? ''),
          slippageBps: bps(Number(query['slippageBps'])),
          maxAccounts: 0,
        };
        return { json: raydiumCompute(order, pool().quote(order.mintIn, order.amountIn)) };
      }
      const { rig } = r;
      const { data } = body['swapResponse'] as ReturnType<typeof raydiumCompute>;
      const { bytes } = rig.compiler.compile({
        payer: rig.wallet,
        blockhash: testAddress(77),
        instructions: [
          ...rig.programs.computeBudget({ units: 300_000, microLamportsPerUnit: 1n }),
          rig.programs.createAssociatedTokenAccount({
            payer: rig.wallet,
            owner: rig.wallet,
            mint: address(data.outputMint),
            tokenProgram: TOKEN_PROGRAM,
          }),
          ...pool().swap({
            owner: rig.wallet,
            mintIn: address(data.inputMint),
            amountIn: BigInt(data.inputAmount),
            amountOut: BigInt(data.outputAmount),
            minOut: BigInt(data.otherAmountThreshold),
            source: address(String(body['inputAccount'])),
            destination: address(String(body['outputAccount'])),
          }),
        ],
      });
      return { json: raydiumTransactions(Uint8Array.from([1, ...new Uint8Array(64), ...bytes])) };
    });
    r = await startAggregatorRig('real-program', () => aggregatorQuotes);
    const { rig } = r;
    const { chain: local } = rig.local;
    local.svm.addProgram(
      RAYDIUM_CPMM_PROGRAM,
      readFileSync(join(process.env['LOCALNET_PROGRAMS_DIR'] ?? '', `${RAYDIUM_CPMM_PROGRAM}.so`)),
    );
    const token = buildMint(rig.token('PUP').mint, { decimals: rig.token('PUP').decimals });
    const fixture = buildCpmm({
      mints: [buildMint(WSOL_MINT, { decimals: 9 }), token],
      // Three times the desk's price, so that the API wins.
      reserves: [1_000_000_000_000n, 10n ** 17n],
    });
    const [, bump] = PublicKey.findProgramAddressSync(
      [Buffer.from('vault_and_lp_mint_auth_seed')],
      new PublicKey(RAYDIUM_CPMM_PROGRAM),
    );
    for (const [key, account] of fixture.accounts) {
      if (key === fixture.id) account.data[AUTH_BUMP_AT] = bump;
      local.plant(key, account);
    }
    local.plant(
      testAddress(5),
      new AccountBytes(4_075)
        .bytes(0, accountDiscriminator('ObservationState'))
        .address(11, fixture.id)
        .ownedBy(RAYDIUM_CPMM_PROGRAM),
    );
    pool = () => {
      const decoded = raydiumCpmm.decode(
        {
          id: fixture.id,
          asked: fixture.mints.map(({ mint }) => mint),
          get: (key) => local.svm.account(key) as never,
        },
        {
          slot: 1n,
          epoch: 0n,
          unixSeconds: 1_900_000_000n,
          mint: (mint) => fixture.mints.find((facts) => facts.mint === mint) ?? null,
        },
      );
      if (isRefusal(decoded)) throw new Error(decoded.detail);
      return decoded;
    };
    const aggregators = await openAggregators(
      { majorsAlone: false, timeoutMs: 5_000, jupiter: null, okx: null, raydium: { url: vendor.url } },
      { chain: rig.chain, clock: rig.deps.clock, onAbsent: (name) => passedOver.push(name) },
    );
    programs = aggregators.flatMap((one) => one.programs);
    const log = { debug: () => undefined, warn: (fields: object) => void passedOver.push(fields) };
    aggregatorQuotes = createAggregatorQuotes({
      aggregators,
      chain: rig.chain,
      programs: rig.programs,
      log,
      hubs: [],
      majorsAlone: false,
      sources: { count: () => undefined },
    });
  });
  afterAll(async () => {
    await r.stop();
    await vendor.stop();
  });

  it('is offered only the programs that the cluster has', () => {
    expect(programs).toEqual([RAYDIUM_CPMM_PROGRAM]);
  });

  it('lands through POST /dex/swap and brings the amount to the unit', async () => {
    const data = await r.swap({ amount: AMOUNT.toString() });
    expect(passedOver).toEqual([]);
    expect(data.bestRouter).toMatchObject({ router: 'Raydium' });
    const before = await r.units(r.rig.token('PUP').mint);
    expect(await r.submit(data.tx)).toBeNull();
    expect((await r.units(r.rig.token('PUP').mint)) - before).toBe(BigInt(data.toTokenAmount));
    expect(vendor.complaints).toEqual([]);
  });

  it('is signed by the policy and lands through the bot’s engine', async () => {
    const { rig } = r;
    const deps = { ...rig.deps, aggregatorQuotes };
    const { mint } = rig.token('PUP');
    const settings = { slippageBps: bps(100), tier: 'normal' } as const;
    const { terms } = await quoteTrade(deps, {
      side: 'buy',
      wallet: rig.wallet,
      mint,
      ...settings,
      amount: { lamports: AMOUNT },
    });
    expect(terms.route).toMatchObject([{ venue: 'Raydium', percent: 100 }]);
    const intent = buildIntent('01J8ZQ6Y7V3M9T2K4C5D6E7F95', {
      kind: 'buy',
      mint,
      terms,
      tier: 'normal',
      lamportsIn: AMOUNT,
    });
    const made = await buildAttempt(
      {
        db: fakeDatabase(),
        chain: rig.chain,
        compiler: rig.compiler,
        programs: rig.programs,
        clock: rig.deps.clock,
        ids: fakeIds(),
        plans: { buy: createBuyPlanBuilder(deps) } as never,
        vault: {
          sign: async ({ message }) => {
            const known = accountsToKnow(message, rig.wallet);
            const { accounts } = await rig.chain.accounts(known);
            assertPolicy(message, {
              intent,
              wallet: rig.wallet,
              treasury: rig.treasury,
              venuePrograms: [],
              aggregatorPrograms: programs.map(address),
              associated: (...parts) => rig.programs.associatedTokenAddress(...parts),
              held: heldAccounts(rig.wallet, known, accounts),
              tokenAccountRent: await rig.chain.rentExemption(TOKEN_ACCOUNT_BYTES),
            });
            return signMessage(rig.keypair, message);
          },
        },
      },
      intent,
      buildWallet(rig.wallet),
      1,
    );
    const before = await r.units(mint);
    expect(await rig.chain.send(made.signedTransaction)).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
    expect((await r.units(mint)) - before).toBe(terms.quotedOut);
    expect(passedOver).toEqual([]);
  });
});
