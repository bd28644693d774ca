import { z } from 'zod';
import type { Bps } from '../../../core/amounts/bps.ts';
import { MAX_U64 } from '../../../core/amounts/lamports.ts';
import {
  BUY_PRESET_COUNT,
  DEFAULT_SETTINGS,
  SELL_PRESET_COUNT,
  type Settings,
} from '../../../core/users/settings.ts';
import { amount, exactly, flag, orNull, rate, type Shape, text, tier } from './fields.ts';
import { jsonColumn } from './json-column.ts';

const aRate = rate as unknown as z.ZodType<Bps, unknown>;
/** A share of a holding: zero would sell nothing. */
const aShare = z.int().min(1).max(10_000) as unknown as z.ZodType<Bps, unknown>;
const anAmount = amount.refine((value) => value > 0n && value <= MAX_U64, { error: 'an amount above zero' });

const SETTINGS_SHAPE: Shape<Settings> = {
  slippageBuyBps: aRate,
  slippageSellBps: aRate,
  tier,
  buyPresets: z.array(anAmount).length(BUY_PRESET_COUNT),
  sellPresetsBps: z.array(aShare).length(SELL_PRESET_COUNT),
  confirmTrades: flag,
  language: orNull(text),
};

/**
 * Rows may lack a setting that came later: it has its default. What is there must be right: a rate that cannot be read would
 * else become a wider one, at which the person never agreed to trade.
 */
const lenient = z.codec(z.looseObject({}), exactly<Settings>(SETTINGS_SHAPE), {
  decode: (stored) => ({ ...STORED_DEFAULTS, ...stored }),
  encode: (value) => value as Readonly<Record<string, unknown>>,
}) as unknown as z.ZodType<Settings, unknown>;
const STORED_DEFAULTS = z.encode(exactly<Settings>(SETTINGS_SHAPE), DEFAULT_SETTINGS) as object;

export const SETTINGS = jsonColumn<Settings>('users.settings', [lenient, lenient]);
