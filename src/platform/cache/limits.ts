/** Telegram redelivers for at most 24 hours; twice that is kept. */
export const UPDATE_KEPT_SECONDS = 48 * 3_600;
/** After this many tries an update is poison: handling it again would fail again. */
export const MAX_TRIES = 3;

/** Of a state as it lies in a store: 64 kB, locked. */
const MAX_BYTES = 96 * 1_024;

/** A state that grows without end would make every tap slower; better one clear error. */
export function assertFits(key: string, value: string): void {
  const bytes = Buffer.byteLength(value);
  if (bytes > MAX_BYTES) {
    throw new RangeError(`dialogue ${key}: ${bytes} bytes, and ${MAX_BYTES} is the most that may be stored`);
  }
}
