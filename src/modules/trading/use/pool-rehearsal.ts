import { type Address, mulDivFloor, TOKEN_ACCOUNT_BYTES, unitsHeld, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { isAppError } from '../../../core/errors/app-error.ts';
import { createTtlCache } from '../../../core/ttl-cache.ts';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';
import { instructionIn } from '../../../engine/transactions/use/check-simulation.ts';
import { compileFitting } from '../../../engine/transactions/use/compile-fitting.ts';
import { MAX_UNITS } from '../../../engine/transactions/use/measure.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Route } from '../rules/route.ts';
import { routeOrNull } from './choose-way.ts';
import type { ExitCheckDeps } from './exit-check.ts';
import { loadIntermediateAccounts } from './intermediate-accounts.ts';
import { loadSwapToken } from './load-token.ts';
import {
  REHEARSED_HOP_MARGIN_BPS,
  REHEARSED_VERSION_1,
  type RehearsalPayer,
  rehearsalPayer,
  rehearsedRoute,
  SOLD_BPS,
} from './rehearsal.ts';

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

type RehearsalDeps = Parameters<typeof createPoolRehearsal>[0];
type Asked = Parameters<PoolRehearsal>[0];

async function rehearse(
  deps: RehearsalDeps,
  asked: Asked,
  pools: readonly Pool[],
): ReturnType<PoolRehearsal> {
  const { chain } = deps;
  const [payer, tables, version1] = await Promise.all([
    rehearsalPayer(deps, null),
    deps.lookupTables?.usable(),
    chain.takesVersion1(),
  ]);
  const lookupTables = tables ?? [];
  const ways = payer === null ? null : waysOver(asked, pools, payer.lamports, { lookupTables, version1 });
  if (payer === null || ways === null) return 'unknown';
  const { before, over, destination, blockhash } = await instructionsOf(deps, asked, ways, payer);
  const message = compileFitting(deps.compiler, {
    payer: payer.address,
    blockhash,
    instructions: [...before, ...over],
    lookupTables,
    ...(version1 ? REHEARSED_VERSION_1 : {}),
  });
  // A wrapped-SOL account is opened by the rehearsal itself.
  const [account] = (await chain.accounts([destination])).accounts;
  const simulation = await chain.simulate(message.bytes, [destination]);
  if (simulation.err !== null)
    return (instructionIn(simulation) ?? -1) >= before.length - message.dropped ? 'breaks' : 'unknown';
  const came = unitsHeld(simulation.after[0] ?? null) - unitsHeld(account ?? null);
  return came * 10_000n >= ways.tried.amountOut * SOLD_BPS ? 'keeps' : 'breaks';
}

/** The way to the token that the pool takes, null where that is SOL, and the swap over the pool. */
type Ways = { readonly there: Route | null; readonly tried: Route };

/** Null where the token is not to be had, and where the pool's own curve gives nothing for so little: that refutes no quote for more. */
function waysOver(
  { pool, mintIn, mintOut }: Asked,
  pools: readonly Pool[],
  lamports: bigint,
  forms: { readonly lookupTables: readonly LookupTable[]; readonly version1: boolean },
): Ways | null {
  const order = { hopMarginBps: REHEARSED_HOP_MARGIN_BPS, ...forms };
  const others = pools.filter(({ id }) => id !== pool.id);
  const there =
    mintIn === WSOL_MINT
      ? null
      : routeOrNull(others, { ...order, mintIn: WSOL_MINT, mintOut: mintIn, amountIn: lamports });
  if (there === null && mintIn !== WSOL_MINT) return null;
  const amountIn = there === null ? lamports : mulDivFloor(there.amountOut, SOLD_BPS, 10_000n);
  const tried = routeOrNull([pool], { ...order, mintIn, mintOut, amountIn });
  return tried === null ? null : { there, tried };
}

/** The instructions up to the swap over the pool, and those of that swap. */
async function instructionsOf(
  deps: RehearsalDeps,
  { mintIn, mintOut }: Asked,
  { there, tried }: Ways,
  { address: owner, lamports }: RehearsalPayer,
) {
  const { chain, programs } = deps;
  const [tokenIn, tokenOut, rentLamports, { blockhash }, intermediates] = await Promise.all([
    loadSwapToken(chain, mintIn),
    loadSwapToken(chain, mintOut),
    chain.rentExemption(TOKEN_ACCOUNT_BYTES),
    chain.latestBlockhash(),
    there === null ? [] : loadIntermediateAccounts(deps, owner, there),
  ]);
  // A seed not known to anybody beforehand: lamports sent to its address would make every rehearsal say nothing.
  const wrapped = programs.openWrappedSol({ owner, seed: blockhash.slice(0, 24), lamports, rentLamports });
  const accountOf = ({ mint, tokenProgram }: Token): Address =>
    mint === WSOL_MINT ? wrapped.account : programs.associatedTokenAddress(owner, mint, tokenProgram);
  const [source, destination] = [accountOf(tokenIn), accountOf(tokenOut)];
  const ends = { owner, tokenAccountRent: rentLamports };
  const opened = [tokenIn, tokenOut].filter(({ mint }) => mint !== WSOL_MINT);
  const before = [
    ...programs.computeBudget({ units: MAX_UNITS, microLamportsPerUnit: 0n }),
    ...opened.map(({ mint, tokenProgram }) =>
      programs.createAssociatedTokenAccount({ payer: owner, owner, mint, tokenProgram }),
    ),
    ...wrapped.instructions,
    ...(there === null
      ? []
      : rehearsedRoute(programs, there, intermediates, {
          ...ends,
          source: wrapped.account,
          destination: source,
        })),
  ];
  return {
    before,
    over: rehearsedRoute(programs, tried, [], { ...ends, source, destination }),
    destination,
    blockhash,
  };
}
