import { MAX_U64 } from '@tradepost/solana';
import { z } from 'zod';
import { isBps } from '../../../core/amounts/bps.ts';
import { isRecord } from '../../../core/records.ts';
import type { AutoBuy } from '../../../modules/auto-buy/rules.ts';
import { MAX_PAPER_HOLDINGS, type PaperBook, type PaperHolding } from '../../../modules/paper/rules.ts';
import { type ExitSet, isExitSet, MOST_TAKES, type Take } from '../../../modules/settings/rules/exit-set.ts';
import {
  BUY_PRESET_COUNT,
  DEFAULT_SETTINGS,
  SELL_PRESET_COUNT,
  SENDINGS,
  type Settings,
} from '../../../modules/settings/rules/settings.ts';
import { AUTO_CAP_BPS } from '../../../modules/trading/rules/auto-slippage.ts';
import {
  address,
  amount,
  count,
  exactly,
  flag,
  orAbsent,
  orNull,
  rate,
  type Shape,
  text,
  tier,
} from './fields.ts';
import { jsonColumn } from './json-column.ts';

/** A share of a holding: zero would sell nothing. */
const aShare = z.int().min(1).max(10_000).refine(isBps);
const anAmount = amount.refine((value) => value > 0n && value <= MAX_U64, { error: 'an amount above zero' });

/** A cap of a slippage that is worked out. */
const autoCap = z.int().min(AUTO_CAP_BPS.least).max(AUTO_CAP_BPS.most).refine(isBps);

/** The sales that go with a purchase. */
export const EXIT_SET = exactly<ExitSet>({
  takes: z.array(exactly<Take>({ atBps: count, shareBps: count })).max(MOST_TAKES),
  stopBps: orNull(count),
  trailBps: orNull(count),
  devSells: orAbsent(z.literal(true)),
  liquidityBps: orAbsent(count),
}).refine(isExitSet, { error: 'exits that a purchase can carry' });

const SETTINGS_SHAPE: Shape<Settings> = {
  slippageBuyBps: rate,
  slippageSellBps: rate,
  autoSlipBuyBps: orNull(autoCap),
  autoSlipSellBps: orNull(autoCap),
  tier,
  sending: z.enum(SENDINGS),
  buyPresets: z.array(anAmount).length(BUY_PRESET_COUNT),
  sellPresetsBps: z.array(aShare).length(SELL_PRESET_COUNT),
  confirmTrades: flag,
  autoBuy: exactly<AutoBuy>({ on: flag, lamports: anAmount, dayLamports: anAmount, maxImpactBps: count }),
  exits: EXIT_SET,
  language: orNull(text),
  paper: orNull(
    exactly<PaperBook>({
      on: flag,
      lamports: amount,
      holdings: z
        .array(exactly<PaperHolding>({ mint: address, decimals: count, units: amount, cost: amount }))
        .max(MAX_PAPER_HOLDINGS),
    }),
  ),
};

/**
 * Rows may lack a setting that came later: it has its default. A stored value must be right: a rate that cannot be read would else become a
 * wider one, at which the person never agreed to trade.
 */
const lenient = z.codec(z.looseObject({}), exactly<Settings>(SETTINGS_SHAPE), {
  decode: (stored) => ({ ...STORED_DEFAULTS, ...stored }),
  encode: (value) => (isRecord(value) ? value : {}),
});
const STORED_DEFAULTS: object = z.encode(z.strictObject(SETTINGS_SHAPE), DEFAULT_SETTINGS);

export const SETTINGS = jsonColumn<Settings>('users.settings', [lenient, lenient]);
