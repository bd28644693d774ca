/**
 * Seals a chat's memory between a screen and its effect, with a key that the database does not have. A writer of the database can stop a
 * button or a question, and cannot change its meaning or move it to another person.
 */
export interface ChatSeals {
  /** A short seal over the text; it names its key. */
  seal(text: string): string;
  /** Whether the present key, or a former one that still counts, made this seal over this text. */
  isSealed(text: string, seal: string): boolean;
  /** The text, unreadable without the key, bound to its place. */
  lock(place: string, text: string): string;
  /** The text; null when it was locked for another place, by another key, or changed. */
  open(place: string, locked: string): string | null;
}
