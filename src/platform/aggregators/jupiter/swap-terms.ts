/** The promises of a Jupiter v6 swap instruction itself. */
export type SwapTerms = {
  readonly amountIn: bigint;
  readonly quotedOut: bigint;
  readonly slippageBps: number;
  readonly platformFeeBps: number;
};

/** Anchor discriminators. Source of truth: the program's published interface. */
const TAIL = ['e517cb977ae3ad2a', 'c1209b3341d69c81'];
const HEAD: Readonly<Record<string, number>> = { bb64facc31c4af14: 8, d19853937cfed8e9: 9 };

/**
 * The exact-in terms of `route` and `shared_accounts_route` (behind the plan) and of their second versions (before it), or
 * null for every other instruction of the program.
 */
export function swapTerms(data: Uint8Array): SwapTerms | null {
  if (data.length < 8 + 19) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const kind = view.getBigUint64(0).toString(16).padStart(16, '0');
  const head = HEAD[kind];
  if (head !== undefined) {
    if (data.length < head + 20) return null;
    return terms(head, view.getUint16(head + 18, true));
  }
  if (!TAIL.includes(kind)) return null;
  return terms(data.length - 19, view.getUint8(data.length - 1));

  function terms(at: number, platformFeeBps: number): SwapTerms {
    return {
      amountIn: view.getBigUint64(at, true),
      quotedOut: view.getBigUint64(at + 8, true),
      slippageBps: view.getUint16(at + 16, true),
      platformFeeBps,
    };
  }
}
