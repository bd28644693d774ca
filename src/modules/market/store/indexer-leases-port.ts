/** Which processes index. Two that believe to own one market only do its work twice: the tape takes everything once. */
export interface IndexerLeases {
  /** Says that `owner` indexes until `until`, and returns everybody who does at `now`, itself among them. Epoch milliseconds. */
  beat(beat: {
    readonly owner: string;
    readonly now: number;
    readonly until: number;
  }): Promise<readonly string[]>;
  /** It does no longer: the others need not wait until its time is over. */
  leave(owner: string): Promise<void>;
}
