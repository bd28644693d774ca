/** The limits of an account. */
export type ApiAllowance = {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Requests per day (UTC); null = no such limit. */
  readonly dayQuota: number | null;
};

export type ApiTake = {
  /** Null: the request may pass, and it was counted. A refused one costs nothing. */
  readonly refusedBy: 'rate' | 'quota' | null;
  /** The rest in the account's bucket. */
  readonly tokens: number;
  readonly usedToday: number;
};

/** Counts the requests of accounts over all processes. */
export interface ApiLimiter {
  take(account: string, allowance: ApiAllowance, now: number): Promise<ApiTake>;
}
