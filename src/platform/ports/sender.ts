import type { Address } from '@tradepost/solana';
import type { SendOutcome } from './chain.ts';

/** The senders beside the nodes that take a tip. */
export const TIPPED_SENDERS = ['jito', 'sender'] as const;
export type TippedSender = (typeof TIPPED_SENDERS)[number];

/** A way on which signed bytes reach the leader. */
export interface Sender {
  readonly name: TippedSender | 'rpc';
  /** Whether bytes that are handed to it alone are public only after they land, and land whole or not at all. */
  readonly protects: boolean;
  /** Versions of transactions that it takes. */
  readonly versions: readonly (0 | 1)[];
  /** Lamports that the tip must be at least; 0 where none is wanted. */
  readonly minTip: bigint;
  /** Where a tip of its may go; none where none is wanted. */
  readonly tipAccounts: readonly Address[];
  /** Hands over the bytes. Never retries. Throws CHAIN_UNREACHABLE where they left nowhere. */
  send(bytes: Uint8Array): Promise<SendOutcome>;
  /** The tip that lands at present, in lamports: `minTip` at least. Throws where it does not answer. */
  tip(): Promise<bigint>;
}

/** The sender that a person's transaction goes to; without one it goes to the nodes. */
export type SendBy = {
  /** By name; one that is not configured takes nothing. */
  readonly sender: string;
  /** True: to that sender alone, which protects it. False: to the nodes as well. */
  readonly protects: boolean;
  /** Others that get the same bytes beside it, where it does not protect; none when left out. */
  readonly also?: readonly string[];
};

/** A sender's list as the operator keeps it: a tip goes to no other account. */
export type TipAccounts = Readonly<Partial<Record<TippedSender, readonly Address[]>>>;

/** The ways beside the nodes as the operator configured them, and what they may be paid. */
export type SenderSettings = {
  /** A block engine of Jito's kind; null = none. */
  readonly jito: { readonly url: string; readonly floorUrl: string | null; readonly minTip: bigint } | null;
  /** A paid sender; null = none. Its accounts are as its provider prints them. */
  readonly sender: {
    readonly url: string;
    readonly minTip: bigint;
    readonly tipAccounts: readonly Address[];
  } | null;
  /** Where `ops senders sync` keeps the accounts that a block engine named. */
  readonly file: string;
  /** Lamports that one tip may be at most. */
  readonly tipCapLamports: bigint;
};
