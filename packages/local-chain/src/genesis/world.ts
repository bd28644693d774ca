import type { Address } from '../address.ts';
import type { NetworkName } from '../networks.ts';

/** A token of the demonstration world. */
export type WorldToken = {
  readonly symbol: string;
  readonly name: string;
  readonly mint: Address;
  readonly program: Address;
  readonly decimals: number;
};

/** The products of genesis; kept with the chain's state so that a later release cannot misread an older chain. */
export type World = {
  readonly tokens: readonly WorldToken[];
  readonly faucet: Address;
  /** The plug-in that was there, null for none; absent in states of releases that did not write it down. */
  readonly plugin?: string | null;
  /** The network whose calendar it keeps for life; absent for the plain one. */
  readonly network?: NetworkName;
};

export type TokenPlan = {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly kind: 'token' | 'token2022';
  /** Whole tokens ever made; the part that no pool holds stays with the treasury. */
  readonly supply: bigint;
  readonly transferFee?: { readonly bps: number; readonly maximumWhole: bigint };
  readonly keepMintAuthority?: boolean;
};

export const TOKEN_PLANS: readonly TokenPlan[] = [
  {
    symbol: 'USDC',
    name: 'Play USDC',
    decimals: 6,
    kind: 'token',
    supply: 1_000_000_000n,
    keepMintAuthority: true,
  },
  { symbol: 'PUP', name: 'Puppy', decimals: 6, kind: 'token', supply: 1_000_000_000n },
  { symbol: 'KOI', name: 'Koi Fish', decimals: 9, kind: 'token', supply: 10_000_000n },
  { symbol: 'LAN', name: 'Paper Lantern', decimals: 6, kind: 'token', supply: 1_000_000_000n },
  { symbol: 'BAO', name: 'Bao Bun', decimals: 6, kind: 'token', supply: 500_000_000n },
  { symbol: 'INK', name: 'Squid Ink', decimals: 6, kind: 'token', supply: 200_000_000n },
  {
    symbol: 'TAX',
    name: 'Taxed Token',
    decimals: 6,
    kind: 'token2022',
    supply: 100_000_000n,
    transferFee: { bps: 100, maximumWhole: 1_000_000n },
  },
];
