/** Hashing of PINs: slow on purpose, with a pepper that is not in the database. */
export interface Pins {
  /** The text to store. Bound to the person: another person's row does not take it. */
  hash(pin: string, userId: string): Promise<string>;
  /** False for a wrong PIN and for a text that `hash` did not make for this person. */
  verify(hash: string, pin: string, userId: string): Promise<boolean>;
}
