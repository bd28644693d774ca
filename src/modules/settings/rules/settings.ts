import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { AUTO_BUY_OFF, type AutoBuy } from '../../auto-buy/rules.ts';
import type { PaperBook } from '../../paper/rules.ts';
import { type ExitSet, NO_EXITS } from './exit-set.ts';

/** How signed bytes reach the leader: by the nodes, by senders that protect alone, or by the fastest as well. */
export const SENDINGS = ['normal', 'protected', 'fast'] as const;
export type Sending = (typeof SENDINGS)[number];

export type PriorityTier = 'economy' | 'normal' | 'fast' | 'turbo';

/** Percentile of recent fees on the accounts a transaction writes, and the most it may cost in lamports. */
export const PRIORITY_TIERS: Record<
  PriorityTier,
  {
    readonly percentile: number;
    readonly capLamports: bigint;
    /** Micro-lamports per unit that an attempt bids at least, also where no node reports the fees of others. */
    readonly floor: bigint;
  }
> = {
  economy: { percentile: 25, capLamports: 100_000n, floor: 1_000n },
  normal: { percentile: 50, capLamports: 1_000_000n, floor: 10_000n },
  fast: { percentile: 75, capLamports: 3_000_000n, floor: 50_000n },
  turbo: { percentile: 95, capLamports: 10_000_000n, floor: 200_000n },
};

export const BUY_PRESET_COUNT = 4;
export const SELL_PRESET_COUNT = 3;

/** A person's own choices. Stored as JSON; a row that lacks one has its default, so a new field needs no migration. */
export type Settings = {
  readonly slippageBuyBps: Bps;
  readonly slippageSellBps: Bps;
  /** The most that a slippage may be that is worked out at each trade; null where it is the fixed one above. */
  readonly autoSlipBuyBps: Bps | null;
  readonly autoSlipSellBps: Bps | null;
  readonly tier: PriorityTier;
  /** Of trades and launches by hand; what orders do by themselves goes by the nodes. */
  readonly sending: Sending;
  /** Four amounts in lamports. */
  readonly buyPresets: readonly bigint[];
  /** Three shares of the holding, in bps. */
  readonly sellPresetsBps: readonly Bps[];
  readonly confirmTrades: boolean;
  /** Buying a pasted token at once. */
  readonly autoBuy: AutoBuy;
  /** Sales that go with each purchase of a person: by hand, by auto-buy and by limit orders, never with rounds. */
  readonly exits: ExitSet;
  /** A catalogue's language code, or null to follow Telegram. */
  readonly language: string | null;
  /** Pretend money; null before paper mode was ever opened. */
  readonly paper: PaperBook | null;
};

export const DEFAULT_SETTINGS: Settings = {
  slippageBuyBps: bps(500),
  slippageSellBps: bps(500),
  autoSlipBuyBps: null,
  autoSlipSellBps: null,
  tier: 'normal',
  sending: 'normal',
  buyPresets: [100_000_000n, 500_000_000n, 1_000_000_000n, 5_000_000_000n],
  sellPresetsBps: [bps(2_500), bps(5_000), bps(10_000)],
  confirmTrades: true,
  autoBuy: AUTO_BUY_OFF,
  exits: NO_EXITS,
  language: null,
  paper: null,
};
