import type { TradeTerms } from '../../../engine/intents/rules/terms.ts';
import type { SafetyWarning } from '../../tokens/rules/safety.ts';

/** The points that the asker should check before signing; nothing here keeps the swap from working. */
export type SwapWarning =
  | SizeWarning
  /** The simulation brought another amount than the quote: the pools moved in between. */
  | { readonly code: 'SIMULATION_DIFFERS'; readonly simulatedAmount: bigint }
  /** A power of the bought token; `warning` is one of the safety checks of this build. */
  | { readonly code: 'TOKEN_RISK'; readonly warning: SafetyWarning['code'] };

export type SizeWarning =
  /** Above 5 %. */
  | { readonly code: 'PRICE_IMPACT'; readonly impactBps: number }
  /** Above 20 %. */
  | { readonly code: 'HIGH_SLIPPAGE'; readonly slippageBps: number };

const IMPACT_WARNING_BPS = 500;
const SLIPPAGE_WARNING_BPS = 2_000;

export function sizeWarnings({
  priceImpactBps: impactBps,
  slippageBps,
}: Pick<TradeTerms, 'priceImpactBps' | 'slippageBps'>): readonly SizeWarning[] {
  return [
    ...(impactBps > IMPACT_WARNING_BPS ? [{ code: 'PRICE_IMPACT', impactBps } as const] : []),
    ...(slippageBps > SLIPPAGE_WARNING_BPS ? [{ code: 'HIGH_SLIPPAGE', slippageBps } as const] : []),
  ];
}

export function swapWarnings(
  input: Parameters<typeof sizeWarnings>[0] & { readonly safety: readonly SafetyWarning[] },
): readonly SwapWarning[] {
  const risks = input.safety.filter(({ severity }) => severity !== 'NOTE');
  return [
    ...sizeWarnings(input),
    ...risks.map(({ code: warning }) => ({ code: 'TOKEN_RISK', warning }) as const),
  ];
}
