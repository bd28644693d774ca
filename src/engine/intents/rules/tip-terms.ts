import { type Address, minBigint } from '@tradepost/solana';
import type { SendBy, TippedSender } from '../../../platform/ports/sender.ts';
import { bidOf } from '../../fees/rules/bid.ts';

/** The tip that a person confirmed with a trade or a launch, and the sender that gets it. Lamports. */
export type TipTerms = Pick<SendBy, 'protects'> & {
  readonly sender: TippedSender;
  /** One of the sender's accounts. */
  readonly to: Address;
  /** Paid by the first attempt. */
  readonly lamports: bigint;
  /** Paid by any attempt at most; each after the first pays half as much again. */
  readonly atMost: bigint;
};

/** The tip of attempt number `n`, in lamports: never above the confirmed one. */
export function tipOfAttempt({ lamports, atMost }: TipTerms, n: number): bigint {
  return minBigint(atMost, bidOf(lamports, n));
}
