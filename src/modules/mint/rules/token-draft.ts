import type { TokenMetadata } from './token-document.ts';

/**
 * A request for a token as a person or a program words it, unchecked: the fields of `POST /token` under their own names. The
 * payer is the creator: it pays and holds the authorities that are kept. Source of truth: the specification of POST /token.
 */
export type TokenDraft = {
  readonly payer: string;
  readonly symbol?: string;
  readonly newMint?: string;
  /** The symbol when absent. */
  readonly name?: string;
  /** Wins over `metadata`. */
  readonly metadataUri?: string;
  readonly metadata?: TokenMetadata;
  readonly decimals?: number;
  /** Whole tokens as decimal digits. */
  readonly mintSupply?: string;
  readonly mintToPubkey?: string;
  readonly mintAuthority?: boolean;
  readonly freezeAuthority?: boolean;
  /** Whether the metadata can be changed later. Not part of the REST request, where it always can. */
  readonly updateAuthority?: boolean;
  readonly program?: string;
  readonly transferFeeConfigAuthority?: string;
  readonly transferFeeWithdrawalAuthority?: string;
  readonly transferFeeBps?: number;
  /** Smallest units as decimal digits. */
  readonly transferFeeMax?: string;
  readonly permanentDelegate?: string;
  readonly defaultAccountState?: { readonly state?: string };
  readonly interestBearingAuthority?: string;
  /** Percent a year, at most two decimals. */
  readonly interestBearingPercent?: number;
  readonly mintCloseAuthority?: string;
  readonly nonTransferableMint?: boolean;
};

export type DraftField = keyof TokenDraft;
