/** The network that a signer's folder belongs to, by its genesis hash. */
export type NetworkPin = {
  /** Remembers the first hash that is claimed, on disk; returns the one that is remembered. */
  readonly claim: (genesis: string) => Promise<string>;
};
