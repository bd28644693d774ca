import type { ConvertEntry, ConvertOutcome, ConvertPeriod, PeriodSeal } from './rules.ts';

export interface ConvertStore {
  /**
   * Announces a period under the next number. Null when its dates overlap another one that was not cancelled. Throws when it
   * ends before it begins or its budget is not above zero.
   */
  announce(
    period: Pick<ConvertPeriod, 'budgetLamports' | 'opensAt' | 'closesAt' | 'announcedAt' | 'seal'>,
  ): Promise<ConvertPeriod | null>;
  /** Throws ROW_FORGED for a period that was not certified as it is; so does `hold`. */
  find(number: number): Promise<ConvertPeriod | null>;
  /** Newest first, without those that were not certified as they are. */
  list(limit: number): Promise<readonly ConvertPeriod[]>;
  /** The numbers of the periods from which people are owed, without those that were not certified as they are. */
  payable(): Promise<readonly number[]>;
  /** As `find`; until the transaction ends no other begins to settle or cancel the period. */
  hold(number: number): Promise<ConvertPeriod | null>;
  /**
   * ANNOUNCED → SETTLING with the sum of all entries, after those whose transactions hold the period. False when it is in
   * another state.
   */
  begin(number: number): Promise<boolean>;
  /** ANNOUNCED → CANCELLED with the seal of that, waiting as `begin` does. False when it is in another state. */
  cancel(number: number, seal: PeriodSeal): Promise<boolean>;
  /** SETTLING → SETTLED with the sum of the payouts, once every entry has its outcome; false before, or when it was done. */
  finish(number: number): Promise<boolean>;
  entryByKey(idemKey: string): Promise<ConvertEntry | null>;
  /** Throws when the key or id is taken. */
  insertEntry(entry: ConvertEntry): Promise<void>;
  /** Points entered so far: by everybody, and by the person. */
  entered(number: number, userId: string): Promise<{ readonly total: bigint; readonly own: bigint }>;
  /** People whose entries in a period have no outcome yet, with their points, by id. */
  waiting(
    number: number,
    limit: number,
  ): Promise<readonly { readonly userId: string; readonly points: bigint }[]>;
  /** Cancelled periods with entries that were not given back yet. */
  cancelledWaiting(): Promise<readonly number[]>;
  /** Writes down how a period ended for a person; false when that was done before. */
  insertOutcome(outcome: ConvertOutcome): Promise<boolean>;
  /** The person's last outcome. */
  lastOutcome(userId: string): Promise<ConvertOutcome | null>;
  /** Puts the person on the list of those who want to hear of the next opening. */
  watch(userId: string, at: number): Promise<void>;
  isWatching(userId: string): Promise<boolean>;
  /** Takes up to `limit` people off that list. */
  takeWatchers(limit: number): Promise<readonly string[]>;
}
