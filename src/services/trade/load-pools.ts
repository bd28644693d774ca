import type { Address } from '../../core/address/address.ts';
import type { Pool, Venue } from '../../core/ports/venue.ts';

/**
 * Pools of all venues that hold both mints, each in its state now. A venue that cannot be asked is passed over as long as
 * another answers; when none does, the first failure is thrown.
 */
export async function loadPools(
  venues: readonly Venue[],
  mintA: Address,
  mintB: Address,
): Promise<readonly Pool[]> {
  if (mintA === mintB) return [];
  const answers = await Promise.allSettled(venues.map((venue) => venue.pools(mintA, mintB)));
  const answered = answers.filter((answer) => answer.status === 'fulfilled');
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (answered.length === 0 && failed !== undefined) throw failed.reason;
  return answered.flatMap((answer) => answer.value);
}
