import { divCeil } from '@tradepost/solana';

const MICRO = 1_000_000n;

/** Lamports that the network takes as priority for so many units at a price in micro-lamports, rounded up as the network rounds. */
export function priorityFee(units: bigint, microLamportsPerUnit: bigint): bigint {
  return divCeil(units * microLamportsPerUnit, MICRO);
}
