import type { Address, Instruction } from '@tradepost/solana';

/** How a token is called where it is launched. */
export type LaunchNames = { readonly name: string; readonly symbol: string; readonly uri: string };

/**
 * One launchpad: a program (or the local chain's desk) that makes the token itself and sells it along a curve. Whatever is
 * particular to it is declared here as a property; shared code never asks which one it is.
 */
export interface Launchpad {
  /** Stable key: `desk`, `pump-fun`, `raydium-launchlab`, `meteora-dbc`. */
  readonly name: string;
  /** For people: `pump.fun`. */
  readonly label: string;
  /** The program that makes the token and its curve; null where the common programs do (the desk). */
  readonly program: Address | null;
  /** The pad's own limits, in UTF-8 bytes; ours may be stricter. */
  readonly limits: { readonly nameBytes: number; readonly symbolBytes: number; readonly uriBytes: number };
  /** Its present offer, read from the chain; null while it takes no launches. Throws CHAIN_UNREACHABLE. */
  offer(): Promise<LaunchOffer | null>;
  /** How far a launched token came; null when there is no such launch. Throws CHAIN_UNREACHABLE. */
  progress(launch: {
    readonly mint: Address;
    readonly config: Address | null;
  }): Promise<LaunchProgress | null>;
}

/** The terms of one moment, with the pad's own arithmetic. Immutable. */
export type LaunchOffer = {
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** Smallest units that will exist. */
  readonly supply: bigint;
  /** Whether the creator may change name and picture afterwards; no other account ever may. */
  readonly updateAuthority: boolean;
  /** Lamports that the curve takes before it is complete; null where they are not known. */
  readonly graduationLamports: bigint | null;
  /** The account that these terms come from, where a pad has several; the launch is found again by it. */
  readonly config: Address | null;
  /** The most that rent and the pad's own fee take from the creator; the price of a first buy's tokens is not in it. */
  readonly costLamports: (names: LaunchNames, hasFirstBuy: boolean) => Promise<bigint>;
  /** Tokens that a first buy of exactly `lamports` brings, every fee of the pad taken; 0 when the curve cannot take them. */
  readonly firstBuy: (lamports: bigint) => bigint;
  /** Every instruction of launch and first buy, all or nothing in one transaction, signed by creator and mint alone. */
  readonly build: (order: LaunchOrder) => Promise<readonly Instruction[]>;
};

export type LaunchOrder = LaunchNames & {
  readonly creator: Address;
  readonly mint: Address;
  /** The creator's associated account of the mint, where a first buy arrives. */
  readonly holding: Address;
  readonly firstBuy: { readonly lamports: bigint; readonly minTokens: bigint } | null;
  /** Makes the wrapped-SOL account's address. */
  readonly seed: string;
};

export type LaunchProgress = {
  /** Of the curve, in basis points, rounded down. */
  readonly soldBps: number;
  /** The curve is complete: the token trades elsewhere, or is about to. */
  readonly graduated: boolean;
};
