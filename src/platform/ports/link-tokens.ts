/** Tokens of one-time links. */
export interface LinkTokens {
  /** 32 random bytes as 43 base64url characters. */
  make(): string;
  /** SHA-256: a token has so much chance in it that a hash without a secret reveals nothing. */
  hash(token: string): Uint8Array;
  /** The token in a form of the session's pages: follows from the session's, and gives nothing of it away. */
  formToken(session: string): string;
}
