import { type Address, type Instruction, maxBigint, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Route, RouteLeg } from '../rules/route.ts';
import { type ProgramLeg, swapByProgram } from '../rules/router-program/swap-by-program.ts';
import type { IntermediateAccount } from './intermediate-accounts.ts';

export type RouteAccounts = {
  readonly owner: Address;
  /** The trader's accounts of the route's ends; the wrapped-SOL account where an end is SOL. */
  readonly source: Address;
  readonly destination: Address;
  /** Units of the output in `destination` before the transaction; 0 for a wrapped-SOL account, which it opens. */
  readonly destinationHolds: bigint;
  /** Units of the input in `source` before the transaction; absent for a wrapped-SOL account, which it opens. */
  readonly sourceHolds?: bigint;
  /** The wrapped-SOL account, for a route that passes through SOL; null when there is none. */
  readonly wrapped: Address | null;
  /** As in `PoolSwap`. */
  readonly tokenAccountRent: bigint;
  readonly intermediates: readonly IntermediateAccount[];
};

/**
 * The swaps of a route, each by itself or all in one call of the router program, with the accounts in its intermediate: opened
 * before where they are missing, and closed after where the route leaves nothing in them. `minimums` in the order of the legs. The wrapped-SOL account is the caller's to open and
 * close.
 */
export function routeInstructions(
  programs: Programs,
  priced: { readonly route: Route; readonly minimums: readonly bigint[] },
  accounts: RouteAccounts,
): readonly Instruction[] {
  return routeSteps(programs, priced, accounts).map(({ instruction }) => instruction);
}

/** The same with the pool that each of them swaps over; null where it is none's, or several pools' at once. */
export function routeSteps(
  programs: Programs,
  { route, minimums }: { readonly route: Route; readonly minimums: readonly bigint[] },
  accounts: RouteAccounts,
): readonly {
  readonly instruction: Instruction;
  readonly pool: Pool | null;
  readonly group: 'setup' | 'swap' | 'cleanup';
}[] {
  const { owner, intermediates } = accounts;
  const swaps = swapsOf(route, minimums, accounts);
  const ofNoPool = <G extends string>(instruction: Instruction, group: G) => ({
    instruction,
    pool: null,
    group,
  });
  return [
    // Idempotent, and in the message even where the account exists: it proves whose account the first hop pays into.
    ...intermediates.map(({ token: { mint, tokenProgram } }) =>
      ofNoPool(
        programs.createAssociatedTokenAccount({ payer: owner, owner, mint, tokenProgram }),
        'setup' as const,
      ),
    ),
    ...(route.byProgram === true
      ? [ofNoPool(inOneCall(route, swaps, minimums, accounts), 'swap' as const)]
      : swaps.flatMap((swap, index) =>
          swap.map((instruction) => ({
            instruction,
            pool: route.legs[index]?.pool ?? null,
            group: 'swap' as const,
          })),
        )),
    ...intermediates
      .filter(({ closes }) => closes)
      .map(({ account, token: { tokenProgram } }) =>
        ofNoPool(programs.closeTokenAccount({ account, owner, tokenProgram }), 'cleanup' as const),
      ),
  ];
}

/** Each leg's own instructions. */
function swapsOf(
  route: Route,
  minimums: readonly bigint[],
  accounts: RouteAccounts,
): readonly (readonly Instruction[])[] {
  const { owner, intermediates, tokenAccountRent } = accounts;
  const accountOf = (mint: Address): Address => {
    if (mint === route.mintIn) return accounts.source;
    if (mint === route.mintOut) return accounts.destination;
    const found =
      mint === WSOL_MINT ? accounts.wrapped : intermediates.find(({ token }) => token.mint === mint)?.account;
    if (found === undefined || found === null) throw new RangeError(`no account for ${mint} in the middle`);
    return found;
  };
  const holds = new Map<Address, bigint>([
    ...(accounts.sourceHolds === undefined ? [] : [[route.mintIn, accounts.sourceHolds] as const]),
    [route.mintOut, accounts.destinationHolds],
    ...intermediates.map(({ token, held }) => [token.mint, held] as const),
  ]);
  /** The certain balance of the leg's destination before it; from then on the leg's own minimum is in it too. */
  const holdsBefore = ({ mintIn, mintOut, amountIn }: RouteLeg, least: bigint): bigint => {
    const before = holds.get(mintOut) ?? 0n;
    holds.set(mintOut, before + least);
    const source = holds.get(mintIn);
    if (source !== undefined) holds.set(mintIn, maxBigint(0n, source - amountIn));
    return before;
  };
  return route.legs.map((leg, index) => {
    const minOut = minimums[index] ?? leg.amountOut;
    const sourceHolds = leg.mintIn === WSOL_MINT ? undefined : holds.get(leg.mintIn);
    return leg.pool.swap({
      ...(sourceHolds === undefined ? {} : { sourceHolds }),
      owner,
      mintIn: leg.mintIn,
      amountIn: leg.amountIn,
      amountOut: leg.amountOut,
      minOut,
      source: accountOf(leg.mintIn),
      destination: accountOf(leg.mintOut),
      destinationHolds: holdsBefore(leg, minOut),
      tokenAccountRent,
    });
  });
}

/** The venues' own swaps as steps of one call, which alone enforces the sum of the last minimums. */
function inOneCall(
  { legs, amountIn }: Route,
  swaps: readonly (readonly Instruction[])[],
  minimums: readonly bigint[],
  { owner, source, destination }: RouteAccounts,
): Instruction {
  const steps = legs.map(
    ({ mintIn, mintOut, shareBps }, index): ProgramLeg => ({
      mintIn,
      mintOut,
      percent: shareBps / 100,
      swap: swaps[index] ?? [],
    }),
  );
  const minOut = legs.reduce(
    (sum, { leastOut, amountOut }, index) => (leastOut === null ? sum + (minimums[index] ?? amountOut) : sum),
    0n,
  );
  const call = swapByProgram(steps, { owner, source, destination, amountIn, minOut });
  if (call === null) throw new RangeError('a leg of the route is no step of the router program');
  return call;
}

/**
 * Nothing where the source is the wallet's associated account, which the signing policy derives. For any other account a
 * transfer to itself, which moves nothing and lets the token program check whose it is and of which mint.
 */
export function nameSource(
  programs: Programs,
  {
    owner,
    token,
    source,
    amountIn,
  }: {
    readonly owner: Address;
    readonly token: Pick<Token, 'mint' | 'tokenProgram' | 'decimals'>;
    readonly source: Address;
    readonly amountIn: bigint;
  },
): readonly Instruction[] {
  const { mint, tokenProgram, decimals } = token;
  if (source === programs.associatedTokenAddress(owner, mint, tokenProgram)) return [];
  const itself = { source, destination: source, mint, owner, amount: amountIn, decimals, tokenProgram };
  return [programs.transferToken(itself)];
}
