/**
 * Why a token request is refused, as data: each transport words it. `field` is the request's own name, nested ones with a
 * dot. A published code is never renamed.
 */
export type TokenProblem = { readonly field: string } & (
  | { readonly code: 'FIELD_REQUIRED' }
  | { readonly code: 'ADDRESS_INVALID' }
  /** Derived by a program: nobody holds a key that could sign. */
  | { readonly code: 'ADDRESS_NOT_A_WALLET' }
  /** Two roles that cannot be one address. */
  | { readonly code: 'ADDRESS_CONFLICT'; readonly other: string }
  | { readonly code: 'TEXT_TOO_LONG'; readonly maxBytes: number }
  /** Control, invisible or direction-changing characters, or space at an end. */
  | { readonly code: 'TEXT_UNPRINTABLE' }
  | { readonly code: 'PROGRAM_UNKNOWN' }
  | { readonly code: 'DECIMALS_OUT_OF_RANGE'; readonly max: number }
  | { readonly code: 'SUPPLY_INVALID' }
  /** `maxWhole`: the most whole tokens that fit with these decimals. */
  | { readonly code: 'SUPPLY_TOO_LARGE'; readonly maxWhole: bigint; readonly decimals: number }
  | { readonly code: 'MINT_TO_REQUIRED' }
  | { readonly code: 'NEEDS_TOKEN2022' }
  | { readonly code: 'TRANSFER_FEE_INCOMPLETE' }
  | { readonly code: 'TRANSFER_FEE_OUT_OF_RANGE' }
  | { readonly code: 'TRANSFER_FEE_MAX_INVALID' }
  | { readonly code: 'INTEREST_INCOMPLETE' }
  | { readonly code: 'INTEREST_OUT_OF_RANGE' }
  | { readonly code: 'ACCOUNT_STATE_INVALID' }
  | { readonly code: 'FROZEN_NEEDS_FREEZE_AUTHORITY' }
  | { readonly code: 'NON_TRANSFERABLE_WITH_FEE' }
  | { readonly code: 'URI_INVALID' }
  | { readonly code: 'LINK_INVALID'; readonly schemes: readonly string[] }
  | { readonly code: 'TAGS_TOO_MANY'; readonly max: number }
  /** A token account or a mint: tokens go to the wallet behind it. */
  | { readonly code: 'RECIPIENT_IS_TOKEN_ACCOUNT' }
  /** Something stands at the mint's address already. */
  | { readonly code: 'MINT_EXISTS' }
  /** All settings together do not fit one transaction; a URI of at most `maxBytes` would. */
  | { readonly code: 'TRANSACTION_TOO_LARGE'; readonly maxBytes: number }
);
