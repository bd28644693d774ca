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
