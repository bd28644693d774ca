import type { Act, ActEntry } from '../rules.ts';

/** An act as it was written down. */
export type RecordedAct = (ActEntry & { readonly id: bigint }) | UnreadAct;

/** An act whose details this version cannot read: a newer one wrote it, or a stranger. Only its name is shown. */
export type UnreadAct = Omit<ActEntry, 'act' | 'details'> & {
  readonly id: bigint;
  readonly act: string;
  readonly details: null;
};

export type ActFilter = {
  readonly subject?: string;
  readonly act?: Act;
  /** Epoch milliseconds. */
  readonly since?: number;
};

/** One link of the chain: `text` is the source of the hash, as the database gives it. */
export type ActLink = {
  readonly id: bigint;
  /** Epoch milliseconds, as the act says. */
  readonly at: number;
  readonly text: string;
  readonly prev: string;
  readonly hash: string;
};

/** Append-only: a written act is never changed or removed. */
export interface AuditLog {
  /**
   * Writes an act down as the next link of the chain. Last in its transaction: from here to the commit no other transaction can write one.
   * Throws when the details are not those of the act: then nothing is written.
   */
  record(entry: ActEntry): Promise<void>;
  /** Newest first. */
  list(
    filter: ActFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly RecordedAct[]>;
  /** Oldest first, from behind `after`. */
  links(after: bigint, limit: number): Promise<readonly ActLink[]>;
}
