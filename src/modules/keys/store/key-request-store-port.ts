import type { KeyRequest, KeyRequestStatus } from '../rules/key-request.ts';

export interface KeyRequestStore {
  /** Inserts unless the address has an open request (`unconfirmed`, `confirmed`); false then. */
  insert(request: KeyRequest): Promise<boolean>;
  find(id: string): Promise<KeyRequest | null>;
  /** Changes it when its status is still one of `from`, and returns it; null otherwise. Of two callers one is first. */
  change(
    id: string,
    from: readonly KeyRequestStatus[],
    patch: Partial<
      Pick<
        KeyRequest,
        | 'status'
        | 'confirmedAt'
        | 'decidedAt'
        | 'decidedBy'
        | 'reason'
        | 'question'
        | 'answer'
        | 'granted'
        | 'keyId'
        | 'claimedAt'
      >
    >,
    /** Only while this is its question and it has no answer. */
    asked?: { readonly question: string },
  ): Promise<KeyRequest | null>;
  /** Oldest first. */
  list(status: KeyRequestStatus, limit: number): Promise<readonly KeyRequest[]>;
  /** Everything that was asked for from an address, newest first. */
  listByEmail(email: string, limit: number): Promise<readonly KeyRequest[]>;
  /** Forgets an address's unconfirmed request from before `before`, so that it may ask anew. */
  dropUnconfirmed(email: string, before: number): Promise<void>;
  /**
   * Forgets requests that were never confirmed or whose mail bounced before an answer, and those that were refused or whose
   * answer bounced; returns how many.
   */
  deleteOld(before: { readonly unconfirmed: number; readonly refused: number }): Promise<number>;
}
