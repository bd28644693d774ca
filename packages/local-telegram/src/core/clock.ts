/** Time as the server sees it, in milliseconds; injected, so that a test can own it. */
export interface Clock {
  readonly now: () => number;
  /** Runs `run` once after `ms`; the returned function calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** `base` seen through an offset that only grows: the page's "skip ahead" and tests of expiry use it. */
export function createSkippingClock(base: Clock): Clock & { readonly skip: (ms: number) => void } {
  let offsetMs = 0;
  return {
    now: () => base.now() + offsetMs,
    after: base.after,
    skip: (ms) => {
      offsetMs += Math.max(0, ms);
    },
  };
}
