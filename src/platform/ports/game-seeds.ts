/** The secret side of games: seeds that no reader of the database can know before they are revealed. */
export interface GameSeeds {
  /** The seed of a round, always the same: 64 lower-case hexadecimal digits. */
  seedOf(round: { readonly id: string; readonly table: string }): string | Promise<string>;
  /** SHA-256 of a text's UTF-8 bytes, lower-case hexadecimal. */
  sha256(text: string): string;
}
