import { z } from 'zod';
import { RATES, type Rate } from '../modules/guard/rules/acts.ts';
import type { RateRule } from '../modules/guard/rules/judge-act.ts';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** So long the acts are kept that a rate counts. */
const LONGEST_MS = 30 * UNIT_MS.d;
const MOST = 10_000;

/**
 * `order=20/1h,export=3/7d`: how many acts within a span, for the rates that are named; the others stay as they are. A count of 1 to
 * 10,000 within a minute to 30 days.
 */
export const actRates = z.string().transform((text, problems): Partial<Record<Rate, RateRule>> => {
  const rates: Partial<Record<Rate, RateRule>> = {};
  for (const part of text.split(',').map((one) => one.trim())) {
    const found = rateOf(part);
    if (found === null || rates[found.rate] !== undefined) {
      const message = `expected rates like order=20/1h, each once: a count of 1 to 10000 in 1m to 30d, of ${RATES.join(', ')}`;
      problems.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    rates[found.rate] = found.rule;
  }
  return rates;
});

function rateOf(part: string): { readonly rate: Rate; readonly rule: RateRule } | null {
  const [, name, count = '', span = '', unit = ''] =
    /^([a-z-]+)=(\d{1,5})\/(\d{1,5})([mhd])$/.exec(part) ?? [];
  const rate = RATES.find((one) => one === name);
  const unitMs = unit === 'm' ? UNIT_MS.m : unit === 'h' ? UNIT_MS.h : UNIT_MS.d;
  const rule = { count: Number(count), spanMs: Number(span) * unitMs };
  const fits = rule.count >= 1 && rule.count <= MOST && rule.spanMs >= UNIT_MS.m && rule.spanMs <= LONGEST_MS;
  return rate === undefined || !fits ? null : { rate, rule };
}
