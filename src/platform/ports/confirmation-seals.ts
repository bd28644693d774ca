/** Codes that only the holder of the master key can make or check. */
export interface ConfirmationSeals {
  /** HMAC-SHA-256 of the text, as 43 letters of base64url. */
  seal(text: string): string;
  /** In a time that says nothing about where they differ. */
  isSealOf(seal: string, text: string): boolean;
}
