import type { Settings } from './settings.ts';

/** A slippage above it lets a sale bring less than the least that counts as fair. */
export const HIGH_SLIPPAGE_BPS = 1_500;

/** The row of the gate that a change of settings passes: the strictest of those that it is. */
export function settingsAct(
  before: Settings,
  after: Settings,
): 'settings' | 'language' | 'slippage-high' | 'auto-buy-on' {
  if (isAutoBuyRaised(before, after)) return 'auto-buy-on';
  const isHigh = (side: 'Buy' | 'Sell'): boolean =>
    widest(after, side) > HIGH_SLIPPAGE_BPS && widest(after, side) > widest(before, side);
  if (isHigh('Buy') || isHigh('Sell')) return 'slippage-high';
  return after.language === before.language ? 'settings' : 'language';
}

/** The most that a trade may lose by slippage: the cap where it is worked out at each trade. */
const widest = (settings: Settings, side: 'Buy' | 'Sell'): number =>
  settings[`autoSlip${side}Bps`] ?? settings[`slippage${side}Bps`];

/** Turned on, or on and allowed more. */
function isAutoBuyRaised({ autoBuy: before }: Settings, { autoBuy: after }: Settings): boolean {
  if (!after.on) return false;
  return (
    !before.on ||
    after.lamports > before.lamports ||
    after.dayLamports > before.dayLamports ||
    after.maxImpactBps > before.maxImpactBps
  );
}
