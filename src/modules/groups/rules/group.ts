/** The choices of a group's creator. Without a row the words are English and links carry no code. */
export type Group = {
  /** Telegram's id of the group, below 0. */
  readonly id: bigint;
  /** The creator, who made the choices. */
  readonly ownerId: string;
  /** The creator's name in "Links carry …'s code". Hostile text. */
  readonly ownerName: string;
  readonly carriesCode: boolean;
  /** Its code; English where the program speaks no such language. */
  readonly language: string;
  /** Epoch milliseconds. */
  readonly changedAt: number;
};
