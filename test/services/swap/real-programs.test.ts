import { expect, it } from 'vitest';
import { decodeMint } from '../../../src/adapters/chain/mint-layout.ts';
import { createPrograms } from '../../../src/adapters/chain/programs.ts';
import { meteoraDammV2 } from '../../../src/adapters/venues/meteora-damm-v2/index.ts';
import { DAMM_V2_AUTHORITY, DAMM_V2_PROGRAM } from '../../../src/adapters/venues/meteora-damm-v2/layout.ts';
import { meteoraDlmm } from '../../../src/adapters/venues/meteora-dlmm/index.ts';
import { DLMM_PROGRAM, PAIR, PAIR_AT } from '../../../src/adapters/venues/meteora-dlmm/layout.ts';
import { orcaWhirlpool } from '../../../src/adapters/venues/orca-whirlpool/index.ts';
import { POOL, POOL_AT, WHIRLPOOL_PROGRAM } from '../../../src/adapters/venues/orca-whirlpool/layout.ts';
import { raydiumAmmV4 } from '../../../src/adapters/venues/raydium-amm-v4/index.ts';
import { RAYDIUM_AMM_V4_PROGRAM } from '../../../src/adapters/venues/raydium-amm-v4/layout.ts';
import { raydiumCpmm } from '../../../src/adapters/venues/raydium-cpmm/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../src/adapters/venues/raydium-cpmm/layout.ts';
import { accountView } from '../../../src/adapters/venues/shared/exchange/account-view.ts';
import type { Exchange } from '../../../src/adapters/venues/shared/exchange/exchange.ts';
import { isRefusal } from '../../../src/adapters/venues/shared/exchange/refusal.ts';
import type { Address } from '../../../src/core/address/address.ts';
import { ROUTER_PROGRAM, WSOL_MINT } from '../../../src/core/address/programs.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { MintFacts, Pool } from '../../../src/core/ports/venue.ts';
import { chooseRoute } from '../../../src/core/swap/choose-route.ts';
import { hopMarginBps } from '../../../src/core/swap/hop-margin.ts';
import { legMinimums } from '../../../src/core/swap/leg-minimums.ts';
import type { Route } from '../../../src/core/swap/route.ts';
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
  accountFromDirectory,
  accountsOfDirectory,
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

const cpmm = (
  chain: Localnet,
  reserves: readonly [bigint, bigint],
  by: number,
  mints: readonly [MintFacts, MintFacts] = [IN, MIDDLE],
): [Exchange, PoolFixture] => {
  const fixture = relocated(buildCpmm({ reserves, mints }), by);
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

/** A chain with these pools on it, as they decode there, and a trader who holds IN and a little in the middle. */
function stage(setting: Setting, extra: readonly Address[] = []) {
  const chain = createLocalnet([RAYDIUM_CPMM_PROGRAM, RAYDIUM_AMM_V4_PROGRAM, DAMM_V2_PROGRAM, ...extra]);
  chain.setUnixSeconds(1_790_000_000n);
  for (const mint of [IN, MIDDLE, OUT]) chain.setMint(mint);
  const pools = setting(chain).map(([exchange, fixture]) =>
    decoded(chain, exchange, fixture, [IN, MIDDLE, OUT]),
  );
  return trading(chain, pools, [IN, MIDDLE, OUT]);
}

function decoded(
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
const HELD = 777n;

function trading(
  chain: Localnet,
  pools: readonly Pool[],
  [sold, middle, bought]: readonly [MintFacts, MintFacts, MintFacts],
) {
  const accountOf = ({ mint, tokenProgram }: MintFacts) =>
    programs.associatedTokenAddress(chain.trader, mint, tokenProgram);
  chain.set(accountOf(sold), buildTokenAccount(sold, chain.trader, 10n ** 15n));
  chain.set(accountOf(middle), buildTokenAccount(middle, chain.trader, HELD));
  const ends = { owner: chain.trader, source: accountOf(sold), destination: accountOf(bought) };
  // AMM v4's long form and another swap share a packet only with a table of the pools' accounts.
  const named = pools.flatMap((pool) =>
    pool.swap({ ...ends, mintIn: pool.mints[0], amountIn: 1_000n, amountOut: 1n, minOut: 1n }),
  );
  const entries = [...new Set(named.flatMap(({ accounts }) => accounts.map((meta) => meta.address)))].filter(
    (key) => key !== chain.trader,
  );
  const middleAccount: MiddleAccount = {
    token: middle as MiddleAccount['token'],
    account: accountOf(middle),
    held: HELD,
    opens: false,
    closes: false,
    rentLamports: 0n,
  };
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
    price: (amount: bigint, routerProgram: boolean) => {
      const request = { mintIn: sold.mint, mintOut: bought.mint, amount, slippageBps: bps(100) };
      const route = chooseRoute(pools, {
        mintIn: request.mintIn,
        mintOut: request.mintOut,
        amountIn: amount,
        hopMarginBps: hopMarginBps(request.slippageBps),
        lookupTables: [{ address: testAddress(900), entries }],
        routerProgram,
      });
      return priceRoute(route, request);
    },
    /** The transaction's error, or null when it landed. */
    run: (route: Route, minimums: readonly bigint[]) =>
      chain.run([
        ...opening,
        ...routeInstructions(
          programs,
          { route, minimums },
          middle.mint === WSOL_MINT
            ? { ...ends, destinationHolds: 0n, wrapped: middleAccount.account, middles: [] }
            : { ...ends, destinationHolds: 0n, wrapped: null, middles: [middleAccount] },
        ),
      ]),
  };
}

const AMOUNT = 30_000_000_000n;
/** The first of them at which a thousandth of the middle is worth a unit of what is bought. */
const WHIRLPOOL_AMOUNTS = [100_000_001n, 1_000_000_007n, 30_000_000_001n];

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
      const { price, run, held } = stage(setting);
      const priced = price(AMOUNT, false);
      expect(priced.route.legs).toHaveLength(legCount);
      const [remainder] = priced.route.remainders;
      expect(remainder?.mint).toBe(MIDDLE.mint);
      // Each minimum is enforced by its own program: the quote itself passes, one unit more of any leg does not.
      const quotes = priced.route.legs.map((leg) => leg.amountOut);
      for (const [index] of quotes.entries()) {
        const more = quotes.map((quote, at) => (at === index ? quote + 1n : quote));
        expect(run(priced.route, more), `leg ${index}, one unit above its quote`).not.toBeNull();
      }
      const before = held(IN);
      expect(run(priced.route, priced.minimums)).toBeNull();
      expect(before - held(IN)).toBe(priced.route.amountIn);
      expect(held(OUT)).toBe(priced.amountOut);
      expect(held(MIDDLE) - HELD).toBe(remainder?.units);
    });
  },
);

/** Executes the quote by the router program, after showing that one unit more is refused. */
function expectExact(
  { price, run, held }: ReturnType<typeof trading>,
  amount: bigint,
  [sold, middle, bought]: readonly [MintFacts, MintFacts, MintFacts],
) {
  const separate = price(amount, false);
  const priced = price(amount, true);
  const { route } = priced;
  expect(route.byProgram).toBe(true);
  // What the remainder form leaves in the middle is sold here.
  expect(route.remainders).toEqual([]);
  expect(separate.route.remainders).toHaveLength(1);
  expect(priced.amountOut).toBeGreaterThan(separate.amountOut);
  const exactly = legMinimums(route, route.amountOut);
  const last = route.legs.length - 1;
  const more = exactly.with(last, (exactly[last] ?? 0n) + 1n);
  const before = [held(sold), held(bought)] as const;
  expect(run(route, more), 'one unit above the quote').toMatch(/0x1771|6001/);
  expect([held(sold), held(bought)]).toEqual(before);
  expect(run(route, exactly)).toBeNull();
  expect(before[0] - held(sold)).toBe(amount);
  expect(held(bought) - before[1]).toBe(priced.amountOut);
  expect(held(middle)).toBe(HELD);
  return route;
}

describeOnLocalnet(
  'a route by the real router program',
  { programs: [RAYDIUM_CPMM_PROGRAM, RAYDIUM_AMM_V4_PROGRAM, DAMM_V2_PROGRAM, ROUTER_PROGRAM] },
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
        'a split over two CPMM pools and its merge into DAMM v2',
        3,
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100),
          cpmm(chain, [5n * 10n ** 11n, 5n * 10n ** 11n], 200),
          damm(chain, 10n ** 12n, 400),
        ],
      ],
      [
        'a split over two CPMM pools, then one over AMM v4 and DAMM v2',
        4,
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100),
          cpmm(chain, [9n * 10n ** 11n, 9n * 10n ** 11n], 200),
          ammV4(chain, [8n * 10n ** 11n, 8n * 10n ** 11n], 300),
          damm(chain, 10n ** 12n, 400),
        ],
      ],
      [
        'a direct pool beside a way over the middle',
        3,
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100, [IN, OUT]),
          cpmm(chain, [10n ** 12n, 10n ** 12n], 200),
          damm(chain, 10n ** 12n, 400),
        ],
      ],
    ])('%s: brings the quote to the unit, and leaves no remainder', (_title, legCount, setting) => {
      for (const amount of [AMOUNT, 12_345_678_987n]) {
        const route = expectExact(stage(setting, [ROUTER_PROGRAM]), amount, [IN, MIDDLE, OUT]);
        expect(route.legs).toHaveLength(legCount);
      }
    });
  },
);

/** Pools that the operator cloned, with the age and the slot at which their programs trade. */
type Clone = { readonly id: Address; readonly exchange: Exchange; readonly mints: readonly [number, number] };
const CLONES = accountsOfDirectory().flatMap((id): readonly Clone[] => {
  const account = accountFromDirectory(id);
  if (account?.owner === DLMM_PROGRAM && account.data.length === PAIR.minBytes) {
    return [{ id, exchange: meteoraDlmm, mints: [PAIR_AT.mintX, PAIR_AT.mintY] }];
  }
  if (account?.owner === WHIRLPOOL_PROGRAM && account.data.length === POOL.minBytes) {
    return [{ id, exchange: orcaWhirlpool, mints: [POOL_AT.mintA, POOL_AT.mintB] }];
  }
  return [];
});

describeOnLocalnet(
  'a route by the real router program over cloned pools',
  { programs: [RAYDIUM_CPMM_PROGRAM, DLMM_PROGRAM, WHIRLPOOL_PROGRAM, ROUTER_PROGRAM] },
  () => {
    const cases = CLONES.flatMap((clone) => {
      const { id, exchange } = clone;
      return [0, 1].map((direction) => [exchange.name, id, direction, clone] as const);
    });
    /** CPMM into either token of a cloned pool, then that pool. */
    const overClone = ({ id, exchange, mints: at }: Clone, direction: number, isFirst = false) => {
      const chain = createLocalnet([RAYDIUM_CPMM_PROGRAM, DLMM_PROGRAM, WHIRLPOOL_PROGRAM, ROUTER_PROGRAM]);
      for (const key of accountsOfDirectory()) {
        const account = accountFromDirectory(key);
        if (account !== null) chain.set(key, account);
      }
      chain.setUnixSeconds(1_790_000_000n);
      chain.svm.warpToSlot(900_000_000n);
      const view = accountView(chain.get(id)!.data);
      const facts = (mint: Address): MintFacts => ({ mint, ...decodeMint(mint, chain.get(mint)!)! });
      const [a, b] = [facts(view.address(at[0])), facts(view.address(at[1]))];
      const [middle, bought] = direction === 0 ? [a, b] : [b, a];
      chain.setMint(IN);
      const mints = isFirst ? ([middle, bought, IN] as const) : ([IN, middle, bought] as const);
      const other = isFirst
        ? cpmm(chain, [10n ** 10n, 10n ** 14n], 100, [bought, IN])
        : cpmm(chain, [10n ** 12n, 10n ** 10n], 100, [IN, middle]);
      const pools = [decoded(chain, ...other, mints), decoded(chain, exchange, { id }, mints)];
      return { pools, mints, desk: trading(chain, pools, mints) };
    };

    it.each(cases.filter(([name]) => name === meteoraDlmm.name))(
      'CPMM, then %s %s, direction %i: brings the quote to the unit, and leaves no remainder',
      (_name, _id, direction, clone) => {
        const { desk, mints } = overClone(clone, direction);
        expectExact(desk, 10_000_001n, mints);
      },
    );

    it.each(cases.filter(([name]) => name === meteoraDlmm.name))(
      '%s %s, direction %i, then CPMM: brings the quote to the unit, and leaves no remainder',
      (_name, _id, direction, clone) => {
        const { desk, mints } = overClone(clone, direction, true);
        expectExact(desk, 1_000_001n, mints);
      },
    );

    // The router program leaves the price limit out, which builds of the Whirlpool program from before 2023 refuse.
    it.each(cases.filter(([name]) => name === orcaWhirlpool.name))(
      'CPMM, then %s %s, direction %i: brings the quote to the unit, or nothing moves and separate instructions do it',
      (_name, _id, direction, clone) => {
        const { desk, mints } = overClone(clone, direction);
        const [sold, , bought] = mints;
        const amount = WHIRLPOOL_AMOUNTS.find((one) => desk.price(one, true).route.byProgram === true) ?? 0n;
        const priced = desk.price(amount, true);
        const before = desk.held(sold);
        const refused = desk.run(priced.route, priced.minimums);
        if (refused === null) {
          expect(desk.held(bought)).toBe(priced.amountOut);
          return;
        }
        expect(refused).toContain('0x177b');
        expect(desk.held(sold)).toBe(before);
        const instead = desk.price(amount, false);
        expect(desk.run(instead.route, instead.minimums)).toBeNull();
        expect(desk.held(bought)).toBe(instead.amountOut);
      },
    );
  },
);
