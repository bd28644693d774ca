/** The words that errors carry, and that the nouns they come from speak: here, so that no noun is below the catalogue. */

/** `venue:orca-whirlpool`, `aggregator:jupiter`: the part behind the colon is the name that routes show. */
export type PartSwitch = `venue:${string}` | `aggregator:${string}`;
/** Each part of the product that an operator can pause. */
export type Switch =
  | 'signing'
  | 'trading'
  | 'orders'
  | 'withdrawals'
  | 'exports'
  | 'payouts'
  | 'creation'
  | 'launches'
  | 'games'
  | 'api'
  | PartSwitch;

/** Why an alert is not taken. Nothing is stored then. */
export type AlertRefusal = { readonly kind: 'too-many'; readonly max: number };
/** `max`: wallets that one person may follow. */
export type FollowRefusal = {
  readonly kind: 'no-wallet' | 'own' | 'twice' | 'too-many';
  readonly max: number;
};

/** `wallets`, `span`: no such number of wallets or time. `followed`: the person follows fewer wallets than the signal takes. */
export type SignalRefusal =
  | { readonly kind: 'wallets'; readonly least: number; readonly most: number }
  | { readonly kind: 'span' }
  | { readonly kind: 'followed'; readonly wallets: number; readonly followed: number };

/** `off`: this service copies nothing. `too-many`: copies of one person. Others: the rule that does not fit. */
export type CopyRefusal = {
  readonly kind: 'off' | 'too-many' | 'size' | 'trade-cap' | 'day-cap' | 'total-cap' | 'least' | 'accepted';
};

/**
 * `off`: this service takes no requests of personal keys. `public-key`: no key that can sign. `known`: the person has it already. `too-many`:
 * keys of one person. Others: the term that does not fit.
 */
export type PersonalKeyRefusal = {
  readonly kind:
    | 'off'
    | 'public-key'
    | 'known'
    | 'too-many'
    | 'rights'
    | 'order-cap'
    | 'day-cap'
    | 'tokens'
    | 'ips';
};

/**
 * Why a token request is refused, as data: each transport words it. `field` is the request's own name, nested ones with a
 * dot. A published code is never renamed.
 */
export type TokenProblem = { readonly field: string } & (
  | { readonly code: 'FIELD_REQUIRED' }
  | { readonly code: 'ADDRESS_INVALID' }
  /** Derived by a program: no key can sign for it. */
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
  /** The mint's address is in use already. */
  | { readonly code: 'MINT_EXISTS' }
  /** All settings together do not fit one transaction; a URI of at most `maxBytes` would. */
  | { readonly code: 'TRANSACTION_TOO_LARGE'; readonly maxBytes: number }
);

/** One thing that is wrong: the field as the API names it, and the limit that was broken. */
export type MetadataFault =
  | { readonly field: string; readonly code: 'TOO_LONG'; readonly maxBytes: number }
  | { readonly field: string; readonly code: 'NOT_A_LINK'; readonly schemes: readonly string[] }
  | { readonly field: string; readonly code: 'TOO_MANY'; readonly max: number }
  | { readonly field: string; readonly code: 'CONTROL_CHARACTER' };

/** Of an order. */
export type OrderSide = 'buy' | 'sell';

/** There is no FAILED: an order that cannot act now is OPEN or PAUSED with a reason. */
export type OrderStatus = 'WAITING' | 'OPEN' | 'TRIGGERED' | 'PAUSED' | 'FILLED' | 'CANCELLED' | 'EXPIRED';

export type PriceUnit = 'SOL' | 'USD';

/** Why an order is not taken. Nothing is stored then; each transport words it. */
export type PlacementRefusal =
  | {
      readonly kind:
        | 'price-invalid'
        | 'price-ambiguous'
        | 'cap-invalid'
        | 'supply-zero'
        | 'amount-invalid'
        | 'mint-is-sol'
        | 'no-market'
        | 'entry-unknown'
        | 'band-unit'
        | 'no-default'
        | 'nothing-held'
        /** Of an exit that waits for a sale of the creator, or for a fall of liquidity. */
        | 'dev-unknown'
        | 'dev-unfollowed'
        | 'liquidity-unknown'
        | 'liquidity-step';
    }
  /** Stops that sell the rest of the position already; `ids` name them where the new one may replace them. */
  | { readonly kind: 'stop-stands'; readonly numbers: readonly number[]; readonly ids: readonly string[] }
  /** A stop that sells now. */
  | { readonly kind: 'stop-fires'; readonly number: number }
  /** `decimals` of the token or SOL that it would get. */
  | {
      readonly kind: 'already-true';
      readonly side: OrderSide;
      readonly decimals: number;
      readonly wouldGet: bigint;
    }
  | { readonly kind: 'tolerance-out-of-range'; readonly maxBps: number }
  /** In the unit of the trigger; a floor above it would keep the stop from ever selling. */
  | { readonly kind: 'floor-above-trigger' }
  /** A floor in another unit than its trigger cannot be compared with it. */
  | { readonly kind: 'floor-unit'; readonly unit: PriceUnit }
  | { readonly kind: 'too-small' | 'round-too-small'; readonly minimumLamports: bigint }
  | { readonly kind: 'amount-over-supply'; readonly supply: bigint }
  | { readonly kind: 'impact-too-high'; readonly impactBps: number; readonly maxBps: number }
  | { readonly kind: 'trail-out-of-range'; readonly minBps: number; readonly maxBps: number }
  | { readonly kind: 'expiry-out-of-range'; readonly maxMs: number }
  | { readonly kind: 'rhythm-invalid' }
  | { readonly kind: 'too-many-orders'; readonly max: number; readonly per: 'token' | 'person' }
  | {
      readonly kind: 'interval-out-of-range' | 'rounds-out-of-range';
      readonly min: number;
      readonly max: number;
    }
  | {
      readonly kind: 'legs-invalid';
      readonly reason: 'none' | 'too-many' | 'shares-over-whole' | 'take-profit-below-stop' | 'event-twice';
    };

/** Why a recipient's token account cannot take a transfer of ours. */
export type RecipientRefusal = 'other-owner' | 'frozen' | 'frozen-when-made' | 'needs-memo' | 'private-only';

/**
 * How a Token-2022 mint asks for its units to be shown: `shown = units × numerator ÷ denominator`, with the mint's own decimals.
 * Only a way of showing: signatures, rows, comparisons and the API have units.
 */
export type UiScale = { readonly numerator: bigint; readonly denominator: bigint };

/**
 * Why a trade takes the PIN. `steep`: a sale that was agreed may bring less than 85 % of the price at which it happens. `fallen`: less
 * than 85 % of the price of the last hour, or of now where it happens later. `cap`: more than may be spent within 24 hours without
 * a PIN.
 */
export type PinReason = Doubt | 'steep' | 'fallen' | 'cap';

export type Doubt = 'young' | 'home-made' | 'poor-exit';

/** Acts that count together within a span. */
export type Rate =
  | 'withdraw'
  | 'export'
  | 'order'
  | 'import'
  | 'switch'
  | 'payout-wallet'
  | 'rename'
  | 'pin-change'
  | 'settings'
  | 'referral-code'
  | 'api-keys'
  | 'key-ask'
  | 'notice-mail'
  | 'mail-code';

/** The paused part, why, since and until when: epoch milliseconds, null = until an operator resumes it. */
export type Pause = {
  readonly what: Switch;
  readonly reason: string;
  readonly since: number;
  readonly until: number | null;
};

/** Lamports that a swap needs, by their purpose. */
export type NeededParts = {
  /** SOL that is sold. */
  readonly amount: bigint;
  /** Rent of accounts that stay open. */
  readonly accountRent: bigint;
  /** The most that the network may take. */
  readonly networkFee: bigint;
  /** Paid to a sender of transactions. */
  readonly tip: bigint;
  /** Comes back or stays: the rent of an account that is closed again, or the least that a wallet keeps. */
  readonly temporary: bigint;
};
