import type { Address } from '@tradepost/solana';

export type PayoutParams = {
  readonly kind: 'payout';
  readonly items: readonly {
    readonly inviterId: string;
    readonly recipient: Address;
    readonly lamports: bigint;
  }[];
};
