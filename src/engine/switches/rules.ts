import type { PartSwitch, Switch } from '../../core/errors/details.ts';

export type { PartSwitch, Pause, Switch } from '../../core/errors/details.ts';
/** The parts that an operator can pause as a whole, beside each venue and each aggregator. */
export const SWITCHES = [
  'signing',
  'trading',
  'orders',
  'withdrawals',
  'exports',
  'payouts',
  'creation',
  'launches',
  'games',
  'api',
] as const satisfies readonly Switch[];

/** Whether a text is the switch of a venue or an aggregator of any name. */
export function isPartSwitch(text: string): text is PartSwitch {
  return /^(venue|aggregator):[a-z0-9-]+$/.test(text);
}

export const REASON_MAX = 200;
