import type { SafetyWarning } from '../../core/tokens/safety.ts';

/** What the caller should look at before signing; nothing here keeps the swap from working. */
export type SwapWarning =
  /** Above 5 %. */
  | { readonly code: 'PRICE_IMPACT'; readonly impactBps: number }
  /** Above 20 %. */
  | { readonly code: 'HIGH_SLIPPAGE'; readonly slippageBps: number }
  /** The simulation brought another amount than the quote: the pools moved in between. */
  | { readonly code: 'SIMULATION_DIFFERS'; readonly simulatedAmount: bigint }
  /** A power of the bought token; `warning` is one of the safety checks of this build. */
  | { readonly code: 'TOKEN_RISK'; readonly warning: SafetyWarning['code'] };

const IMPACT_WARNING_BPS = 500;
const SLIPPAGE_WARNING_BPS = 2_000;

export function swapWarnings(input: {
  readonly priceImpactBps: number;
  readonly slippageBps: number;
  readonly safety: readonly SafetyWarning[];
}): readonly SwapWarning[] {
  const { priceImpactBps: impactBps, slippageBps } = input;
  const warnings: SwapWarning[] = [];
  if (impactBps > IMPACT_WARNING_BPS) warnings.push({ code: 'PRICE_IMPACT', impactBps });
  if (slippageBps > SLIPPAGE_WARNING_BPS) warnings.push({ code: 'HIGH_SLIPPAGE', slippageBps });
  for (const { code, severity } of input.safety) {
    if (severity !== 'NOTE') warnings.push({ code: 'TOKEN_RISK', warning: code });
  }
  return warnings;
}
