import type { Bps } from '../../../core/amounts/bps.ts';

const MOST_BPS = 50;
const PART_OF_SLIPPAGE = 10;

/**
 * How far below its quote a leg into an intermediate token may fall, in bps. The next leg spends a fixed amount, so it counts on the least
 * that the one before brings. Units beyond that stay with the trader in the middle token and buy nothing. A tenth of the slippage, at most
 * half a percent: more would leave money lying, less would fail at every move.
 */
export function hopMarginBps(slippageBps: Bps): number {
  return Math.min(MOST_BPS, Math.floor(slippageBps / PART_OF_SLIPPAGE));
}
