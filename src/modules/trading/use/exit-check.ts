import { type Address, mulDivFloor, TOKEN_ACCOUNT_BYTES, unitsHeld, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { isAppError } from '../../../core/errors/app-error.ts';
import { createTtlCache } from '../../../core/ttl-cache.ts';
import { isPriceFailure } from '../../../engine/intents/rules/retry.ts';
import { instructionIn } from '../../../engine/transactions/use/check-simulation.ts';
import { compileFitting } from '../../../engine/transactions/use/compile-fitting.ts';
import { MAX_UNITS } from '../../../engine/transactions/use/measure.ts';
import type { Chain, CompiledMessage, MessageCompiler, Simulation } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { LookupTables } from '../../../platform/ports/lookup-tables.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import type { Exit } from '../../tokens/rules/safety.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { chooseRoute } from '../rules/choose-route.ts';
import type { Route } from '../rules/route.ts';
import { routeOrNull } from './choose-way.ts';
import { loadIntermediateAccounts } from './intermediate-accounts.ts';
import { loadRoutePools } from './load-route-pools.ts';
import { loadToken } from './load-token.ts';
import {
  REHEARSED_HOP_MARGIN_BPS,
  REHEARSED_VERSION_1,
  rehearsalPayer,
  rehearsedRoute,
  SOLD_BPS,
} from './rehearsal.ts';

export type ExitCheckDeps = {
  readonly chain: Chain;
  readonly programs: Programs;
  readonly compiler: Pick<MessageCompiler, 'compile'>;
  readonly venues: readonly Venue[];
  readonly hubs: readonly Address[];
  readonly clock: Clock;
  /** Whose lamports the rehearsal pretends to spend when the asker has too few; nothing is ever signed. */
  readonly treasury: Address;
  readonly lookupTables?: LookupTables;
};

/** "Can I get out?" for a mint that the holder of this wallet looks at. Never rejects; may be half a minute old. */
export type ExitCheck = (mint: Address, wallet: Address | null) => Promise<Exit>;

const KEPT_MS = 30_000;
const CAPACITY = 2_000;
const UNCHECKED: Exit = { kind: 'unchecked' };

/**
 * Simulates one message that buys the token for at most 0.1 SOL and sells it again, on the chain's present state and without a signature.
 * Quotes do not show whether the pool's and the mint's programs let a holder sell: a frozen or closed way back shows here and nowhere in
 * the mint.
 */
export function createExitCheck(deps: ExitCheckDeps): ExitCheck {
  const kept = createTtlCache<Address, Exit>({
    ttlMs: KEPT_MS,
    capacity: CAPACITY,
    now: () => deps.clock.now(),
    keep: ({ kind }) => kind !== 'unchecked',
  });
  return (mint, wallet) =>
    mint === WSOL_MINT || deps.hubs.includes(mint)
      ? Promise.resolve(UNCHECKED)
      : kept
          .get(mint, () => rehearse(deps, mint, wallet))
          // No answer of a node, no pool: then nothing is said about the way out.
          .catch((error: unknown) => {
            if (isAppError(error)) return UNCHECKED;
            throw error;
          });
}

async function rehearse(deps: ExitCheckDeps, mint: Address, wallet: Address | null): Promise<Exit> {
  const [token, { pools }, payer, rentLamports, lookupTables, version1] = await Promise.all([
    loadToken(deps.chain, mint),
    loadRoutePools(deps, { mintIn: WSOL_MINT, mintOut: mint }),
    rehearsalPayer(deps, wallet),
    deps.chain.rentExemption(TOKEN_ACCOUNT_BYTES),
    deps.lookupTables?.usable(),
    deps.chain.takesVersion1(),
  ]);
  if (payer === null || pools.length === 0) return UNCHECKED;
  const order = { hopMarginBps: REHEARSED_HOP_MARGIN_BPS, lookupTables: lookupTables ?? [], version1 };
  const buying = { ...order, mintIn: WSOL_MINT, mintOut: mint, amountIn: payer.lamports };
  const rehearsal = { token, payer: payer.address, rentLamports, order };
  const best = chooseRoute(pools, buying);
  for (const [purchase, over] of simplified(best, pools, buying)) {
    const exit = await soldOver(deps, rehearsal, purchase, over);
    if (exit !== null) return exit;
  }
  return UNCHECKED;
}

/**
 * The best purchase with the best sale, then both over one pool that brings nearly as much: two ways there and back may not
 * fit a packet.
 */
function simplified(
  best: Route,
  pools: readonly Pool[],
  buying: Parameters<typeof chooseRoute>[1],
): readonly (readonly [Route, readonly Pool[]])[] {
  const { mintIn, mintOut, amountIn } = buying;
  const direct = pools
    .filter(({ mints }) => mints.includes(mintIn) && mints.includes(mintOut))
    .toSorted((a, b) => (a.quote(mintIn, amountIn) < b.quote(mintIn, amountIn) ? 1 : -1))
    .slice(0, 1);
  const single = routeOrNull(direct, buying);
  const isClose = single !== null && single.amountOut * 10_000n >= best.amountOut * SOLD_BPS;
  return isClose
    ? [
        [best, pools],
        [single, direct],
      ]
    : [[best, pools]];
}

/** The sale of a purchase's units; null when that cannot be tried. */
async function soldOver(
  deps: ExitCheckDeps,
  rehearsal: Rehearsal,
  purchase: Route,
  pools: readonly Pool[],
): Promise<Exit | null> {
  const amountIn = mulDivFloor(purchase.amountOut, SOLD_BPS, 10_000n);
  const selling = { ...rehearsal.order, mintIn: purchase.mintOut, mintOut: WSOL_MINT, amountIn };
  let refused: Exit | null = null;
  let ways = pools;
  // One pool that refuses is not the token: a sale is tried over the others before anything is said.
  for (let round = 0; round < 2; round += 1) {
    const sale = routeOrNull(ways, selling);
    if (sale === null) return refused;
    const exit = await attempt(deps, { ...rehearsal, purchase, sale });
    if (exit?.kind !== 'cannot-sell') return exit ?? refused;
    refused = exit;
    const tried = new Set(sale.legs.map(({ pool }) => pool.id));
    ways = ways.filter(({ id }) => !tried.has(id));
  }
  return refused;
}

type Rehearsal = {
  readonly token: Token;
  readonly payer: Address;
  readonly rentLamports: bigint;
  readonly order: {
    readonly hopMarginBps: number;
    readonly version1: boolean;
    readonly lookupTables: Awaited<ReturnType<LookupTables['usable']>>;
  };
};

/** Null when it does not fit a packet, or fails for a reason that is not the token's. */
async function attempt(
  deps: ExitCheckDeps,
  input: Rehearsal & { readonly purchase: Route; readonly sale: Route },
): Promise<Exit | null> {
  const { purchase, sale, payer } = input;
  const { chain, programs } = deps;
  const { mint, tokenProgram } = input.token;
  const account = programs.associatedTokenAddress(payer, mint, tokenProgram);
  const { blockhash } = await chain.latestBlockhash();
  const wrapped = programs.openWrappedSol({
    owner: payer,
    // Not known to anybody beforehand: lamports sent to its address would make every rehearsal say nothing.
    seed: blockhash.slice(0, 24),
    lamports: purchase.amountIn,
    rentLamports: input.rentLamports,
  });
  const [there, back] = await Promise.all([
    loadIntermediateAccounts(deps, payer, purchase),
    loadIntermediateAccounts(deps, payer, sale),
  ]);
  const opening = [
    ...programs.computeBudget({ units: MAX_UNITS, microLamportsPerUnit: 0n }),
    programs.createAssociatedTokenAccount({ payer, owner: payer, mint, tokenProgram }),
    ...wrapped.instructions,
  ];
  const common = { owner: payer, tokenAccountRent: input.rentLamports };
  const buying = rehearsedRoute(programs, purchase, there, {
    ...common,
    source: wrapped.account,
    destination: account,
  });
  const selling = rehearsedRoute(programs, sale, back, {
    ...common,
    source: account,
    destination: wrapped.account,
  });
  const instructions = [...opening, ...buying, ...selling];
  const message = compiledOrNull(deps, { payer, blockhash, instructions }, input.order);
  if (message === null) return null;
  const simulation = await chain.simulate(message.bytes, [wrapped.account]);
  if (simulation.err !== null) {
    // Between hops amounts are fixed, so a price that moved may fail there. Elsewhere any outcome passes, and a program
    // that talks of slippage only wants to be excused.
    const isPrice =
      [...purchase.intermediates, ...sale.intermediates].length > 0 && isPriceFailure(simulation.logs);
    const opened = opening.length - message.dropped;
    return isPrice ? null : whyNot(simulation, opened, opened + buying.length);
  }
  return {
    kind: 'sold',
    spentLamports: purchase.amountIn,
    // All of the first filling was spent, so its present balance came back; scaled to all that was bought.
    returnedLamports: mulDivFloor(unitsHeld(simulation.after[0] ?? null), 10_000n, SOLD_BPS),
  };
}

/** Null where it fits in no form. */
function compiledOrNull(
  { compiler }: Pick<ExitCheckDeps, 'compiler'>,
  wanted: Pick<Parameters<MessageCompiler['compile']>[0], 'payer' | 'blockhash' | 'instructions'>,
  { lookupTables, version1 }: Rehearsal['order'],
): CompiledMessage | null {
  try {
    return compileFitting(compiler, { ...wanted, lookupTables, ...(version1 ? REHEARSED_VERSION_1 : {}) });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The half that failed. A failure before the swaps says nothing about the token. */
function whyNot(simulation: Simulation, buyingFrom: number, sellingFrom: number): Exit | null {
  const index = instructionIn(simulation) ?? -1;
  if (index < buyingFrom) return null;
  return { kind: index >= sellingFrom ? 'cannot-sell' : 'cannot-buy' };
}
