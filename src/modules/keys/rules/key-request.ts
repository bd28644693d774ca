import type { ApiScope } from '../store/api-key-store-port.ts';
import type { KeyLimits, StatedVolume } from './key-limits.ts';

/**
 * `unconfirmed` → `confirmed` (the address is the asker's) → `granted` (a link went out) → `claimed` (the key was made), or
 * `refused`. `bounced`: the address takes no mail.
 */
export type KeyRequestStatus = 'unconfirmed' | 'confirmed' | 'granted' | 'claimed' | 'refused' | 'bounced';

/** The content of the form, checked. */
export type KeyRequestDraft = StatedVolume & {
  readonly email: string;
  readonly project: string;
  readonly use: string;
  readonly scopes: readonly ApiScope[];
};

/** An operator's grant. */
export type KeyGrant = KeyLimits & {
  readonly maxReferrerFeeBps: number;
  readonly scopes: readonly ApiScope[];
  /** Days that the key lives from the moment it is made; null = no end. */
  readonly days: number | null;
};

export type KeyRequest = KeyRequestDraft & {
  readonly id: string;
  readonly status: KeyRequestStatus;
  readonly createdAt: number;
  readonly confirmedAt: number | null;
  readonly decidedAt: number | null;
  /** `tg:<Telegram id>` or `ops`. */
  readonly decidedBy: string | null;
  /** Why it was refused; the asker reads it. */
  readonly reason: string | null;
  /** An operator's last question, and the answer to it. */
  readonly question: string | null;
  readonly answer: string | null;
  readonly granted: KeyGrant | null;
  /** The key that was made of it. */
  readonly keyId: string | null;
  readonly claimedAt: number | null;
};

/** The fee that the specification grants on the open host; more than that is agreed by hand. */
export const DEFAULT_REFERRER_FEE_BPS = 300;
