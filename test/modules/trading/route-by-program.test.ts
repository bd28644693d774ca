import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpmmSwap } from '../../../packages/venues/src/raydium-cpmm/instruction.ts';
import { buildMint, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { LookupTable } from '../../../src/engine/lookup-tables/rules/lookup-table.ts';
import { chooseRoute } from '../../../src/modules/trading/rules/choose-route.ts';
import { hopMarginBps } from '../../../src/modules/trading/rules/hop-margin.ts';
import { legMinimums } from '../../../src/modules/trading/rules/leg-minimums.ts';
import type { Route } from '../../../src/modules/trading/rules/route.ts';
import {
  type DecodedRouteCall,
  decodeRouteCall,
} from '../../../src/modules/trading/rules/router-program/route-call.ts';
import { settleByProgram } from '../../../src/modules/trading/rules/router-program/settle-by-program.ts';
import { ownRoute, routeOrThrow } from '../../../src/modules/trading/use/choose-way.ts';
import type { IntermediateAccount } from '../../../src/modules/trading/use/intermediate-accounts.ts';
import { createPoolQuarantine } from '../../../src/modules/trading/use/pool-quarantine.ts';
import { routeInstructions } from '../../../src/modules/trading/use/route-instructions.ts';
import { referredTerms } from '../../../src/modules/trading/use/swap-terms.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { buildPool } from './build-pool.ts';

const programs = createPrograms();
const poolQuarantine = createPoolQuarantine({ clock: { now: () => 0 }, log: { warn: () => undefined } });
const MINTS = [600, 601, 602, 603].map((n) => buildMint(testAddress(n)));
const [IN, OUT] = [MINTS[0]!.mint, MINTS[1]!.mint];
const OWNER = testAddress(700);
const ends = { owner: OWNER, source: testAddress(701), destination: testAddress(702) } as const;

/** A constant product that trades by Raydium CPMM's instruction, so that it can be a step; or by one that cannot. */
function stepPool(input: Parameters<typeof buildPool>[0] & { id: number; step: boolean }): Pool {
  const pool = buildPool({ accounts: 3, ...input });
  const [config, vaultIn, vaultOut, observation] = [1, 2, 3, 4].map((n) =>
    testAddress(800 + input.id * 8 + n),
  );
  const facts = (mint: Address) => MINTS.find((one) => one.mint === mint) ?? buildMint(mint);
  if (!input.step) return pool;
  return {
    ...pool,
    swap: (order) => [
      cpmmSwap(
        {
          pool: pool.id,
          config: config!,
          vaultIn: vaultIn!,
          vaultOut: vaultOut!,
          observation: observation!,
          mintIn: facts(order.mintIn),
          mintOut: facts(pool.mints[0] === order.mintIn ? pool.mints[1] : pool.mints[0]),
        },
        order,
      ),
    ],
  };
}

const markets = fc
  .array(
    fc.record({
      a: fc.nat(3),
      b: fc.nat(3),
      token: fc.bigInt({ min: 10n ** 6n, max: 10n ** 14n }),
      sol: fc.bigInt({ min: 10n ** 6n, max: 10n ** 14n }),
      feeBps: fc.bigInt({ min: 1n, max: 300n }),
      step: fc.constantFrom(true, true, true, false),
    }),
    { minLength: 2, maxLength: 9 },
  )
  .map((rows) =>
    rows
      .filter(({ a, b }) => a !== b)
      .map(({ a, b, ...rest }, index) =>
        stepPool({ id: index + 1, mints: [MINTS[a]!.mint, MINTS[b]!.mint], ...rest }),
      ),
  );

/** What an operator's table would hold; without one, two hops over real venues fill a packet. */
const tablesOf = (pools: readonly Pool[]): readonly LookupTable[] => {
  const named = pools.flatMap((pool) =>
    pool.swap({ ...ends, mintIn: pool.mints[0], amountIn: 1n, amountOut: 1n, minOut: 1n }),
  );
  const entries = new Set(named.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  return [{ address: testAddress(999), entries: [...entries] }];
};

const intermediatesOf = (route: Route): readonly IntermediateAccount[] =>
  route.intermediates.map((mint) => {
    const token = MINTS.find((one) => one.mint === mint) as IntermediateAccount['token'];
    const account = programs.associatedTokenAddress(OWNER, mint, token.tokenProgram);
    return { token, account, held: 0n, opens: true, closes: true, rentLamports: 1n };
  });

function callOf(route: Route, minOut: bigint): DecodedRouteCall {
  const instructions = routeInstructions(
    programs,
    { route, minimums: legMinimums(route, minOut) },
    {
      ...ends,
      destinationHolds: 0n,
      wrapped: null,
      tokenAccountRent: 1n,
      intermediates: intermediatesOf(route),
    },
  );
  const calls = instructions.flatMap((one) => decodeRouteCall(one) ?? []);
  // Openings, one call, closings: nothing else.
  expect(instructions).toHaveLength(1 + 2 * route.intermediates.length);
  expect(calls).toHaveLength(1);
  return calls[0]!;
}

/** What the program does with the call, as it was measured: percents of what came, rounded down, the last takes the rest. */
function executed(call: DecodedRouteCall, pools: readonly Pool[]): ReadonlyMap<Address, bigint> {
  const held = new Map<Address, bigint>([[call.source, call.amountIn]]);
  const whole = new Map<Address, bigint>();
  const percents = new Map<Address, number>();
  for (const { source, destination, percent, others } of call.steps) {
    const pool = pools.find(({ id }) => others.includes(id))!;
    // Raydium CPMM names what is sold and bought behind its vaults and token programs.
    const mintIn = others.find((one) => pool.mints.includes(one))!;
    if (!whole.has(source)) whole.set(source, held.get(source) ?? 0n);
    const passed = (percents.get(source) ?? 0) + percent;
    percents.set(source, passed);
    const left = held.get(source) ?? 0n;
    const amount = passed === 100 ? left : ((whole.get(source) ?? 0n) * BigInt(percent)) / 100n;
    held.set(source, left - amount);
    held.set(destination, (held.get(destination) ?? 0n) + pool.quote(mintIn, amount));
  }
  return held;
}

const amounts = fc.bigInt({ min: 1_000n, max: 10n ** 12n });

describe('a route by the router program', () => {
  it('claims exactly what the encoded plan brings, leaves nothing in the middle, and never pays less', () => {
    let taken = 0;
    fc.assert(
      fc.property(markets, amounts, fc.integer({ min: 0, max: 5_000 }), (pools, amountIn, slippage) => {
        const order = {
          mintIn: IN,
          mintOut: OUT,
          amountIn,
          hopMarginBps: hopMarginBps(bps(slippage)),
          lookupTables: tablesOf(pools),
        };
        let separate: Route | null = null;
        let route: Route;
        try {
          route = chooseRoute(pools, { ...order, routerProgram: true });
        } catch {
          // No way, or nothing comes out; then there is none in separate instructions either.
          expect(() => chooseRoute(pools, order)).toThrow();
          return;
        }
        try {
          separate = chooseRoute(pools, order);
        } catch {
          // Only by the program does it fit one transaction.
        }
        if (separate !== null) expect(route.amountOut).toBeGreaterThanOrEqual(separate.amountOut);
        if (route.byProgram !== true) return;
        taken += 1;
        expect(route.remainders).toEqual([]);
        const minOut = (route.amountOut * BigInt(10_000 - slippage)) / 10_000n;
        const call = callOf(route, minOut);
        expect(call.minOut).toBe(minOut);
        expect(call.amountIn).toBe(amountIn);
        const held = executed(call, pools);
        for (const [account, units] of held) {
          expect(units, account).toBe(account === ends.destination ? route.amountOut : 0n);
        }
      }),
      // About one in six is by the program: of 300 hardly ever so few as fifteen.
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(15);
  });

  it('prices weights by the whole percents that they are rounded to, whatever the weights are', () => {
    const pools = [1, 2, 3].map((id) => stepPool({ id, step: true, mints: [IN, MINTS[2]!.mint] }));
    const last = stepPool({ id: 4, step: true, mints: [MINTS[2]!.mint, OUT] });
    fc.assert(
      fc.property(fc.tuple(amounts, amounts, amounts), amounts, (weights, amountIn) => {
        const legs = [
          ...pools.map((pool, index) => ({
            pool,
            mintIn: IN,
            mintOut: MINTS[2]!.mint,
            weight: weights[index]!,
          })),
          { pool: last, mintIn: MINTS[2]!.mint, mintOut: OUT, weight: 1n },
        ];
        const settled = settleByProgram(legs, { mintIn: IN, mintOut: OUT, amountIn });
        if (settled === null) return;
        const percents = settled.map(({ percent }) => percent ?? 0);
        expect(percents.slice(0, 3).reduce((sum, one) => sum + one, 0)).toBe(100);
        expect(percents[3]).toBe(100);
        const spent = settled.slice(0, 3).map((leg) => leg.amountIn);
        expect(spent.slice(0, 2)).toEqual(percents.slice(0, 2).map((one) => (amountIn * BigInt(one)) / 100n));
        expect(spent.reduce((sum, one) => sum + one, 0n)).toBe(amountIn);
        expect(settled[3]?.amountIn).toBe(settled.slice(0, 3).reduce((sum, leg) => sum + leg.amountOut, 0n));
      }),
      { numRuns: 300 },
    );
  });

  it('is taken only where the cluster has the program, and only over pools that have a step', () => {
    const via = (step: boolean) => [
      stepPool({ id: 1, step: true, mints: [IN, MINTS[2]!.mint] }),
      stepPool({ id: 2, step, mints: [MINTS[2]!.mint, OUT] }),
    ];
    const lookupTables = tablesOf([...via(true), ...via(false)]);
    const order = { mintIn: IN, mintOut: OUT, amountIn: 1_000_000n, hopMarginBps: 10, lookupTables };
    expect(chooseRoute(via(true), { ...order, routerProgram: true }).byProgram).toBe(true);
    expect(chooseRoute(via(true), order)).not.toHaveProperty('byProgram');
    expect(chooseRoute(via(true), { ...order, routerProgram: false })).not.toHaveProperty('byProgram');
    expect(chooseRoute(via(false), { ...order, routerProgram: true })).not.toHaveProperty('byProgram');
    // The better pool has no step, another has: the program takes the other where that leaves more.
    const both = [
      ...via(true),
      stepPool({ id: 3, step: false, mints: [MINTS[2]!.mint, OUT], token: 1_000_100_000n }),
    ];
    expect(chooseRoute(both, { ...order, routerProgram: true }).legs.map(({ pool }) => pool.label)).toEqual([
      'Pool 1',
      'Pool 2',
    ]);
  });

  it('stays in separate instructions for a single pool and for a split without an intermediate', () => {
    const pools = [1, 2].map((id) => stepPool({ id, step: true, mints: [IN, OUT] }));
    for (const given of [pools, pools.slice(1)]) {
      const route = chooseRoute(given, {
        mintIn: IN,
        mintOut: OUT,
        amountIn: 10n ** 8n,
        routerProgram: true,
      });
      expect(route).not.toHaveProperty('byProgram');
    }
  });

  it('asks the chain for exactly the minimum that the caller is told, the referrer’s part on top', async () => {
    const pools = [
      stepPool({ id: 1, step: true, mints: [IN, MINTS[2]!.mint] }),
      stepPool({ id: 2, step: true, mints: [MINTS[2]!.mint, OUT] }),
      stepPool({ id: 3, step: true, mints: [MINTS[2]!.mint, OUT], token: 900_000_000n }),
    ];
    const request = { mintIn: IN, mintOut: OUT, amount: 123_456_789n, slippageBps: bps(77) };
    const terms = referredTerms(request, bps(100));
    const none = { pools, unasked: [], searching: [] };
    const priced = routeOrThrow(
      await ownRoute({ poolQuarantine }, terms, none, {
        routerProgram: true,
        lookupTables: tablesOf(pools),
      }),
    );
    expect(priced.route.byProgram).toBe(true);
    expect(priced.fee).toEqual({ side: 'out', units: priced.route.amountOut / 100n });
    const last = priced.minimums.filter((_, index) => priced.route.legs[index]?.leastOut === null);
    const total = last.reduce((sum, one) => sum + one, 0n);
    expect(total).toBe(priced.minOut + priced.fee.units);
    expect(callOf(priced.route, total).minOut).toBe(priced.minOut + priced.fee.units);
  });
});
