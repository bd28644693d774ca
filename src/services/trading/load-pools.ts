import type { Address } from '../../core/address/address.ts';
import { isAppError } from '../../core/errors/app-error.ts';
import type { Pool, Venue } from '../../core/ports/venue.ts';

/**
 * Pools of all venues that hold both mints, each in its state now. A venue that cannot be asked is passed over as long as
 * another answers; when none does, the first foreseen failure (no endpoint answers) is thrown. A venue that fails in any
 * other way has a fault of its own and offers nothing: that is no reason to fail for whoever asks.
 */
export async function loadPools(
  venues: readonly Venue[],
  mintA: Address,
  mintB: Address,
): Promise<readonly Pool[]> {
  if (mintA === mintB) return [];
  const answers = await Promise.allSettled(venues.map((venue) => venue.pools(mintA, mintB)));
  const answered = answers.filter((answer) => answer.status === 'fulfilled');
  const failed = answers.find((answer) => answer.status === 'rejected' && isAppError(answer.reason));
  if (answered.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return answered.flatMap((answer) => answer.value);
}
