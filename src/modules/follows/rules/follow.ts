import type { Address } from '@tradepost/solana';
import { HOUR_LIMITS, type ToldHour } from './told-hour.ts';

/** A wallet whose trades a person hears of. It tells and trades nothing. */
export type Follow = ToldHour & {
  readonly id: string;
  readonly userId: string;
  /** The wallet that is followed. */
  readonly leader: Address;
  readonly label: string;
  /** Trades that are worth less are no messages; 0 = all. */
  readonly minLamports: bigint;
  /** Whether trades are messages; they are listed either way. */
  readonly notices: boolean;
  readonly createdAt: number;
};

export const FOLLOW_LIMITS = {
  perPerson: 20,
  /** Notices of one followed wallet. */
  ...HOUR_LIMITS,
} as const;

/** Whether the person wants to hear of a trade of this worth. Where it is not known, a person who wants all trades hears of it. */
export function isWanted(
  { notices, minLamports, createdAt }: Follow,
  trade: { readonly lamports: bigint | null; readonly at: number },
): boolean {
  if (!notices || trade.at < createdAt) return false;
  return minLamports === 0n || (trade.lamports !== null && trade.lamports >= minLamports);
}
