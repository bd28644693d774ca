const DAY = 86_400;

/** About a day of a chain with slots of 400 ms. */
export const SLOTS_PER_PARTITION = 216_000n;
export const WEEK_SECONDS = 7 * DAY;
/** Seconds that each is kept; rows not named here stay for ever. */
export const KEEP = { trades: 7 * DAY, bars: { 1: 30 * DAY, 5: 90 * DAY, 15: 365 * DAY } } as const;
