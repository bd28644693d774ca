import type { Address } from '@tradepost/solana';
import type { Guard, GuardRules } from './guard.ts';

/** An address that one wallet may pay. Times are epoch milliseconds. */
export type BookedAddress = {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly address: Address;
  readonly name: string;
  readonly addedAt: number;
};

/** Addresses of one wallet: more would not fit a screen, and an unread list protects no person. */
export const ADDRESSES_PER_WALLET = 20;

/** The first moment at which something may leave for the address. */
export function usableAt(
  entry: Pick<BookedAddress, 'addedAt'>,
  guard: Pick<Guard, 'delayFrom'>,
  rules: GuardRules,
): number {
  return Math.max(entry.addedAt, guard.delayFrom ?? 0) + rules.delayMs;
}
