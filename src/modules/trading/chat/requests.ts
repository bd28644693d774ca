import type { Address } from '@tradepost/solana';
import { type Bps, bps, bpsFloor } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { TipTerms } from '../../../engine/intents/rules/tip-terms.ts';
import type { TypedAmount } from '../../../platform/telegram/ui/read-amount.ts';
import type { Settings } from '../../settings/rules/settings.ts';
import type { TradeRequest } from '../use/trade-quote.ts';

/** The order that a typed or tapped amount means. A share of a purchase is of the wallet's SOL, rounded down. */
export function tradeRequest(input: {
  readonly side: 'buy' | 'sell';
  readonly wallet: Address;
  readonly walletLamports: bigint;
  readonly mint: Address;
  readonly amount: TypedAmount;
  readonly settings: Settings;
  readonly tip?: TipTerms;
}): TradeRequest {
  const { side, wallet, mint, amount, settings, tip } = input;
  const common = { wallet, mint, tier: settings.tier, ...(tip === undefined ? {} : { tip }) };
  if (side === 'sell') {
    return {
      ...common,
      side,
      slippageBps: settings.slippageSellBps,
      autoCapBps: settings.autoSlipSellBps,
      amount: amount.kind === 'exact' ? { units: amount.units } : { shareBps: shareOf(amount) },
    };
  }
  return {
    ...common,
    side,
    slippageBps: settings.slippageBuyBps,
    autoCapBps: settings.autoSlipBuyBps,
    amount: amount.kind === 'max' ? 'max' : { lamports: lamportsOf(amount, input.walletLamports) },
  };
}

function shareOf(amount: Exclude<TypedAmount, { kind: 'exact' }>): Bps {
  return amount.kind === 'max' ? bps(10_000) : amount.bps;
}

function lamportsOf(amount: Exclude<TypedAmount, { kind: 'max' }>, walletLamports: bigint): bigint {
  if (amount.kind === 'exact') return amount.units;
  const lamports = bpsFloor(walletLamports, amount.bps);
  if (lamports === 0n) throw new AppError('AMOUNT_DUST', { minimum: null });
  return lamports;
}
