import { type Address, LAMPORTS_PER_SOL, minBigint, SYSTEM_PROGRAM } from '@tradepost/solana';
import { MAX_LOADED_BYTES } from '../../../engine/transactions/use/measure.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import { legMinimums } from '../rules/leg-minimums.ts';
import type { Route } from '../rules/route.ts';
import type { IntermediateAccount } from './intermediate-accounts.ts';
import { type RouteAccounts, routeInstructions } from './route-instructions.ts';

/** Small against any pool worth trading, large against rounding. */
const MOST_LAMPORTS = LAMPORTS_PER_SOL / 10n;
const LEAST_LAMPORTS = LAMPORTS_PER_SOL / 200n;
/** For the accounts that the rehearsal opens, and its fees. */
const ASIDE_LAMPORTS = 20_000_000n;
/** Pools move between the read and the simulation; what came may be a little less than its quote. */
export const SOLD_BPS = 9_800n;
export const REHEARSED_HOP_MARGIN_BPS = 50;
/** A rehearsal pays nothing, so it may load as much as the cluster allows. */
export const REHEARSED_VERSION_1 = { version1: { loadedBytes: MAX_LOADED_BYTES } } as const;

/** The address that a rehearsal pretends to spend from, and how much of it. */
export type RehearsalPayer = { readonly address: Address; readonly lamports: bigint };

/** The first of wallet and treasury that has enough, at most 0.1 SOL of it; null where neither has. A wallet that is no plain one cannot pay. */
export async function rehearsalPayer(
  { chain, treasury }: { readonly chain: Pick<Chain, 'accounts'>; readonly treasury: Address },
  wallet: Address | null,
): Promise<RehearsalPayer | null> {
  const candidates = [...new Set([...(wallet === null ? [] : [wallet]), treasury])];
  const { accounts } = await chain.accounts(candidates);
  for (const [index, address] of candidates.entries()) {
    const state = accounts[index] ?? null;
    if (state === null || state.owner !== SYSTEM_PROGRAM || state.data.length > 0) continue;
    const lamports = minBigint(MOST_LAMPORTS, state.lamports - ASIDE_LAMPORTS);
    if (lamports >= LEAST_LAMPORTS) return { address, lamports };
  }
  return null;
}

/** A route's instructions with any output as its minimum: a rehearsal looks at what came. */
export function rehearsedRoute(
  programs: Programs,
  route: Route,
  intermediates: readonly IntermediateAccount[],
  ends: Pick<RouteAccounts, 'owner' | 'source' | 'destination' | 'tokenAccountRent'>,
) {
  return routeInstructions(
    programs,
    { route, minimums: legMinimums(route, 1n) },
    {
      ...ends,
      destinationHolds: 0n,
      wrapped: null,
      intermediates: intermediates.map((intermediate) => ({ ...intermediate, closes: false })),
    },
  );
}
