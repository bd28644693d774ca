import { type Lamports, lamports } from '@tradepost/solana';

/** Rent of so many bytes on a chain of before November 2026, and on most test chains. */
export const classicRent = (bytes: number): Lamports => lamports(BigInt(128 + bytes) * 6_960n);

/** The least that a plain account which holds anything holds there. */
export const CLASSIC_MINIMUM = classicRent(0);

/** `Chain.rentExemption` of such a chain. */
export const rentExemption = async (bytes: number): Promise<Lamports> => classicRent(bytes);
