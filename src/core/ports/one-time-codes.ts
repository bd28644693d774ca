/**
 * Six digits that change every 30 seconds, as authenticator apps show them (RFC 6238 with SHA-1), and the codes for the day
 * on which the authenticator is lost.
 */
export interface OneTimeCodes {
  /** A fresh secret, sealed for this person: another person's row does not take it. */
  create(userId: string): string;
  /** What an authenticator scans; holds the secret in clear. Throws SECRET_UNREADABLE. */
  uri(box: string, userId: string): string;
  /** The step whose code this is, of the present one and its two neighbours; null when it is none's. Throws SECRET_UNREADABLE. */
  stepOf(box: string, userId: string, code: string, now: number): number | null;
  /** Ten fresh recovery codes of 80 random bits each: 16 letters of base32. */
  recoveryCodes(): readonly string[];
  /** What the database keeps of a recovery code: no other person's row takes it, and a dump alone cannot try codes. */
  recoveryDigest(userId: string, code: string): string;
  /** What the database keeps of a link's token. */
  digest(token: string): string;
}
