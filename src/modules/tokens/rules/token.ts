import type { Address, TokenExtensions } from '@tradepost/solana';
import type { UiScale } from './ui-scale.ts';

/** The content of a mint account and its metadata. Names are hostile text: strip and cap them before showing. */
export type Token = {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly supply: bigint;
  /** As on chain, unsanitised; null when there is no metadata. */
  readonly symbol: string | null;
  readonly name: string | null;
  readonly mintAuthority: Address | null;
  readonly freezeAuthority: Address | null;
  /** The address that may change its name and link; null = none any more. Absent where there is no metadata or none was read. */
  readonly updateAuthority?: Address | null;
  readonly extensions: TokenExtensions;
  /** How its amounts are shown, as of the moment it was read; absent or null = unit by unit. */
  readonly uiScale?: UiScale | null;
};

/** The part of an error about units of a token that lets it show amounts as screens do. */
export function scaleOfToken({ decimals, uiScale }: Token): {
  readonly decimals: number;
  readonly uiScale?: UiScale;
} {
  return uiScale == null ? { decimals } : { decimals, uiScale };
}

/** Units that an owner holds of one mint, over all token accounts of it. */
export type Holding = {
  readonly amount: bigint;
  readonly accounts: readonly {
    readonly address: Address;
    readonly amount: bigint;
    readonly frozen: boolean;
  }[];
};

/** One token that an owner holds. */
export type TokenHolding = Holding & {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** The node's list lacked accounts that are there: tokens that no look and no book knows of may be missing. Absent: no. */
  readonly ofCutList?: boolean;
};
