import type { Address, ChainAccount, Instruction, Lamports } from '@tradepost/solana';
import type { LookupTable } from '../../engine/lookup-tables/rules/lookup-table.ts';
import type { Holding, Token, TokenHolding } from '../../modules/tokens/rules/token.ts';
import type { SendBy } from './sender.ts';

/**
 * The cluster as the product uses it. Implementations fail over between endpoints on reads; every method throws
 * CHAIN_UNREACHABLE when no endpoint answers. Source of truth: the Solana JSON-RPC specification.
 */
export interface Chain {
  /** Lamports at `confirmed`; 0 when the account does not exist. */
  balance(address: Address): Promise<Lamports>;
  /**
   * Raw accounts at `confirmed` in the order asked, null where missing, read in batches of 100; `slot` is the lowest context slot. At
   * `processed` they are a slot newer and may be rolled back: for a price that its giver signs, and never for a balance.
   */
  accounts(
    addresses: readonly Address[],
    level?: 'confirmed' | 'processed',
  ): Promise<{ readonly slot: bigint; readonly accounts: readonly (ChainAccount | null)[] }>;
  /**
   * Every token the owner holds under both token programs, summed per mint, largest raw amount first; zero balances included. A holding
   * that an earlier look or the books show, and the node's list lacks, is read by its address; `ofCutList` says that the list lacked it.
   * `passing`: on behalf of a stranger, so the look is not remembered.
   */
  holdings(owner: Address, how?: { readonly passing: boolean }): Promise<readonly TokenHolding[]>;
  /**
   * The owner's units of one mint, summed over all accounts of it as `holdings` sums them; nothing where it is no mint. The one reader of a
   * balance that is shown: an associated account alone may be a part of it.
   */
  holding(owner: Address, mint: Address): Promise<Holding>;
  /** The mint with its metadata, or null when the address is not a mint. Mint data may be cached; supply may lag by seconds. */
  token(mint: Address): Promise<Token | null>;
  /**
   * Lamports that make an account of `bytes` data rent-exempt, by the present rent. It falls and rises while running, so it is asked for
   * where it is used and stored nowhere. Kept for ten seconds at most, and not beyond a simulation that failed for its rent. For an account
   * that is there already, only `accounts` gives its lamports.
   */
  rentExemption(bytes: number): Promise<Lamports>;
  /**
   * Whether the cluster takes transactions of version 1, by the account of its feature, and the operator lets them be built. Kept for ten
   * minutes. False where the node does not tell.
   */
  takesVersion1(): Promise<boolean>;
  /**
   * Milliseconds of a slot, measured from the heights that nodes report; 200 before anything was measured. It changes while running, so it
   * is asked for where it is used.
   */
  slotMs(): number;
  /** A blockhash fetched at `confirmed`, with the slot it was read at. */
  latestBlockhash(): Promise<Blockhash>;
  /**
   * A blockhash for an attempt of ours, which shall die soon where it does not land: of those that were heard, one that has half its life
   * left and at least fifteen seconds; the newest where none is known. It is heard by a beat, not asked for. With `leastBlocks` the one
   * that ends first and is taken for that many blocks more.
   */
  agedBlockhash(leastBlocks?: bigint): Promise<Blockhash>;
  /** The epoch that transfer-fee schedules are judged by, at `confirmed`. */
  epoch(): Promise<bigint>;
  /** Micro-lamports per compute unit at `percentile` of recent slots for transactions that write these accounts. */
  priorityPrice(writable: readonly Address[], percentile: number): Promise<bigint | null>;
  /** Runs an unsigned message against `confirmed` state without checking signatures. Never changes anything. */
  simulate(message: Uint8Array, watch: readonly Address[]): Promise<Simulation>;
  /**
   * Hands over bytes that are already committed to the database, by the way that was confirmed for them; else to the nodes. Never retries
   * and never signs.
   */
  send(signedTransaction: Uint8Array, by?: SendBy): Promise<SendOutcome>;
  /** The statuses of up to 256 signatures, without searching history: absent means "not seen lately", never "dead". */
  statuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | null)[]>;
  /**
   * One round of the death test against ONE endpoint: first the finalized block height, then the signature's status with
   * history. `round` picks the endpoint (round-robin), so that consecutive rounds ask different ones where there are several.
   */
  probe(signature: string, round: number): Promise<DeathProbe>;
  /**
   * One endpoint's word on whether a signature landed: its status with history, then the transaction as that endpoint serves it. `round` as
   * above. The answer of an endpoint of another network does not count: CHAIN_UNREACHABLE.
   */
  testimony(signature: string, round: number): Promise<Testimony>;
  /**
   * Up to 100 accounts from one endpoint of another host than the source of the last balance, at `confirmed`, in the order asked; null
   * where there is no other host.
   */
  secondWord(addresses: readonly Address[]): Promise<readonly (ChainAccount | null)[] | null>;
  /** A landed transaction at `confirmed` or better, or null while the endpoint does not serve it. */
  landed(signature: string): Promise<LandedTransaction | null>;
  /** Identifies the cluster. Every endpoint that answers must name the same one. */
  genesisHash(): Promise<string>;
}

/** The blockhash of height h is taken until h + 150. */
export const BLOCKHASH_LIFE = 150n;

export type Blockhash = {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  readonly slot: bigint;
  /** Milliseconds for which it is taken from now on, as blocks were measured; as on the fastest network before that. */
  readonly livesMs: number;
};

export type Simulation = {
  /** The chain's error as JSON text, null when it would succeed. */
  readonly err: string | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
  /** Bytes of all accounts and programs that it loaded, as the cluster counts them; null where the node does not tell. */
  readonly loadedBytes: number | null;
  /** The watched accounts as they would be afterwards, in the order asked; null where missing. */
  readonly after: readonly (ChainAccount | null)[];
  readonly slot: bigint;
};

/** `unknown` covers every lost answer: the bytes may have arrived. */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'already-processed' }
  /** The endpoint's preflight refused: these bytes did not leave it, but an earlier send may still land. */
  | { readonly kind: 'refused'; readonly err: string; readonly logs: readonly string[] }
  | { readonly kind: 'unknown'; readonly cause: string };

export type SignatureStatus = {
  readonly slot: bigint;
  readonly level: 'processed' | 'confirmed' | 'finalized';
  readonly err: string | null;
};

export type DeathProbe = {
  readonly endpoint: string;
  readonly endpoints: number;
  readonly finalizedHeight: bigint;
  readonly finalizedSlot: bigint;
  /** Status found by the history search that followed, and the slot that answer was made at. */
  readonly status: SignatureStatus | null;
  readonly statusSlot: bigint;
  readonly firstAvailableBlock: bigint;
};

export type Testimony = {
  readonly endpoint: string;
  readonly endpoints: number;
  /** Null: its history does not hold the signature. */
  readonly status: SignatureStatus | null;
  /** Null while it does not serve it, and when it does not know it. */
  readonly transaction: LandedTransaction | null;
};

export type LandedTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  readonly blockTime: number | null;
  readonly err: string | null;
  readonly feeLamports: bigint;
  readonly logs: readonly string[];
  /** Per account of the resolved message, lookup tables included. */
  readonly balances: readonly {
    readonly address: Address;
    readonly before: bigint;
    readonly after: bigint;
  }[];
  readonly tokenBalances: readonly {
    readonly account: Address;
    readonly owner: Address;
    /** Whose the account is afterwards, where the transaction gave the account itself away. */
    readonly newOwner?: Address;
    readonly mint: Address;
    readonly before: bigint;
    readonly after: bigint;
  }[];
  readonly signatureCount: number;
  /** The texts of its memo instructions, in order; anybody can write anything there. Absent where they were not read. */
  readonly memos?: readonly string[];
};

/** Compiles plain instructions. Pure: no network. */
export interface MessageCompiler {
  /**
   * A message whose payer signs first, of version 0 where `version1` is left out. In version 1 the instructions of the compute budget become
   * its config, because there they do nothing. Throws a RangeError when it cannot fit a transaction of its version.
   */
  compile(input: {
    readonly payer: Address;
    readonly instructions: readonly Instruction[];
    readonly blockhash: string;
    /** Accounts found in these tables, signers and programs apart, take a byte instead of 32. Version 1 has no tables. */
    readonly lookupTables?: readonly LookupTable[];
    readonly version1?: Version1Limits;
  }): CompiledMessage;
  /** Wire bytes of the message with its signatures, which must cover exactly the required signers. */
  assemble(message: CompiledMessage, signatures: ReadonlyMap<Address, Uint8Array>): Uint8Array;
}

/** The request of a message of version 1 that no instruction carries. */
export type Version1Limits = {
  /** Bytes of accounts and programs that the transaction may load. */
  readonly loadedBytes: number;
};

export type CompiledMessage = {
  readonly bytes: Uint8Array;
  readonly version: 0 | 1;
  /** Instructions that became its config: so much earlier is each of those behind them. 0 in version 0. */
  readonly dropped: number;
  /** Required signers in message order; the first pays. */
  readonly signers: readonly Address[];
  /** Those from lookup tables included. */
  readonly writable: readonly Address[];
};
