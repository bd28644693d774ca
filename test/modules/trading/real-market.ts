import { type Address, TOKEN_ACCOUNT_BYTES, unitsHeld, WSOL_MINT } from '@tradepost/solana';
import { accountView, type Exchange, isRefusal, type MintFacts, type Pool } from '@tradepost/venues';
import { expect } from 'vitest';
import { meteoraDammV2 } from '../../../packages/venues/src/meteora-damm-v2/index.ts';
import { DAMM_V2_AUTHORITY, DAMM_V2_PROGRAM } from '../../../packages/venues/src/meteora-damm-v2/layout.ts';
import { meteoraDbc } from '../../../packages/venues/src/meteora-dbc/index.ts';
import { DBC_AUTHORITY } from '../../../packages/venues/src/meteora-dbc/layout.ts';
import { orcaWhirlpool } from '../../../packages/venues/src/orca-whirlpool/index.ts';
import { pumpSwap } from '../../../packages/venues/src/pump-swap/index.ts';
import { raydiumAmmV4 } from '../../../packages/venues/src/raydium-amm-v4/index.ts';
import { RAYDIUM_AMM_V4_PROGRAM } from '../../../packages/venues/src/raydium-amm-v4/layout.ts';
import { raydiumClmm } from '../../../packages/venues/src/raydium-clmm/index.ts';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildDamm, VAULTS } from '../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildDbc, VAULTS as DBC_VAULTS } from '../../../packages/venues/test/meteora-dbc/build.ts';
import { buildWhirlpool, whirlpoolOnChain } from '../../../packages/venues/test/orca-whirlpool/build.ts';
import { buildPumpSwap, type PumpSwapFixture } from '../../../packages/venues/test/pump-swap/build.ts';
import { buildAmmV4 } from '../../../packages/venues/test/raydium-amm-v4/build.ts';
import { buildClmm } from '../../../packages/venues/test/raydium-clmm/build.ts';
import { buildCpmm, cpmmOnChain } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import {
  buildFacts,
  buildMint,
  buildTokenAccount,
  buildWrappedSol,
  type PoolFixture,
  relocated,
  testAddress,
} from '../../../packages/venues/test/shared/build.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { chooseRoute } from '../../../src/modules/trading/rules/choose-route.ts';
import { hopMarginBps } from '../../../src/modules/trading/rules/hop-margin.ts';
import { legMinimums } from '../../../src/modules/trading/rules/leg-minimums.ts';
import type { Route } from '../../../src/modules/trading/rules/route.ts';
import { loadIntermediateAccounts } from '../../../src/modules/trading/use/intermediate-accounts.ts';
import { priceRoute } from '../../../src/modules/trading/use/price-route.ts';
import { routeInstructions } from '../../../src/modules/trading/use/route-instructions.ts';
import { referredTerms } from '../../../src/modules/trading/use/swap-terms.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import { plantPumpSwap } from '../../platform/venues/pump-swap/on-chain.ts';
import { plantClmm } from '../../platform/venues/raydium-clmm/on-chain.ts';
import { createLocalnet, type Localnet } from '../../platform/venues/shared/exchange/localnet.ts';

const programs = createPrograms();
export const [IN, INTERMEDIATE, OUT] = [
  buildMint(testAddress(10)),
  buildMint(testAddress(11)),
  buildMint(testAddress(12)),
];
const Q64 = 1n << 64n;

export const TRIPLE = [IN, INTERMEDIATE, OUT] as const;
type Pair = readonly [MintFacts, MintFacts];

/** What stands where: a pool of the first pair, and pools of the second. */
export type Setting = (chain: Localnet) => readonly (readonly [Exchange, PoolFixture])[];

export const cpmm = (
  chain: Localnet,
  reserves: readonly [bigint, bigint],
  by: number,
  mints: Pair = [IN, INTERMEDIATE],
): [Exchange, PoolFixture] => {
  const fixture = relocated(buildCpmm({ reserves, mints }), by);
  for (const [key, account] of cpmmOnChain(fixture)) chain.set(key, account);
  // What is taken out of an account of SOL must be in it.
  for (const [key, { data }] of cpmmOnChain(fixture)) {
    const view = data.length === TOKEN_ACCOUNT_BYTES ? accountView(data) : null;
    const sol = view?.address(0) === WSOL_MINT ? mints.find(({ mint }) => mint === WSOL_MINT) : undefined;
    if (view && sol) chain.set(key, buildWrappedSol(sol, view.address(32), view.u64(64)));
  }
  return [raydiumCpmm, fixture];
};
export const ammV4 = (
  chain: Localnet,
  reserves: readonly [bigint, bigint],
  by: number,
): [Exchange, PoolFixture] => {
  const fixture = relocated(buildAmmV4({ reserves, mints: [INTERMEDIATE, OUT] }), by);
  for (const [key, account] of fixture.accounts) chain.set(key, account);
  return [raydiumAmmV4('long'), fixture];
};
export const damm = (chain: Localnet, liquidity: bigint, by: number): [Exchange, PoolFixture] => {
  const built = buildDamm({ mints: [INTERMEDIATE, OUT], liquidity: liquidity * Q64 });
  const vaults = VAULTS.map(
    (key, index) =>
      [key, buildTokenAccount(index === 0 ? INTERMEDIATE : OUT, DAMM_V2_AUTHORITY, 2n ** 60n)] as const,
  );
  const fixture = relocated({ ...built, accounts: new Map([...built.accounts, ...vaults]) }, by);
  for (const [key, account] of fixture.accounts) chain.set(key, account);
  return [meteoraDammV2, fixture];
};

/** Three ranges, the widest over several arrays of ticks. */
const layered = (spacing: number): readonly (readonly [number, number, bigint])[] => [
  [-20 * spacing, 20 * spacing, 10n ** 12n],
  [-150 * spacing, 120 * spacing, 10n ** 12n],
  [-2 * spacing, spacing, 10n ** 13n],
];
/** At its own derived address, so there can be one of a pair. */
export const clmm = (chain: Localnet, mints: Pair = [INTERMEDIATE, OUT]): [Exchange, PoolFixture] => {
  const fixture = buildClmm({ mints, positions: layered(60) });
  plantClmm(chain, fixture);
  return [raydiumClmm, fixture];
};
export const whirlpool = (chain: Localnet, mints: Pair = [INTERMEDIATE, OUT]): [Exchange, PoolFixture] => {
  const fixture = buildWhirlpool({ mints, positions: layered(64), onChain: true });
  for (const [key, account] of whirlpoolOnChain(fixture)) chain.set(key, account);
  return [orcaWhirlpool, fixture];
};
/** Of 2026, against SOL; the one pool of its coin. */
export const pumpSwapOf =
  (input: Partial<PumpSwapFixture>) =>
  (chain: Localnet): [Exchange, PoolFixture] => {
    const reserves = [206_900_000_000_000n, 84_000_000_000n] as const;
    const fixture = buildPumpSwap({ reserves, length: 301, ...input, onChain: true });
    plantPumpSwap(chain, fixture);
    return [pumpSwap, fixture];
  };
export const dbc = (chain: Localnet, mints: Pair = [INTERMEDIATE, OUT]): [Exchange, PoolFixture] => {
  const built = buildDbc({ mints });
  for (const [key, account] of built.accounts) chain.set(key, account);
  mints.forEach((mint, index) => {
    chain.set(DBC_VAULTS[index === 0 ? 0 : 1], buildTokenAccount(mint, DBC_AUTHORITY, 2n ** 61n));
  });
  return [meteoraDbc, built];
};

/** A chain with these pools on it, as they decode there, and a trader who holds the first token and a little in the middle. */
export function stage(
  setting: Setting,
  extra: readonly Address[] = [],
  mints: readonly [MintFacts, MintFacts, MintFacts] = TRIPLE,
  opensIntermediate = false,
) {
  const chain = createLocalnet([RAYDIUM_CPMM_PROGRAM, RAYDIUM_AMM_V4_PROGRAM, DAMM_V2_PROGRAM, ...extra]);
  chain.setUnixSeconds(1_790_000_000n);
  for (const mint of mints) chain.setMint(mint);
  const pools = setting(chain).map(([exchange, fixture]) => decoded(chain, exchange, fixture, mints));
  return trading(chain, pools, mints, opensIntermediate);
}

export function decoded(
  chain: Localnet,
  exchange: Exchange,
  fixture: Pick<PoolFixture, 'id'>,
  mints: readonly MintFacts[],
): Pool {
  const clock = chain.svm.getClock();
  const facts = { slot: clock.slot, epoch: clock.epoch, unixSeconds: clock.unixTimestamp };
  const pool = exchange.decode(
    { id: fixture.id, asked: mints.map(({ mint }) => mint), get: (key) => chain.get(key) },
    buildFacts(mints, facts),
  );
  if (isRefusal(pool)) throw new Error(pool.detail);
  return pool;
}

/** What was in the middle before belongs to the trader and must still be there. */
export const HELD = 777n;

export function trading(
  chain: Localnet,
  pools: readonly Pool[],
  [sold, intermediate, bought]: readonly [MintFacts, MintFacts, MintFacts],
  opensIntermediate = false,
) {
  const accountOf = ({ mint, tokenProgram }: MintFacts) =>
    programs.associatedTokenAddress(chain.trader, mint, tokenProgram);
  const hold = (mint: MintFacts, units: bigint) => {
    const build = mint.mint === WSOL_MINT ? buildWrappedSol : buildTokenAccount;
    chain.set(accountOf(mint), build(mint, chain.trader, units));
  };
  hold(sold, 10n ** 15n);
  if (!opensIntermediate) hold(intermediate, HELD);
  const ends = { owner: chain.trader, source: accountOf(sold), destination: accountOf(bought) };
  // AMM v4's long form and another swap share a packet only with a table of the pools' accounts.
  const named = pools.flatMap((pool) =>
    pool.swap({ ...ends, mintIn: pool.mints[0], amountIn: 1_000n, amountOut: 1n, minOut: 1n }),
  );
  const entries = [...new Set(named.flatMap(({ accounts }) => accounts.map((meta) => meta.address)))].filter(
    (key) => key !== chain.trader,
  );
  const read = {
    token: async (mint: Address) => [sold, intermediate, bought].find((facts) => facts.mint === mint) ?? null,
    accounts: async (keys: readonly Address[]) => ({ slot: 1n, accounts: keys.map((key) => chain.get(key)) }),
    rentExemption: async () => 2_500_000n,
  } as unknown as Chain;
  const opening = [
    ...programs.computeBudget({ units: 1_000_000, microLamportsPerUnit: 0n }),
    programs.createAssociatedTokenAccount({
      payer: chain.trader,
      owner: chain.trader,
      mint: bought.mint,
      tokenProgram: bought.tokenProgram,
    }),
  ];
  return {
    held: (mint: MintFacts) => unitsHeld(chain.get(accountOf(mint))),
    price: async (amount: bigint, routerProgram: boolean) => {
      const request = { mintIn: sold.mint, mintOut: bought.mint, amount, slippageBps: bps(100) };
      const route = chooseRoute(pools, {
        mintIn: request.mintIn,
        mintOut: request.mintOut,
        amountIn: amount,
        hopMarginBps: hopMarginBps(request.slippageBps),
        lookupTables: [{ address: testAddress(900), entries }],
        routerProgram,
      });
      return priceRoute(route, referredTerms(request));
    },
    /** The transaction's error, or null when it landed. */
    run: async (route: Route, minimums: readonly bigint[]) => {
      const intermediates = await loadIntermediateAccounts({ chain: read, programs }, chain.trader, route);
      const wrapped = intermediate.mint === WSOL_MINT ? accountOf(intermediate) : null;
      return chain.run([
        ...opening,
        ...routeInstructions(
          programs,
          { route, minimums },
          { ...ends, destinationHolds: 0n, wrapped, tokenAccountRent: 2_039_280n, intermediates },
        ),
      ]);
    },
    intermediateExists: () => chain.get(accountOf(intermediate)) !== null,
  };
}

/** Executes the quote by the router program, after showing that one unit more is refused. */
export async function expectExact(
  { price, run, held }: ReturnType<typeof trading>,
  amount: bigint,
  [sold, intermediate, bought]: readonly [MintFacts, MintFacts, MintFacts],
) {
  const separate = await price(amount, false);
  const priced = await price(amount, true);
  const { route } = priced;
  expect(route.byProgram).toBe(true);
  // What the remainder form leaves in the middle is sold here.
  expect(route.remainders).toEqual([]);
  expect(separate.route.remainders).toHaveLength(1);
  expect(priced.amountOut).toBeGreaterThan(separate.amountOut);
  const exactly = legMinimums(route, route.amountOut);
  const last = route.legs.length - 1;
  const more = exactly.with(last, (exactly[last] ?? 0n) + 1n);
  const before = { sold: held(sold), intermediate: held(intermediate), bought: held(bought) };
  expect(await run(route, more), 'one unit above the quote').toMatch(/0x1771|6001/);
  expect({ sold: held(sold), intermediate: held(intermediate), bought: held(bought) }).toEqual(before);
  expect(await run(route, exactly)).toBeNull();
  // Of a mint that withholds CLMM takes what brings the vault its amount: at times one unit less than it was given.
  for (const [mint, kept] of [
    [sold, amount - (before.sold - held(sold))],
    [intermediate, held(intermediate) - before.intermediate],
  ] as const) {
    expect(kept).toBeGreaterThanOrEqual(0n);
    expect(kept).toBeLessThanOrEqual(inexact(route, mint) ? 1n : 0n);
  }
  expect(held(bought) - before.bought).toBe(priced.amountOut);
  return route;
}

const inexact = (route: Route, { mint, extensions }: MintFacts): boolean =>
  extensions.transferFee !== null &&
  route.legs.some(({ pool, mintIn }) => pool.venue === 'raydium-clmm' && mintIn === mint);
