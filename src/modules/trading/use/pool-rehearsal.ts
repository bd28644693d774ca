import type { Address } from '../../../core/address/address.ts';
import { WSOL_MINT } from '../../../core/address/programs.ts';
import { mulDivFloor } from '../../../core/amounts/rounding.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import { createTtlCache } from '../../../core/ttl-cache.ts';
import { instructionIn } from '../../../engine/transactions/use/check-simulation.ts';
import { compileFitting } from '../../../engine/transactions/use/compile-fitting.ts';
import { MAX_UNITS } from '../../../engine/transactions/use/measure.ts';
import type { Pool } from '../../../platform/ports/venue.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../tokens/rules/account-size.ts';
import { unitsHeld } from '../../tokens/rules/token-account.ts';
import { routeOrNull } from './choose-way.ts';
import type { ExitCheckDeps } from './exit-check.ts';
import { loadIntermediateAccounts } from './intermediate-accounts.ts';
import { loadSwapToken } from './load-token.ts';
import { REHEARSED_HOP_MARGIN_BPS, rehearsalPayer, rehearsedRoute, SOLD_BPS } from './rehearsal.ts';

/** Whether a pool keeps what its quote promises. `unknown`: it could not be tried, which says nothing of the pool. */
export type PoolRehearsal = (
  asked: {
    readonly pool: Pool;
    readonly mintIn: Address;
    readonly mintOut: Address;
  },
  /** Pools on the way, to come by the token that the pool takes; itself may be among them. */
  pools: readonly Pool[],
) => Promise<'keeps' | 'breaks' | 'unknown'>;

const KEPT_MS = 30_000;
const CAPACITY = 2_000;

/**
 * Simulates one message that brings at most 0.1 SOL into the pool, by way of other pools where it takes another token. Only a swap over this
 * pool that fails or brings less than its quote breaks it: a failure before it is of others. Nothing is signed. Never rejects; an answer may be
 * half a minute old.
 */
export function createPoolRehearsal(
  deps: Pick<ExitCheckDeps, 'chain' | 'programs' | 'compiler' | 'clock' | 'treasury' | 'lookupTables'>,
): PoolRehearsal {
  const kept = createTtlCache<string, Awaited<ReturnType<PoolRehearsal>>>({
    ttlMs: KEPT_MS,
    capacity: CAPACITY,
    now: () => deps.clock.now(),
    keep: (answer) => answer !== 'unknown',
  });
  return (asked, pools) =>
    kept
      .get(`${asked.pool.id} ${asked.mintIn}`, () => rehearse(deps, asked, pools))
      .catch((error: unknown) => {
        if (isAppError(error) || error instanceof RangeError) return 'unknown';
        throw error;
      });
}

async function rehearse(
  deps: Parameters<typeof createPoolRehearsal>[0],
  { pool, mintIn, mintOut }: Parameters<PoolRehearsal>[0],
  pools: readonly Pool[],
): ReturnType<PoolRehearsal> {
  const { chain, programs } = deps;
  const [payer, tokenIn, tokenOut, tokenAccountRent, lookupTables, { blockhash }] = await Promise.all([
    rehearsalPayer(deps, null),
    loadSwapToken(chain, mintIn),
    loadSwapToken(chain, mintOut),
    chain.rentExemption(TOKEN_ACCOUNT_BYTES),
    deps.lookupTables?.usable(),
    chain.latestBlockhash(),
  ]);
  if (payer === null) return 'unknown';
  const owner = payer.address;
  const order = { hopMarginBps: REHEARSED_HOP_MARGIN_BPS, lookupTables: lookupTables ?? [] };
  const takesSol = mintIn === WSOL_MINT;
  const others = pools.filter(({ id }) => id !== pool.id);
  const first = takesSol
    ? null
    : routeOrNull(others, { ...order, mintIn: WSOL_MINT, mintOut: mintIn, amountIn: payer.lamports });
  if (first === null && !takesSol) return 'unknown';
  const amountIn = first === null ? payer.lamports : mulDivFloor(first.amountOut, SOLD_BPS, 10_000n);
  const second = routeOrNull([pool], { ...order, mintIn, mintOut, amountIn });
  // Its own curve gives nothing for so little: the quote for more is not refuted by that.
  if (second === null) return 'unknown';
  const wrapped = programs.openWrappedSol({
    owner,
    // Not known to anybody beforehand: lamports sent to its address would make every rehearsal say nothing.
    seed: blockhash.slice(0, 24),
    lamports: payer.lamports,
    rentLamports: tokenAccountRent,
  });
  const accountOf = ({ mint, tokenProgram }: typeof tokenIn): Address =>
    mint === WSOL_MINT ? wrapped.account : programs.associatedTokenAddress(owner, mint, tokenProgram);
  const [source, destination] = [accountOf(tokenIn), accountOf(tokenOut)];
  const opened = [tokenIn, tokenOut].filter(({ mint }) => mint !== WSOL_MINT);
  const ends = { owner, tokenAccountRent };
  const before = [
    ...programs.computeBudget({ units: MAX_UNITS, microLamportsPerUnit: 0n }),
    ...opened.map(({ mint, tokenProgram }) =>
      programs.createAssociatedTokenAccount({ payer: owner, owner, mint, tokenProgram }),
    ),
    ...wrapped.instructions,
    ...(first === null
      ? []
      : rehearsedRoute(programs, first, await loadIntermediateAccounts(deps, owner, first), {
          ...ends,
          source: wrapped.account,
          destination: source,
        })),
  ];
  const over = rehearsedRoute(programs, second, [], { ...ends, source, destination });
  const message = compileFitting(deps.compiler, {
    payer: owner,
    blockhash,
    instructions: [...before, ...over],
    lookupTables: order.lookupTables,
  });
  const held =
    mintOut === WSOL_MINT ? 0n : unitsHeld((await chain.accounts([destination])).accounts[0] ?? null);
  const simulation = await chain.simulate(message.bytes, [destination]);
  if (simulation.err !== null)
    return (instructionIn(simulation) ?? -1) >= before.length ? 'breaks' : 'unknown';
  const came = unitsHeld(simulation.after[0] ?? null) - held;
  return came * 10_000n >= second.amountOut * SOLD_BPS ? 'keeps' : 'breaks';
}
