const SAMPLE_MS = 5;

export type Slots = {
  /** Milliseconds of the first sight of a slot or a later one; null where none was seen. */
  readonly at: (slot: bigint) => number | null;
  /** The newest slot that was seen by a moment (epoch milliseconds); null where none was. */
  readonly newest: (at: number) => bigint | null;
  readonly stop: () => void;
};

/** Notes when each slot of the local chain was first seen at a level. */
export function sampleSlots(rpcUrl: string, commitment: 'processed' | 'confirmed' = 'processed'): Slots {
  const seen: { readonly slot: number; readonly at: number }[] = [];
  let isStopped = false;
  const sample = async (): Promise<void> => {
    while (!isStopped) {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'getSlot',
          params: [{ commitment }],
        }),
      }).catch(() => null);
      if (response === null) return;
      const { result } = (await response.json()) as { readonly result: number };
      if (seen.at(-1)?.slot !== result) seen.push({ slot: result, at: Date.now() });
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  };
  void sample();
  return {
    at: (slot) => seen.find((one) => one.slot >= Number(slot))?.at ?? null,
    newest: (at) => {
      const last = seen.findLast((one) => one.at <= at);
      return last === undefined ? null : BigInt(last.slot);
    },
    stop: () => {
      isStopped = true;
    },
  };
}
