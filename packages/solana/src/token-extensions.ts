import type { Address } from './address.ts';

/** Token-2022 powers that matter to a holder; all absent for a plain SPL token. */
export type TokenExtensions = {
  readonly transferFee: TransferFee | null;
  readonly permanentDelegate: Address | null;
  readonly defaultFrozen: boolean;
  readonly nonTransferable: boolean;
  readonly transferHook: Address | null;
  readonly mintCloseAuthority: Address | null;
  readonly pausable: boolean;
  /** Its issuer has paused all transfers, as of the moment it was read. Absent: no. */
  readonly paused?: boolean;
  readonly interestBearing: boolean;
  /** Its authority may change at any time how a unit is shown. Absent: no. */
  readonly scaledAmounts?: boolean;
  readonly confidentialTransfer: boolean;
};

/** A plain token's. */
export const NO_TOKEN_POWERS: TokenExtensions = {
  transferFee: null,
  permanentDelegate: null,
  defaultFrozen: false,
  nonTransferable: false,
  transferHook: null,
  mintCloseAuthority: null,
  pausable: false,
  interestBearing: false,
  confidentialTransfer: false,
};

/** The fee schedule: `older` before `newerEpoch`, `newer` from it on. */
export type TransferFee = {
  readonly authority: Address | null;
  readonly older: TransferFeeRate;
  readonly newer: TransferFeeRate;
  readonly newerEpoch: bigint;
};

export type TransferFeeRate = { readonly bps: number; readonly maximum: bigint };
