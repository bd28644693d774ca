import type { Passed } from '../../guard/rules/passed.ts';

/** A key of the pro host. The secret itself is never stored: `hash` is its HMAC. Times are epoch milliseconds. */
export type ApiKey = {
  /** The public part of the key; names it in lists and in logs. */
  readonly id: string;
  /** Limits are counted per account: several keys of one share them. */
  readonly account: string;
  readonly hash: Uint8Array;
  readonly scopes: readonly ApiScope[];
  /** Requests per second that an account may keep up, and how many at once. */
  readonly ratePerSecond: number;
  readonly burst: number;
  /** The highest referrer fee that the key may ask for. */
  readonly maxReferrerFeeBps: number;
  /** Requests per day (UTC); null = no such limit. */
  readonly dayQuota: number | null;
  /** Where its holder gets mail; null for a key that an operator issued by hand. */
  readonly email: string | null;
  /** The key that was made in its place. */
  readonly replacedBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
};

/** The acts that make a key. */
export type KeyMaking = 'api-key-claim' | 'api-key-rotate' | 'operator' | 'service';

/** The acts that put a key in the place of another. */
export type KeyReplacing = 'api-key-rotate' | 'operator';

/** The acts that end a key. Of `api-key-rotate`, one that lost its race. */
export type KeyEnding = 'api-key-revoke' | KeyReplacing | 'service';

export const API_SCOPES = ['swap', 'token', 'market', 'submit'] as const;
export type ApiScope = (typeof API_SCOPES)[number];

export interface ApiKeyStore {
  find(id: string): Promise<ApiKey | null>;
  /** Inserts unless the id is known; false then. */
  insert(passed: Passed<KeyMaking>, key: ApiKey): Promise<boolean>;
  /** Newest first. */
  list(): Promise<readonly ApiKey[]>;
  /** Newest first. */
  listByEmail(email: string): Promise<readonly ApiKey[]>;
  /** True when the key was valid until now. */
  revoke(passed: Passed<KeyEnding>, id: string, at: number): Promise<boolean>;
  /** Names its successor and ends it at `expiresAt` at the latest; false when it is not valid at `now` or has a successor. */
  replace(
    passed: Passed<KeyReplacing>,
    id: string,
    successor: { readonly id: string; readonly expiresAt: number; readonly now: number },
  ): Promise<boolean>;
}
