import type { Attempt } from '../intents/rules/intent.ts';

/** The facts of an attempt that show a watcher from its status alone whether anything is to be done. */
export type WatchedAttempt = Pick<
  Attempt,
  | 'id'
  | 'intentId'
  | 'signature'
  | 'lastValidBlockHeight'
  | 'signedAt'
  | 'status'
  | 'lastSentAt'
  | 'deathProof'
  | 'landingProof'
>;

/** A beat's further news: whether there is work for processes that would otherwise have to ask for it. */
export type BeatNews = {
  /** An item is due that no process holds or watches: `forgotten` names it. */
  readonly isForgotten: boolean;
  /** An order is open, or one that waits has expired. */
  readonly haveOrders: boolean;
  /** A submission of a caller is under way. */
  readonly haveSubmissions: boolean;
};

/** Items that perhaps no process works on; ids, oldest first. */
export type Forgotten = {
  readonly intents: readonly string[];
  readonly notices: readonly string[];
  /** Whether rows wait in the outbox. */
  readonly outbox: boolean;
};

/** The watchers of the attempts under way, and these attempts. Losing it costs a few seconds and nothing else. */
export interface WatchStore {
  /**
   * Records that `owner` watches until `until`. Reads the other watchers at `now`, and every attempt that was sent and may still land, of
   * open intents; oldest first, at most `limit`. One statement also brings the news that others would ask for: on an idle desk one question
   * less each few seconds counts.
   */
  beat(beat: {
    readonly owner: string;
    readonly now: number;
    readonly until: number;
    readonly watchedSince: number;
    readonly noticesBefore: number;
    readonly limit: number;
  }): Promise<
    { readonly owners: readonly string[]; readonly attempts: readonly WatchedAttempt[] } & BeatNews
  >;
  /** The results of `due` with `watchedSince`, of `undelivered` for `noticesBefore`, and of the outbox. One statement. */
  forgotten(asked: {
    readonly now: number;
    readonly watchedSince: number;
    readonly noticesBefore: number;
    readonly limit: number;
  }): Promise<Forgotten>;
  /** It watches no longer: the others need not wait until its time is over. */
  leave(owner: string): Promise<void>;
}
