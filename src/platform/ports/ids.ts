/** Randomness, passed in so that core and services stay repeatable under test. */
export interface Ids {
  /** A ULID: 26 characters, sorts by time. */
  ulid(): string;
  /** 16 random bytes as 22 base64url characters: for buttons, unguessable. */
  token(): string;
  /** `length` characters of an alphabet without look-alikes (no 0 O 1 I L). */
  code(length: number): string;
}
