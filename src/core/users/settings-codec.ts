import { type Bps, bps } from '../amounts/bps.ts';
import { MAX_U64 } from '../amounts/lamports.ts';
import { DEFAULT_SETTINGS, PRIORITY_TIERS, type PriorityTier, type Settings } from './settings.ts';

/** The stored form: JSON, amounts in lamports as decimal strings. */
export type EncodedSettings = {
  readonly slippageBuyBps: number;
  readonly slippageSellBps: number;
  readonly tier: PriorityTier;
  readonly buyPresets: readonly string[];
  readonly sellPresetsBps: readonly number[];
  readonly confirmTrades: boolean;
  readonly language: string | null;
};

/** Plain JSON of the settings; `decodeSettings` of it gives equal settings back. */
export function encodeSettings(settings: Settings): EncodedSettings {
  return {
    slippageBuyBps: settings.slippageBuyBps,
    slippageSellBps: settings.slippageSellBps,
    tier: settings.tier,
    buyPresets: settings.buyPresets.map(String),
    sellPresetsBps: [...settings.sellPresetsBps],
    confirmTrades: settings.confirmTrades,
    language: settings.language,
  };
}

/**
 * Settings from stored JSON. Never throws: a field that is missing or no longer acceptable gets its default, so that an
 * old row or a hand edit cannot lock a person out, and a new field needs no migration.
 */
export function decodeSettings(json: unknown): Settings {
  const row: Readonly<Record<string, unknown>> =
    typeof json === 'object' && json !== null ? Object.fromEntries(Object.entries(json)) : {};
  return {
    slippageBuyBps: rate(row['slippageBuyBps']) ?? DEFAULT_SETTINGS.slippageBuyBps,
    slippageSellBps: rate(row['slippageSellBps']) ?? DEFAULT_SETTINGS.slippageSellBps,
    tier: tier(row['tier']) ?? DEFAULT_SETTINGS.tier,
    buyPresets: list(row['buyPresets'], BUY_PRESET_COUNT, lamportsText) ?? DEFAULT_SETTINGS.buyPresets,
    sellPresetsBps: list(row['sellPresetsBps'], SELL_PRESET_COUNT, share) ?? DEFAULT_SETTINGS.sellPresetsBps,
    confirmTrades:
      typeof row['confirmTrades'] === 'boolean' ? row['confirmTrades'] : DEFAULT_SETTINGS.confirmTrades,
    language: typeof row['language'] === 'string' ? row['language'] : DEFAULT_SETTINGS.language,
  };
}

export const BUY_PRESET_COUNT = 4;
export const SELL_PRESET_COUNT = 3;

function rate(value: unknown): Bps | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10_000
    ? bps(value)
    : null;
}

/** A share of a holding: zero would sell nothing. */
function share(value: unknown): Bps | null {
  return value === 0 ? null : rate(value);
}

function tier(value: unknown): PriorityTier | null {
  return typeof value === 'string' && Object.hasOwn(PRIORITY_TIERS, value) ? (value as PriorityTier) : null;
}

function lamportsText(value: unknown): bigint | null {
  if (typeof value !== 'string' || !/^[1-9]\d{0,19}$/.test(value)) return null;
  const amount = BigInt(value);
  return amount <= MAX_U64 ? amount : null;
}

function list<T>(value: unknown, length: number, read: (item: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(value) || value.length !== length) return null;
  const items = value.map(read).filter((item) => item !== null);
  return items.length === length ? items : null;
}
