/** Providers count calls in windows of about this length. */
export const WINDOW_MS = 10_000;
const PARTS = 20;
const PART_MS = WINDOW_MS / PARTS;

/** Calls within the last ten seconds, counted in halves of a second; a call is forgotten up to half a second late, never early. */
export type CallCount = { add(calls: number): void; sum(): number };

export function createCallCount(now: () => number): CallCount {
  const parts = Array.from({ length: PARTS + 1 }, () => 0);
  let newest = Math.floor(now() / PART_MS);
  let total = 0;
  const forward = (): void => {
    const at = Math.floor(now() / PART_MS);
    if (at - newest > PARTS) {
      parts.fill(0);
      total = 0;
      newest = at;
    }
    while (newest < at) {
      newest += 1;
      total -= parts[newest % parts.length] ?? 0;
      parts[newest % parts.length] = 0;
    }
  };
  return {
    add: (calls) => {
      forward();
      parts[newest % parts.length] = (parts[newest % parts.length] ?? 0) + calls;
      total += calls;
    },
    sum: () => {
      forward();
      return total;
    },
  };
}
