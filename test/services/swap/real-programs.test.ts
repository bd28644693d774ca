import { expect, it } from 'vitest';
import { createPrograms } from '../../../src/adapters/chain/programs.ts';
import { meteoraDammV2 } from '../../../src/adapters/venues/meteora-damm-v2/index.ts';
import { DAMM_V2_AUTHORITY, DAMM_V2_PROGRAM } from '../../../src/adapters/venues/meteora-damm-v2/layout.ts';
import { raydiumAmmV4 } from '../../../src/adapters/venues/raydium-amm-v4/index.ts';
import { RAYDIUM_AMM_V4_PROGRAM } from '../../../src/adapters/venues/raydium-amm-v4/layout.ts';
import { raydiumCpmm } from '../../../src/adapters/venues/raydium-cpmm/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../src/adapters/venues/raydium-cpmm/layout.ts';
import type { Exchange } from '../../../src/adapters/venues/shared/exchange/exchange.ts';
import { isRefusal } from '../../../src/adapters/venues/shared/exchange/refusal.ts';
import type { Address } from '../../../src/core/address/address.ts';
import { TOKEN_PROGRAM } from '../../../src/core/address/programs.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { Pool } from '../../../src/core/ports/venue.ts';
import { chooseRoute } from '../../../src/core/swap/choose-route.ts';
import { hopMarginBps } from '../../../src/core/swap/hop-margin.ts';
import { unitsHeld } from '../../../src/core/tokens/token-account.ts';
import type { MiddleAccount } from '../../../src/services/swap/middle-accounts.ts';
import { priceRoute } from '../../../src/services/swap/price-swap.ts';
import { routeInstructions } from '../../../src/services/swap/route-instructions.ts';
import { buildDamm, VAULTS } from '../../adapters/venues/meteora-damm-v2/build.ts';
import { buildAmmV4 } from '../../adapters/venues/raydium-amm-v4/build.ts';
import { buildCpmm, cpmmOnChain } from '../../adapters/venues/raydium-cpmm/build.ts';
import {
  buildFacts,
  buildMint,
  buildTokenAccount,
  type PoolFixture,
  relocated,
  testAddress,
} from '../../adapters/venues/shared/exchange/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  type Localnet,
} from '../../adapters/venues/shared/exchange/localnet.ts';

const programs = createPrograms();
const [IN, MIDDLE, OUT] = [
  buildMint(testAddress(10)),
  buildMint(testAddress(11)),
  buildMint(testAddress(12)),
];
const Q64 = 1n << 64n;

/** What stands where: a pool of the first pair, and pools of the second. */
type Setting = (chain: Localnet) => readonly (readonly [Exchange, PoolFixture])[];

const cpmm = (chain: Localnet, reserves: readonly [bigint, bigint], by: number): [Exchange, PoolFixture] => {
  const fixture = relocated(buildCpmm({ reserves, mints: [IN, MIDDLE] }), by);
  for (const [key, account] of cpmmOnChain(fixture)) chain.set(key, account);
  return [raydiumCpmm, fixture];
};
const ammV4 = (chain: Localnet, reserves: readonly [bigint, bigint], by: number): [Exchange, PoolFixture] => {
  const fixture = relocated(buildAmmV4({ reserves, mints: [MIDDLE, OUT] }), by);
  for (const [key, account] of fixture.accounts) chain.set(key, account);
  return [raydiumAmmV4('long'), fixture];
};
const damm = (chain: Localnet, liquidity: bigint, by: number): [Exchange, PoolFixture] => {
  const built = buildDamm({ mints: [MIDDLE, OUT], liquidity: liquidity * Q64 });
  const vaults = VAULTS.map(
    (key, index) =>
      [key, buildTokenAccount(index === 0 ? MIDDLE : OUT, DAMM_V2_AUTHORITY, 2n ** 60n)] as const,
  );
  const fixture = relocated({ ...built, accounts: new Map([...built.accounts, ...vaults]) }, by);
  for (const [key, account] of fixture.accounts) chain.set(key, account);
  return [meteoraDammV2, fixture];
};

describeOnLocalnet(
  'a route over real programs',
  { programs: [RAYDIUM_CPMM_PROGRAM, RAYDIUM_AMM_V4_PROGRAM, DAMM_V2_PROGRAM] },
  () => {
    it.each<[string, number, Setting]>([
      [
        'CPMM, then DAMM v2',
        2,
        (chain) => [cpmm(chain, [10n ** 12n, 10n ** 12n], 100), damm(chain, 10n ** 12n, 200)],
      ],
      [
        'CPMM, then AMM v4',
        2,
        (chain) => [
          cpmm(chain, [10n ** 12n, 3n * 10n ** 12n], 100),
          ammV4(chain, [10n ** 12n, 10n ** 11n], 200),
        ],
      ],
      [
        'two CPMM pools, then AMM v4 and DAMM v2',
        4,
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100),
          cpmm(chain, [9n * 10n ** 11n, 9n * 10n ** 11n], 200),
          ammV4(chain, [8n * 10n ** 11n, 8n * 10n ** 11n], 300),
          damm(chain, 10n ** 12n, 400),
        ],
      ],
    ])('%s: output, remainder and what is spent are the quote to the unit', (_title, legCount, setting) => {
      const chain = createLocalnet([RAYDIUM_CPMM_PROGRAM, RAYDIUM_AMM_V4_PROGRAM, DAMM_V2_PROGRAM]);
      chain.setUnixSeconds(1_790_000_000n);
      for (const mint of [IN, MIDDLE, OUT]) chain.setMint(mint);
      const pools = setting(chain).map(([exchange, fixture]): Pool => {
        const clock = chain.svm.getClock();
        const pool = exchange.decode(
          { id: fixture.id, asked: [], get: (key) => chain.get(key) },
          buildFacts([IN, MIDDLE, OUT], {
            slot: clock.slot,
            epoch: clock.epoch,
            unixSeconds: clock.unixTimestamp,
          }),
        );
        if (isRefusal(pool)) throw new Error(pool.detail);
        return pool;
      });
      const accountOf = ({ mint }: { readonly mint: Address }) =>
        programs.associatedTokenAddress(chain.trader, mint, TOKEN_PROGRAM);
      const held = (mint: { readonly mint: Address }) => unitsHeld(chain.get(accountOf(mint)));
      // What was in the middle before belongs to the trader and must still be there.
      for (const [mint, units] of [
        [IN, 10n ** 15n],
        [MIDDLE, 777n],
      ] as const) {
        chain.set(accountOf(mint), buildTokenAccount(mint, chain.trader, units));
      }
      const request = { mintIn: IN.mint, mintOut: OUT.mint, amount: 30_000_000_000n, slippageBps: bps(100) };
      // AMM v4's long form and another swap share a packet only with a table of the pools' accounts.
      const named = pools.flatMap((pool) => {
        const [mintIn] = pool.mints;
        const ends = { owner: chain.trader, source: accountOf(IN), destination: accountOf(OUT) };
        return pool.swap({ ...ends, mintIn, amountIn: 1_000n, amountOut: 1n, minOut: 1n });
      });
      const entries = [
        ...new Set(named.flatMap(({ accounts }) => accounts.map((meta) => meta.address))),
      ].filter((key) => key !== chain.trader);
      const route = chooseRoute(pools, {
        mintIn: request.mintIn,
        mintOut: request.mintOut,
        amountIn: request.amount,
        hopMarginBps: hopMarginBps(request.slippageBps),
        lookupTables: [{ address: testAddress(900), entries }],
      });
      const priced = priceRoute(route, request);
      expect(priced.route.legs).toHaveLength(legCount);
      const [remainder] = priced.route.remainders;
      expect(remainder?.mint).toBe(MIDDLE.mint);
      const middle: MiddleAccount = {
        token: MIDDLE as MiddleAccount['token'],
        account: accountOf(MIDDLE),
        held: 777n,
        opens: false,
        closes: false,
        rentLamports: 0n,
      };
      const instructions = (minimums: readonly bigint[]) => [
        programs.createAssociatedTokenAccount({
          payer: chain.trader,
          owner: chain.trader,
          mint: OUT.mint,
          tokenProgram: TOKEN_PROGRAM,
        }),
        ...routeInstructions(
          programs,
          { route: priced.route, minimums },
          {
            owner: chain.trader,
            source: accountOf(IN),
            destination: accountOf(OUT),
            destinationHolds: 0n,
            wrapped: null,
            middles: [middle],
          },
        ),
      ];
      const units = programs.computeBudget({ units: 1_000_000, microLamportsPerUnit: 0n });
      const run = (minimums: readonly bigint[]) => chain.run([...units, ...instructions(minimums)]);
      // Each minimum is enforced by its own program: the quote itself passes, one unit more of any leg does not.
      const quotes = priced.route.legs.map((leg) => leg.amountOut);
      for (const [index] of quotes.entries()) {
        const more = quotes.map((quote, at) => (at === index ? quote + 1n : quote));
        expect(run(more), `leg ${index}, one unit above its quote`).not.toBeNull();
      }
      const before = held(IN);
      expect(run(priced.minimums)).toBeNull();
      expect(before - held(IN)).toBe(priced.route.amountIn);
      expect(held(OUT)).toBe(priced.amountOut);
      expect(held(MIDDLE) - 777n).toBe(remainder?.units);
    });
  },
);
