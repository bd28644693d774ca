import { addFlows, type FlowSums, NO_FLOW } from './wallet-flows.ts';

/** Days that profit may be counted over, by the name of the window. Each ends with today, UTC. */
export const WINDOW_DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, '180d': 180 } as const;
export type PnlWindow = keyof typeof WINDOW_DAYS;

export type Pnl = {
  /** Lamports and millionths of a dollar, each rounded down; a loss is below 0. */
  readonly realisedLamports: bigint;
  readonly realisedUsd: bigint;
  /** Units sold beyond those whose purchase is known, over all kept days. */
  readonly uncountedUnits: bigint;
};

/**
 * Profit of a window: proceeds of its sales beyond their cost. Over all kept days c = cost / bought and k = min(1, bought / sold); then it is
 * k × (proceeds − sold × c) with the window's proceeds and sold. In one division: (proceeds × bought − sold × cost) / max(bought, sold).
 * Payments in SOL and in dollars are counted apart, so no rate of a day is needed.
 */
export function pnlOf(kept: FlowSums, window: FlowSums): Pnl {
  const most = kept.bought > kept.sold ? kept.bought : kept.sold;
  const realised = (proceeds: bigint, cost: bigint): bigint =>
    most === 0n ? 0n : divFloor(proceeds * kept.bought - window.sold * cost, most);
  return {
    realisedLamports: realised(window.proceedsLamports, kept.costLamports),
    realisedUsd: realised(window.proceedsUsd, kept.costUsd),
    uncountedUnits: kept.sold > kept.bought ? kept.sold - kept.bought : 0n,
  };
}

/** Sums of both kinds of money over tokens; units of different tokens are not added. */
export function totalOf(
  tokens: readonly { readonly window: FlowSums; readonly pnl: Pnl }[],
): Omit<Pnl, 'uncountedUnits'> & Omit<FlowSums, 'bought' | 'sold'> {
  const {
    bought: _bought,
    sold: _sold,
    ...sums
  } = tokens.reduce((sum, { window }) => addFlows(sum, window), NO_FLOW);
  return {
    ...sums,
    realisedLamports: tokens.reduce((sum, { pnl }) => sum + pnl.realisedLamports, 0n),
    realisedUsd: tokens.reduce((sum, { pnl }) => sum + pnl.realisedUsd, 0n),
  };
}

/** Towards less also below 0: bigint division cuts off towards 0. */
function divFloor(a: bigint, b: bigint): bigint {
  const cut = a / b;
  return a % b < 0n ? cut - 1n : cut;
}
