/** How many requests a key made to a route on a day, by the status of the answer. */
export type ApiUsage = {
  readonly account: string;
  readonly keyId: string;
  /** `POST /dex/swap` … */
  readonly route: string;
  /** `2026-01-31`, UTC. */
  readonly day: string;
  /** The status that was answered; 0 = counted before statuses were. */
  readonly status: number;
  readonly requests: number;
};

export interface ApiUsageStore {
  /** Adds to the known counts, also for several processes at once, and forgets days before `keepFrom`. */
  add(usage: readonly ApiUsage[], keepFrom: string): Promise<void>;
  /** The requests of an account's keys from that day on: newest day first, then by key, route and status. */
  list(account: string, fromDay: string): Promise<readonly ApiUsage[]>;
}
