import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { hasCode, isAppError } from '../../../core/errors/app-error.ts';
import type { Venue } from '../../../platform/ports/venue.ts';

/** Pools as they were found, and the venues that could not be asked for theirs: those may have more. */
export type FoundPools = {
  readonly pools: readonly Pool[];
  readonly unasked: readonly string[];
  /** Of these the venues whose pools the worker is searching now. */
  readonly searching: readonly string[];
};

/**
 * Pools of all venues that hold both mints, each in its state now; with `reread` none as it is followed. A venue that cannot be asked is
 * named as long as another answers. When none does, the first foreseen failure (no endpoint answers) is thrown. A venue that fails in any
 * other way has a fault of its own and offers nothing: that is no reason to fail for the caller.
 */
export async function findPools(
  venues: readonly Venue[],
  mintA: Address,
  mintB: Address,
  { reread = false }: { readonly reread?: boolean } = {},
): Promise<FoundPools> {
  if (mintA === mintB) return { pools: [], unasked: [], searching: [] };
  const answers = await Promise.allSettled(venues.map((venue) => venue.pools(mintA, mintB, { reread })));
  const answered = answers.filter((answer) => answer.status === 'fulfilled');
  const failed = answers.find((answer) => answer.status === 'rejected' && isAppError(answer.reason));
  if (answered.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return { pools: answered.flatMap((answer) => answer.value), ...unaskedOf(venues, answers) };
}

/** The pools alone, for callers that show no more than an estimate. Throws as `findPools`. */
export async function loadPools(
  venues: readonly Venue[],
  mintA: Address,
  mintB: Address,
): Promise<readonly Pool[]> {
  return (await findPools(venues, mintA, mintB)).pools;
}

/** The venues whose answer is a foreseen failure: a node refused, throttled or was silent, or nothing was searched yet. */
export function unaskedOf(
  venues: readonly Venue[],
  answers: readonly PromiseSettledResult<unknown>[],
): Pick<FoundPools, 'unasked' | 'searching'> {
  const named = (holds: (reason: unknown) => boolean): readonly string[] =>
    answers.flatMap((answer, index) =>
      answer.status === 'rejected' && holds(answer.reason) ? [venues[index]?.name ?? ''] : [],
    );
  return { unasked: named(isAppError), searching: named((reason) => hasCode(reason, 'SEARCHING')) };
}
