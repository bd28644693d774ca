/**
 * Six digits that change every 30 seconds, as authenticator apps show them (RFC 6238 with SHA-1), and the codes for the day
 * on which the authenticator is lost.
 */
export interface OneTimeCodes extends RecoveryCodes {
  /** A fresh secret, sealed for this person and not in force: another person's row does not take it. */
  create(userId: string): string;
  /**
   * The text that an authenticator scans; holds the secret in clear. Throws SECRET_UNREADABLE, and does so for a secret in force: a person
   * who reads its box out of the database cannot have it shown again.
   */
  uri(box: string, userId: string): string;
  /** The step whose code this is, of the present one and its two neighbours; null when it is none's. Throws SECRET_UNREADABLE. */
  stepOf(box: string, userId: string, code: string, now: number): number | null;
  /** The box of the same secret in force. Throws SECRET_UNREADABLE. */
  activate(box: string, userId: string): string;
  /** The database's form of a recovery code: no other person's row takes it, and a dump alone cannot try codes. */
  recoveryDigest(userId: string, code: string): string;
  /**
   * The database's form of a try while it is compared. No recovery code has the same digest: a caller who may ask for those of codes cannot
   * try PINs against the rest of a crash.
   */
  tryDigest(userId: string, typed: string): string;
}

/** The part of it that needs no key. */
export interface RecoveryCodes {
  /** Ten fresh recovery codes of 80 random bits each: 16 letters of base32. */
  recoveryCodes(): readonly string[];
  /** The database's form of a link's token. */
  digest(token: string): string;
}
