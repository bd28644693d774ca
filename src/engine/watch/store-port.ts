import type { Attempt } from '../intents/rules/intent.ts';

/** What a watcher must know of an attempt to tell from its status alone whether anything is to be done. */
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

/** What a beat says beside that: whether there is work for those who would have to ask for it. */
export type BeatNews = {
  /** Something is due that nobody holds or watches: `forgotten` says what. */
  readonly isForgotten: boolean;
  /** An order is open, or one that waits has expired. */
  readonly haveOrders: boolean;
  /** A submission of a caller is under way. */
  readonly haveSubmissions: boolean;
};

/** What nobody may be at work on; ids, oldest first. */
export type Forgotten = {
  readonly intents: readonly string[];
  readonly notices: readonly string[];
  /** Whether rows wait in the outbox. */
  readonly outbox: boolean;
};

/** Who watches the attempts that are under way, and which those are. Losing it costs a few seconds and nothing else. */
export interface WatchStore {
  /**
   * Says that `owner` watches until `until`, and reads who else does at `now` and every attempt that was sent and may still
   * land, of intents that are open; oldest first, at most `limit`. One statement, and with it the news that others would ask
   * for: with nobody there a question less each few seconds is what counts.
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
  /** What `due` says with `watchedSince`, `undelivered` says of `noticesBefore`, and the outbox holds. One statement. */
  forgotten(asked: {
    readonly now: number;
    readonly watchedSince: number;
    readonly noticesBefore: number;
    readonly limit: number;
  }): Promise<Forgotten>;
  /** It watches no longer: the others need not wait until its time is over. */
  leave(owner: string): Promise<void>;
}
