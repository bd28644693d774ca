/** Resolves after `ms`; rejects with the signal's reason when that comes first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      if (signal?.aborted === true) reject(signal.reason);
      else resolve();
    }
    if (signal?.aborted === true) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}

const FIRST_MS = 250;
const MOST_MS = 8_000;

/** Before the try after this one: random, and twice as long at most as before the last one. */
export const backoffMs = (tries: number): number =>
  Math.random() * Math.min(MOST_MS, FIRST_MS * 2 ** (tries - 1));
