import type { Address } from '@tradepost/solana';

/** A token that appeared on a launchpad, as its creating transaction says it. */
export type CreatedLaunch = {
  readonly kind: 'created';
  readonly mint: Address;
  /** Account of the curve, which is its market. */
  readonly curve: Address;
  /** The pad's configuration, where a curve is read with one. */
  readonly config: Address | null;
  readonly creator: Address;
  readonly signature: string;
  readonly slot: bigint;
  /** Epoch milliseconds of its block. */
  readonly at: number;
};

/** The curve sold all that it sells, or its liquidity moved to a pool. */
export type RisenLaunch = {
  readonly kind: 'complete' | 'graduated';
  readonly curve: Address;
  /** Where the token trades from now on; null where the event names none. */
  readonly pool: Address | null;
  readonly slot: bigint;
};

export type LaunchEvent = CreatedLaunch | RisenLaunch;

/** One curve at one slot. */
export type CurveState = {
  /** Of what the curve sells, in basis points, rounded down. */
  readonly soldBps: number;
  readonly complete: boolean;
  /** Its liquidity is in a pool, which is null where the curve does not name it. */
  readonly moved: { readonly pool: Address | null } | null;
};

/** `absent`: there is no such account. `unknown`: it is there, and nothing here reads it. */
export type CurveLook = CurveState | 'absent' | 'unknown';

export type CurveKeys = Pick<CreatedLaunch, 'mint' | 'curve' | 'config'> & {
  /** Where its liquidity moved to, as an event said; null before that. */
  readonly pool: Address | null;
};

/** What the launch feed reads of one launchpad. Each method throws CHAIN_UNREACHABLE. */
export interface PadFeed {
  /** Key of the launchpad. */
  readonly pad: string;
  /** For people. */
  readonly label: string;
  /**
   * Events of the slots with after < slot <= upTo, confirmed, in the order of the chain. `isKnown`: mints whose creation was read; a pad
   * that lists its launches leaves them out.
   */
  events(
    range: { readonly after: bigint; readonly upTo: bigint },
    isKnown: (mint: Address) => boolean,
  ): Promise<readonly LaunchEvent[]>;
  /** Curves in the order asked, at most 40, with one question to a node; `slot` is that of the answer. */
  states(
    curves: readonly CurveKeys[],
  ): Promise<{ readonly slot: bigint; readonly looks: readonly CurveLook[] }>;
}
