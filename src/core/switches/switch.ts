import type { IntentParams } from '../intents/params.ts';

/** What an operator can pause as a whole, beside each venue and each aggregator. */
export const SWITCHES = [
  'signing',
  'trading',
  'orders',
  'withdrawals',
  'payouts',
  'creation',
  'launches',
  'games',
  'api',
] as const;

/** `venue:orca-whirlpool`, `aggregator:jupiter`: the part behind the colon is the name that routes show. */
export type PartSwitch = `venue:${string}` | `aggregator:${string}`;
export type Switch = (typeof SWITCHES)[number] | PartSwitch;

/** Whether a text is the switch of a venue or an aggregator, of whatever name. */
export function isPartSwitch(text: string): text is PartSwitch {
  return /^(venue|aggregator):[a-z0-9-]+$/.test(text);
}

/** What is paused, why, since and until when: epoch milliseconds, null = until somebody resumes it. */
export type Pause = {
  readonly what: Switch;
  readonly reason: string;
  readonly since: number;
  readonly until: number | null;
};

export const REASON_MAX = 200;

/**
 * What keeps a wish of each kind from being confirmed, and what was confirmed before from being signed. A pause of trading stops
 * tokens too, as a creation and a launch pay for themselves with the same wallet.
 */
export const STOPPED_BY = {
  buy: ['signing', 'trading'],
  sell: ['signing', 'trading'],
  'withdraw-sol': ['signing', 'withdrawals'],
  'withdraw-token': ['signing', 'withdrawals'],
  payout: ['signing', 'payouts'],
  'prepare-token': ['signing', 'trading', 'creation'],
  'create-token': ['signing', 'trading', 'creation'],
  'revoke-authority': ['signing', 'trading', 'creation'],
  launch: ['signing', 'trading', 'launches'],
} as const satisfies Readonly<Record<IntentParams['kind'], readonly Switch[]>>;
