import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VersionedTransaction } from '@solana/web3.js';
import {
  type Address,
  type ChainAccount,
  ROUTER_EVENT_AUTHORITY,
  ROUTER_PROGRAM,
  readTokenAccount,
  TOKEN_PROGRAM,
  toBase58,
  WSOL_MINT,
} from '@tradepost/solana';
import { isRefusal, type MintFacts, type Pool } from '@tradepost/venues';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildCpmm, cpmmOnChain } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import {
  backedByLamports,
  buildMint,
  type PoolFixture,
  relocated,
} from '../../../packages/venues/test/shared/build.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { createSellPlanBuilder } from '../../../src/engine/intents/kinds/sell/plan.ts';
import { wantedEntries } from '../../../src/engine/lookup-tables/use/wanted-entries.ts';
import { firstSignature } from '../../../src/engine/signing/rules/wire-transaction.ts';
import { buildAttempt } from '../../../src/engine/transactions/use/build-attempt.ts';
import type { PlanBuilders } from '../../../src/engine/transactions/use/plan.ts';
import { buildSwap } from '../../../src/modules/trading/use/build-swap.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { Wallet, WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import type { LookupTables } from '../../../src/platform/ports/lookup-tables.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { createVault } from '../../../src/platform/vault/create-vault.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { startTableRig } from '../../engine/lookup-tables/table-rig.ts';
import { describeOnLocalnet } from '../../platform/venues/shared/exchange/localnet.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { signerOf } from '../../support/signer.ts';
import { buildIntent, buildWallet, type DeskRig, signMessage, startDeskRig } from './desk-rig.ts';

const programsOf = (transaction: Uint8Array): readonly string[] => {
  const { staticAccountKeys, compiledInstructions } = VersionedTransaction.deserialize(transaction).message;
  return compiledInstructions.map(
    ({ programIdIndex }) => staticAccountKeys[programIdIndex]?.toBase58() ?? '',
  );
};
const program = (id: Address): Buffer =>
  readFileSync(join(process.env['LOCALNET_PROGRAMS_DIR'] ?? '', `${id}.so`));

const native = (account: ChainAccount): ChainAccount =>
  readTokenAccount(account)?.mint === WSOL_MINT ? backedByLamports(account) : account;

/** SOL into KOI over two pools and KOI into PUP, by the product's own pricing, policies, vault and simulation. */
describeOnLocalnet(
  'trades through the real router program',
  { programs: [RAYDIUM_CPMM_PROGRAM, ROUTER_PROGRAM] },
  () => {
    const AMOUNT = 2_000_000_003n;
    const secrets = new Map<string, WalletSecret>();
    const errors: string[] = [];
    let rig: DeskRig;
    let tables: LookupTables;
    let venue: Venue;
    let wallet: Wallet;

    beforeAll(async () => {
      rig = await startDeskRig('router-program', { version1: false });
      const { chain: local } = rig.local;
      local.svm.addProgram(RAYDIUM_CPMM_PROGRAM, program(RAYDIUM_CPMM_PROGRAM));
      const [koi, pup] = ['KOI', 'PUP'].map((symbol) => {
        const { mint, decimals } = rig.token(symbol);
        return buildMint(mint, { decimals });
      }) as [MintFacts, MintFacts];
      const sol = buildMint(WSOL_MINT, { decimals: 9 });
      const fixtures = [
        buildCpmm({ mints: [sol, koi], reserves: [10n ** 12n, 10n ** 15n] }),
        buildCpmm({ mints: [sol, koi], reserves: [7n * 10n ** 11n, 7n * 10n ** 14n] }),
        buildCpmm({ mints: [koi, pup], reserves: [10n ** 15n, 10n ** 14n] }),
      ].map((fixture, index) => relocated(fixture, 1_000 + index * 100));
      for (const fixture of fixtures) {
        for (const [key, account] of cpmmOnChain(fixture)) local.plant(key, native(account));
      }
      const decoded = (fixture: PoolFixture): Pool => {
        const pool = raydiumCpmm.decode(
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
        if (isRefusal(pool)) throw new Error(pool.detail);
        return pool;
      };
      const holds = (fixture: PoolFixture, mint: Address) => fixture.mints.some((one) => one.mint === mint);
      venue = {
        name: raydiumCpmm.name,
        pools: async (a, b) => fixtures.filter((one) => holds(one, a) && holds(one, b)).map(decoded),
        counterparts: async (mint) => [
          ...new Set(
            fixtures
              .filter((one) => holds(one, mint))
              .flatMap((one) => one.mints.map((facts) => facts.mint).filter((other) => other !== mint)),
          ),
        ],
      };
      const operator = await startTableRig(rig);
      const entries = await wantedEntries(
        {
          venues: [venue],
          launchpads: [],
          hubs: [WSOL_MINT, koi.mint],
          own: [rig.treasury],
          routerProgram: true,
        },
        [pup.mint],
      );
      // The router is called in the venue's place, so that one's program may be looked up.
      expect(entries).toEqual(expect.arrayContaining([ROUTER_EVENT_AUTHORITY, RAYDIUM_CPMM_PROGRAM]));
      await operator.sync(entries);
      tables = operator.lookupTables();
      const secret = await vault().create({ walletId: 'W1', userId: null });
      secrets.set('W1', secret);
      wallet = { ...buildWallet(secret.publicKey), userId: null };
      await rig.airdrop(wallet.address, 20_000_000_000n);
    });
    afterAll(() => rig.stop());
    beforeEach(() => {
      errors.length = 0;
      rig.local.chain.svm.addProgram(ROUTER_PROGRAM, program(ROUTER_PROGRAM));
    });

    /** Somebody else's program stands there, as if a later build no longer knew our plans. */
    const breakRouter = () => rig.local.chain.svm.addProgram(ROUTER_PROGRAM, program(RAYDIUM_CPMM_PROGRAM));
    const vault = () =>
      createVault({
        keyring: keyring(localKek(new Uint8Array(32).fill(3))),
        secrets: { secret: async (id) => secrets.get(id) ?? null },
        venuePrograms: [RAYDIUM_CPMM_PROGRAM],
        routerProgram: true,
        lookupTables: tables,
      });
    const deps = (routerProgram = true) => ({
      ...rig.deps,
      venues: [venue],
      hubs: [],
      lookupTables: tables,
      routerProgram,
    });
    const units = async (owner: Address, symbol: string): Promise<bigint> =>
      (await rig.chain.holdings(owner)).find(({ mint }) => mint === rig.token(symbol).mint)?.amount ?? 0n;
    const land = async (bytes: Uint8Array): Promise<void> => {
      expect(await rig.chain.send(bytes)).toEqual({ kind: 'accepted' });
      rig.confirmSlots();
      const landed = await rig.chain.landed(toBase58(firstSignature(bytes)));
      expect(landed?.err).toBeNull();
    };

    const swapOf = async (routerProgram = true) => {
      const result = await buildSwap(
        {
          ...deps(routerProgram),
          compiler: rig.compiler,
          ids: fakeIds(),
          venuePrograms: [RAYDIUM_CPMM_PROGRAM],
          log: { error: (fields, message) => errors.push(`${message}: ${JSON.stringify(fields)}`) },
        },
        {
          user: rig.wallet,
          mintIn: WSOL_MINT,
          mintOut: rig.token('PUP').mint,
          amount: AMOUNT,
          slippageBps: bps(100),
          referrer: { wallet: rig.treasury, feeBps: bps(50) },
        },
      );
      if (result.kind !== 'built') throw new Error('the referrer can receive');
      return result.swap;
    };
    const signed = (transaction: Uint8Array): Uint8Array => {
      const bytes = transaction.slice();
      bytes.set(signMessage(rig.keypair, bytes.subarray(65)), 1);
      return bytes;
    };

    it('a swap of the API brings its quote to the unit, pays the referrer, and leaves nothing in the middle', async () => {
      const separate = await swapOf(false);
      const { priced, transaction, fees } = await swapOf();
      expect(errors).toEqual([]);
      expect(priced.route.byProgram).toBe(true);
      expect(priced.route.legs).toHaveLength(3);
      expect(separate.priced.route).not.toHaveProperty('byProgram');
      expect(priced.amountOut).toBeGreaterThan(separate.priced.amountOut);
      const [before, referrer] = [await units(rig.wallet, 'PUP'), await lamports(rig.treasury)];
      await land(signed(transaction));
      expect((await units(rig.wallet, 'PUP')) - before).toBe(priced.amountOut);
      expect((await lamports(rig.treasury)) - referrer).toBe(fees.referrerUnits);
      expect(fees.referrerUnits).toBe(AMOUNT / 200n);
      expect((await rig.chain.holdings(rig.wallet)).map(({ mint }) => mint)).not.toContain(
        rig.token('KOI').mint,
      );
    });

    it('a swap of the API goes in separate instructions when the program refuses it, and says so in the log', async () => {
      breakRouter();
      const { priced, transaction } = await swapOf();
      expect(priced.route).not.toHaveProperty('byProgram');
      expect(errors).toEqual([expect.stringContaining('a route by the router program was refused')]);
      const before = await units(rig.wallet, 'PUP');
      await land(signed(transaction));
      expect((await units(rig.wallet, 'PUP')) - before).toBe(priced.amountOut);
    });

    let runs = 0;
    const attempt = (params: IntentParams) => {
      runs += 1;
      const id = `01J8ZQ6Y7V3M9T2K4C5D6E7F${String(runs).padStart(2, '0')}`;
      const intent = { ...buildIntent(id, params), userId: null };
      return buildAttempt(
        {
          db: fakeDatabase(),
          chain: rig.chain,
          compiler: rig.compiler,
          programs: rig.programs,
          vault: signerOf(vault(), { intent, wallet, treasury: rig.treasury }),
          clock: rig.deps.clock,
          ids: fakeIds(),
          plans: { buy: createBuyPlanBuilder(deps()), sell: createSellPlanBuilder(deps()) } as PlanBuilders,
        },
        intent,
        wallet,
        1,
      );
    };
    const settings = () =>
      ({
        wallet: wallet.address,
        mint: rig.token('PUP').mint,
        slippageBps: bps(100),
        tier: 'normal',
      }) as const;
    const lamports = async (of: Address): Promise<bigint> =>
      (await rig.chain.accounts([of])).accounts[0]?.lamports ?? 0n;

    it('a purchase and a sale of the bot are signed by the vault and bring their quotes to the unit', async () => {
      const buy = await quoteTrade(deps(), { side: 'buy', ...settings(), amount: { lamports: AMOUNT } });
      expect(buy.route.remainders).toEqual([]);
      const treasury = await lamports(rig.treasury);
      const { mint, tier } = settings();
      const bought = await attempt({ kind: 'buy', mint, tier, terms: buy.terms, lamportsIn: AMOUNT });
      expect(programsOf(bought.signedTransaction)).toContain(ROUTER_PROGRAM);
      await land(bought.signedTransaction);
      expect(await units(wallet.address, 'PUP')).toBe(buy.terms.quotedOut);
      expect((await lamports(rig.treasury)) - treasury).toBe(buy.terms.platformFeeLamports);

      const sell = await quoteTrade(deps(), {
        side: 'sell',
        ...settings(),
        amount: { units: buy.terms.quotedOut },
      });
      const account = rig.programs.associatedTokenAddress(wallet.address, mint, TOKEN_PROGRAM);
      const [before, rent] = [await lamports(wallet.address), await lamports(account)];
      const sold = await attempt({
        kind: 'sell',
        mint,
        tier,
        terms: sell.terms,
        amountIn: buy.terms.quotedOut,
      });
      expect(programsOf(sold.signedTransaction)).toContain(ROUTER_PROGRAM);
      await land(sold.signedTransaction);
      const landed = await rig.chain.landed(toBase58(firstSignature(sold.signedTransaction)));
      // A sale of all that is held closes the account, and its rent comes back with the proceeds.
      expect((await lamports(wallet.address)) - before + (landed?.feeLamports ?? 0n)).toBe(
        sell.terms.quotedOut + rent,
      );
      expect(await lamports(account)).toBe(0n);
      expect(await units(wallet.address, 'PUP')).toBe(0n);
      expect(await units(wallet.address, 'KOI')).toBe(0n);
    });

    it('a purchase of the bot goes in separate instructions when the program refuses it, within the confirmed minimum', async () => {
      const { terms } = await quoteTrade(deps(), {
        side: 'buy',
        ...settings(),
        amount: { lamports: AMOUNT },
      });
      breakRouter();
      const before = await units(wallet.address, 'PUP');
      const { mint, tier } = settings();
      const made = await attempt({ kind: 'buy', mint, tier, terms, lamportsIn: AMOUNT });
      expect(programsOf(made.signedTransaction)).not.toContain(ROUTER_PROGRAM);
      await land(made.signedTransaction);
      const got = (await units(wallet.address, 'PUP')) - before;
      expect(got).toBe(made.terms?.quotedOut);
      expect(got).toBeGreaterThanOrEqual(terms.minOut);
      expect(got).toBeLessThan(terms.quotedOut);
    });
  },
);
