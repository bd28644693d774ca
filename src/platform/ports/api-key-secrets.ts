/** Randomness and keyed hashes for API keys. */
export interface ApiKeySecrets {
  /** `length` random characters of A–Z a–z 0–9, all equally likely. */
  random(length: number): string;
  /** HMAC-SHA-256 of the text under the service's own secret. */
  hash(text: string): Uint8Array;
  /** Compares without telling by its time how much agrees. */
  equal(a: Uint8Array, b: Uint8Array): boolean;
}
