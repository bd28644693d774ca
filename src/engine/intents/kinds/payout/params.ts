import type { Address } from '../../../../core/address/address.ts';

export type PayoutParams = {
  readonly kind: 'payout';
  readonly items: readonly {
    readonly inviterId: string;
    readonly recipient: Address;
    readonly lamports: bigint;
  }[];
};
