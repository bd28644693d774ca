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
  /** Adds to what is known, however many processes do so at once, and forgets days before `keepFrom`. */
  add(usage: readonly ApiUsage[], keepFrom: string): Promise<void>;
  /** What the keys of an account did from that day on: newest day first, then by key, route and status. */
  list(account: string, fromDay: string): Promise<readonly ApiUsage[]>;
}
