/** A person and their invitee, with signs that both are one person. */
export type ReferralFlag = {
  readonly rule: /** One keeps a deposit wallet of the other among their addresses, or sent money to it. */
    | 'shared-wallet'
    /** Both withdraw to, or keep, one address outside. */
    | 'shared-address'
    /** Money went from one's wallets to the other's and back. */
    | 'funding-loop'
    /** Both tap like machines. */
    | 'machines';
  /** Telegram ids. */
  readonly inviter: bigint;
  readonly invitee: bigint;
  /** The inviter's earnings from this invitee. */
  readonly lamports: bigint;
  /** The observations: the addresses, the amounts, the rhythm. */
  readonly evidence: string;
};

/** The questions of the operator's check of inviters. Nothing follows from a flag by itself. */
export interface ReferralFlags {
  /** Pairs that look like one person, those that earned most first, up to `limit`. Deleted wallets count like standing ones. */
  flags(limit: number): Promise<readonly ReferralFlag[]>;
}
