import type {
  AlertRefusal,
  CopyRefusal,
  FollowRefusal,
  MetadataFault,
  NeededParts,
  OrderStatus,
  Pause,
  PersonalKeyRefusal,
  PinReason,
  PlacementRefusal,
  Rate,
  RecipientRefusal,
  SignalRefusal,
  TokenProblem,
  UiScale,
} from './details.ts';

/**
 * The catalogue: code → details. Plain data, no prose and no secrets; each transport words it in its own total map.
 * A published code is never renamed or reused.
 */
export interface ErrorDetails {
  /** Text that is not a base58 address of 32 bytes. */
  ADDRESS_INVALID: { readonly given: string };
  /** A free-text amount that is not a positive decimal. */
  AMOUNT_INVALID: {
    readonly given: string;
    readonly reason: 'not-a-number' | 'ambiguous' | 'negative' | 'zero' | 'too-many-decimals' | 'too-large';
    readonly decimals: number;
  };
  /** Free text that a field refuses: `field` names it, the limits are the expected ones. */
  TEXT_INVALID: { readonly field: 'wallet name'; readonly minLength: number; readonly maxLength: number };
  BPS_OUT_OF_RANGE: { readonly field: string; readonly min: number; readonly max: number };
  USER_NOT_FOUND: Record<never, never>;
  /** Only who is named in OPERATORS may do this. */
  NOT_OPERATOR: Record<never, never>;
  WALLET_REQUIRED: Record<never, never>;
  WALLET_NOT_FOUND: Record<never, never>;
  WALLET_LIMIT_REACHED: { readonly max: number };
  WALLET_NAME_TAKEN: { readonly name: string };
  /**
   * The name looks like `like`: the name of another wallet, of one that was deleted within 30 days, or "Main", which no
   * imported wallet may have.
   */
  NAME_RESERVED: {
    readonly name: string;
    readonly like: string;
    readonly reason: 'look-alike' | 'deleted' | 'renamed' | 'imported';
  };
  /** Deleting needs the wallet's own name typed, because it still holds something. */
  WALLET_NOT_EMPTY: { readonly name: string; readonly lamports: bigint; readonly tokens: number };
  WALLET_IN_USE: { readonly name: string; readonly openIntents: number };
  /** Spending would need `needed` lamports in all; the wallet holds `available`. */
  INSUFFICIENT_LAMPORTS: {
    readonly needed: bigint;
    readonly available: bigint;
    readonly amount: bigint;
    readonly fees: bigint;
    /** The largest `amount` that the wallet can pay for, and each smaller one too; absent where none is known. */
    readonly most?: bigint;
    /** The parts of `needed`; absent where it is not worked out part by part. */
    readonly parts?: NeededParts;
  };
  INSUFFICIENT_TOKENS: {
    readonly needed: bigint;
    /** The most that one transaction can take. */
    readonly available: bigint;
    readonly decimals: number;
    /** The sum in all accounts of the token, where one account has too little of it. */
    readonly together?: bigint;
    /** How the token shows its amounts, where it scales them. */
    readonly uiScale?: UiScale;
  };
  /** The account would be left with more than nothing and less than the rent-exempt minimum. */
  RENT_REMAINDER: {
    readonly left: bigint;
    readonly minimum: bigint;
    /** The largest amount that leaves the minimum at any fee; absent where no other amount helps, only a deposit. 0: only everything can leave. */
    readonly maxAmount?: bigint;
  };
  /** The recipient would hold less than the rent-exempt minimum: the chain refuses such a transfer. */
  RECIPIENT_BELOW_RENT: { readonly minimum: bigint; readonly wouldHold: bigint };
  RECIPIENT_IS_SELF: Record<never, never>;
  RECIPIENT_IS_MINT: { readonly address: string };
  RECIPIENT_IS_TOKEN_ACCOUNT: { readonly address: string; readonly owner: string };
  RECIPIENT_IS_PROGRAM: { readonly address: string };
  RECIPIENT_OFF_CURVE: { readonly address: string };
  /** The recipient's own token account takes no transfer of ours. */
  RECIPIENT_ACCOUNT_REFUSES: { readonly account: string; readonly reason: RecipientRefusal };
  TOKEN_NOT_FOUND: { readonly address: string };
  /** The address is an account that holds tokens; the mint it holds is named. */
  TOKEN_ACCOUNT_NOT_MINT: { readonly address: string; readonly mint: string };
  /** `reason` absent: its mint forbids it for ever. `hook`: a program of its issuer wants a say. `frozen`: the wallet's own account is. */
  TOKEN_NOT_TRANSFERABLE: { readonly mint: string; readonly reason?: 'paused' | 'hook' | 'frozen' };
  SAME_TOKEN: Record<never, never>;
  /** `within`: the filter of the caller, where there is one. */
  NO_ROUTE: { readonly mintIn: string; readonly mintOut: string; readonly within?: string };
  /** Nothing trades the pair as far as could be asked; these venues could not be. Asking again may help. */
  /** No pool is known yet, and the worker is searching the exchanges. */
  SEARCHING: { readonly retryAfterMs: number };
  VENUES_UNREACHABLE: { readonly venues: readonly string[] };
  INSUFFICIENT_LIQUIDITY: { readonly mintIn: string; readonly mintOut: string };
  /** The amount is so small that nothing would come back. */
  /** `minimum` in units of `mint`, of SOL where that is not said; null where it is not known. */
  AMOUNT_DUST: { readonly minimum: bigint | null; readonly mint?: string };
  /** The pools take at most `maximum` units of `mint` at once. */
  AMOUNT_ABOVE_DEPTH: { readonly maximum: bigint; readonly mint: string };
  /** Something would come out, by a way that no transaction holds. */
  /** `fitsVersion`: a transaction of this version would hold it; absent where none does, and where that is not known. */
  ROUTE_TOO_LARGE: { readonly mintIn: string; readonly mintOut: string; readonly fitsVersion?: 1 };
  PRICE_IMPACT_TOO_HIGH: { readonly impactBps: number; readonly maxBps: number };
  /** The market moved past the user's confirmed minimum. Nothing was signed. */
  PRICE_MOVED: { readonly minOut: bigint; readonly got: bigint };
  SIMULATION_FAILED: { readonly err: string; readonly logs: readonly string[] };
  /** The signing policy refused; `rule` names the rule. */
  POLICY_DENIED: { readonly rule: string };
  SIGNING_PAUSED: Record<never, never>;
  /** An operator has paused the requested act. `until` is epoch milliseconds, null = until it is resumed. */
  PAUSED: Pause;
  /** A withdrawal or an export needs a PIN, and the person has none yet. */
  PIN_REQUIRED: Record<never, never>;
  /** Not six digits, or six that a thief tries first. Costs no try. */
  PIN_UNSUITABLE: { readonly reason: 'shape' | 'weak' | 'code' };
  PIN_WRONG: { readonly triesLeft: number; readonly withCode: boolean };
  /** This spending needs the PIN first. Lamports per 24 hours. */
  TRADE_PIN: { readonly reasons: readonly PinReason[]; readonly cap: bigint; readonly left: bigint };
  /** The PIN was set so lately that it unlocks no trades yet. */
  PIN_TOO_NEW: { readonly until: number };
  /**
   * A key file cannot be asked for or taken now. `asked`: it waits until `until`. `open`: another one is on its way until then.
   * `stopped`: the person stopped one, and none can be asked for before. `over`: it was taken, stopped, or is too old.
   */
  EXPORT_WAITS:
    | { readonly why: 'asked' | 'open' | 'stopped'; readonly until: number }
    | { readonly why: 'over' };
  /** Too many wrong tries. `until` is epoch milliseconds. */
  PIN_LOCKED: { readonly until: number };
  /** The person froze everything. `until` = when the unlocking that was asked for takes effect; null = not asked for. */
  ACCOUNT_FROZEN: { readonly until: number | null };
  /** The address left the address book, or is not old enough. */
  ADDRESS_NOT_READY: { readonly until: number | null };
  /** The address book of a wallet is full. */
  ADDRESS_BOOK_FULL: { readonly max: number };
  /** More than may leave within 24 hours. */
  DAILY_CAP: { readonly needed: bigint; readonly available: bigint; readonly cap: bigint };
  /** The token's value is unknown, and the person has no second factor to confirm the act. */
  UNPRICED_TOKEN: Record<never, never>;
  /** More withdrawals of tokens without a price than are allowed within 24 hours. */
  /** More than may be spent within 24 hours, even with the PIN: in all, or on doubted tokens. */
  SPENDING_LIMIT: {
    readonly needed: bigint;
    readonly available: bigint;
    readonly cap: bigint;
    readonly of: 'all' | 'doubted';
  };
  DAILY_COUNT: { readonly max: number };
  /** So many of this kind of act within a span, and no more. `until`: when the next one is possible. */
  /** `shape`: it is no address. `same`: it is the one in force, or the one that waits. `no-server`: no mail leaves this service. */
  NOTICE_MAIL_REFUSED: { readonly reason: 'shape' | 'same' | 'no-server' };
  ACT_LIMIT: { readonly rate: Rate; readonly max: number; readonly spanMs: number; readonly until: number };
  /** Not a secret key in any of the forms that are read. */
  KEY_UNREADABLE: Record<never, never>;
  /** The wallet of this key is kept by the service already. */
  WALLET_KNOWN: Record<never, never>;
  /** `passphrase`: wrong passphrase or changed file. `format`: no backup file, or one of a version that is not read. */
  BACKUP_UNREADABLE: { readonly reason: 'passphrase' | 'format' };
  PASSPHRASE_UNSUITABLE: { readonly minLength: number; readonly maxLength: number };
  /** A creator's words about a token cannot become a document; every fault at once. */
  /** Everything that keeps a token from being made, at once. */
  TOKEN_REQUEST_INVALID: { readonly problems: readonly TokenProblem[] };
  /** This authority of the token has no holder any more, or its creator never kept it. */
  /** A token's supply is there already: the rest of its creation has been done. */
  MINT_FILLED: { readonly mint: string };
  /** No token account of the wallet is empty and can be closed. */
  NOTHING_TO_CLEAN_UP: Record<never, never>;
  /** New accounts of this token start frozen, and giving up the freeze authority would leave them so for ever. */
  FROZEN_FOR_EVER: { readonly mint: string };
  AUTHORITY_GONE: { readonly mint: string; readonly authority: 'mint' | 'freeze' | 'update' };
  METADATA_INVALID: { readonly faults: readonly MetadataFault[] };
  /** Documents and pictures need a public address, and PUBLIC_URL is not set. */
  PUBLIC_URL_UNKNOWN: Record<never, never>;
  /** The cluster does not have this launchpad, or it takes no launches now. */
  /** More than one transaction holds; `maxUriBytes` 0 = no link is short enough. */
  LAUNCH_TOO_LARGE: { readonly pad: string; readonly hasFirstBuy: boolean; readonly maxUriBytes: number };
  LAUNCHPAD_UNAVAILABLE: { readonly pad: string };
  /** Pictures have used up the room that the operator gives them. */
  METADATA_STORE_FULL: { readonly maxBytes: number };
  /** The pinning service did not take the file. Nothing points at it yet. */
  PINNING_FAILED: { readonly cause: string };
  /** `format`: no JPEG, PNG, WebP or GIF. `broken`: one that cannot be decoded. `pixels`: more than are decoded. */
  PICTURE_UNREADABLE: { readonly reason: 'format' | 'broken' | 'pixels' };
  PICTURE_TOO_LARGE: { readonly maxBytes: number };
  INTENT_NOT_FOUND: Record<never, never>;
  /** Why an order is not taken; nothing was stored. */
  ORDER_REFUSED: PlacementRefusal;
  ALERT_REFUSED: AlertRefusal;
  ALERT_NOT_FOUND: Record<never, never>;
  FOLLOW_REFUSED: FollowRefusal;
  FOLLOW_NOT_FOUND: Record<never, never>;
  SIGNAL_REFUSED: SignalRefusal;
  /** A part of a typed filter that is no condition. */
  FILTER_INVALID: { readonly given: string };
  GROUP_NOT_YOURS: Record<never, never>;
  COPY_REFUSED: CopyRefusal;
  PERSONAL_KEY_REFUSED: PersonalKeyRefusal;
  PERSONAL_KEY_NOT_FOUND: Record<never, never>;
  /** A signed request of a personal key that the signer does not confirm, though its signature is right. */
  KEY_REQUEST_REFUSED: { readonly why: 'time' | 'replayed' | 'ended' | 'day-cap' };
  ORDER_NOT_FOUND: Record<never, never>;
  /** It is over, or on its way: the requested change is not possible any more. */
  ORDER_NOT_CHANGEABLE: { readonly number: number; readonly status: OrderStatus };
  /** A one-use button was used before, is expired, or belongs to another person. */
  BUTTON_STALE: Record<never, never>;
  REFERRAL_REQUIRED: Record<never, never>;
  /** A chosen referral code that cannot be had. */
  REFERRAL_CODE_REFUSED: { readonly reason: 'shape' | 'reserved' | 'taken' | 'same' };
  /** Choosing a code takes a voucher of the shop here. */
  REFERRAL_CODE_VOUCHER: Record<never, never>;
  POINTS_SHORT: { readonly needed: bigint; readonly available: bigint };
  /** The shop no longer has the item at the price on the screen. */
  OFFER_CHANGED: Record<never, never>;
  SOLD_OUT: Record<never, never>;
  /** One person has had as many as there are for one person. */
  SHOP_LIMIT: { readonly max: number };
  /** Items that are worth money ask for a finalized trade first. */
  SHOP_NEEDS_TRADE: Record<never, never>;
  /** Not a stake of the game: from `min` to `max` in steps of `step`. */
  STAKE_INVALID: { readonly min: bigint; readonly max: bigint; readonly step: bigint };
  /** More than may be staked at a game per UTC day; `left` can still be. */
  STAKES_USED_UP: { readonly left: bigint; readonly max: bigint };
  /** No convert period takes points now, or not this one any more. */
  CONVERT_CLOSED: Record<never, never>;
  /** Fewer points than are converted at once. */
  CONVERT_MINIMUM: { readonly min: bigint };
  MISSION_UNKNOWN: Record<never, never>;
  MISSION_UNDONE: { readonly progress: number; readonly target: number };
  /** The chain could not be asked. Nothing was sent. */
  CHAIN_UNREACHABLE: { readonly endpoint: string; readonly cause: string };
  /** It is not known whether the bytes arrived: never reported as a failure. */
  SEND_UNKNOWN: { readonly signature: string };
  DATABASE_UNREACHABLE: { readonly cause: string };
  /** A replica that could be promoted may lack the last commits. Nothing was signed. */
  DATABASE_REPLICA_ASYNC: { readonly cause: string };
  /** It is committed on one server and may be on no standby: never reported as done, nor as undone. */
  COMMIT_NOT_REPLICATED: { readonly cause: string };
  /** The disk under the database is full. Nothing was changed. */
  DATABASE_FULL: { readonly cause: string };
  /** The database has no memory or no connection left. Nothing was changed. */
  DATABASE_BUSY: { readonly cause: string };
  /** The database takes no writes: a replica, or one that is set so. Nothing was changed. */
  DATABASE_READ_ONLY: { readonly cause: string };
  /** This process's clock and the database's are apart by more than five seconds: nothing is begun until they agree. */
  CLOCK_OFF: { readonly aheadMs: number };
  QUEUE_UNREACHABLE: { readonly cause: string };
  KEK_UNAVAILABLE: { readonly cause: string };
  /** The process that holds the keys could not be asked, or did not answer in time. Nothing is known to have been signed. */
  SIGNER_UNAVAILABLE: { readonly cause: string };
  SECRET_UNREADABLE: { readonly walletId: string };
  /** The signer's journal cannot be written or flushed. Nothing was signed. */
  JOURNAL_FULL: { readonly cause: string };
  /** Another process writes the same journal. Nothing was signed. */
  JOURNAL_TAKEN: { readonly cause: string };
  /** A line of the journal was changed or is missing; `after` = the last one that is as it was written. */
  JOURNAL_BROKEN: { readonly file: string; readonly after: number; readonly cause: string };
  /** The database has seen later lines than the journal holds: it is an older copy. */
  JOURNAL_BEHIND: { readonly journal: number; readonly database: number };
  /** A database that something was signed for, and no journal of it. */
  JOURNAL_MISSING: { readonly folder: string };
  /** The database is older than the journal. Nothing is signed until the books were compared with the chain. */
  SIGNING_FENCED: Record<never, never>;
  /** The intent is older than the journal remembers. */
  INTENT_TOO_OLD: { readonly days: number };
  /** The database may lose confirmed writes, so nothing is signed on its word. */
  DATABASE_FORGETFUL: { readonly cause: string };
  /** A stored value that no release wrote, or that a later one wrote: `field` of `row` in `table`. The value itself is never shown. */
  ROW_INVALID: {
    readonly table: string;
    readonly row: string;
    readonly field: string;
    readonly expected: string;
  };
  /** The signer did not write this person, this wallet's owner, this guard, this order or this period: the certificate is missing or of other facts, or its journal says otherwise. */
  ROW_FORGED: {
    readonly table:
      | 'users'
      | 'wallets'
      | 'orders'
      | 'copies'
      | 'exports'
      | 'guards'
      | 'address_book'
      | 'convert_periods'
      | 'personal_keys';
    readonly row: string;
  };
  CONFIG_INVALID: { readonly problems: readonly string[] };
}

export type ErrorCode = keyof ErrorDetails;
