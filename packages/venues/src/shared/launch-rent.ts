import type { RentReader } from '../readers.ts';

/** Lamports that keep accounts of these sizes alive, by the cluster's own rate. */
export async function rentOf(chain: RentReader, sizes: readonly number[]): Promise<bigint> {
  const rents = await Promise.all(sizes.map((bytes) => chain.rentExemption(bytes)));
  return rents.reduce((sum, rent) => sum + rent, 0n);
}
