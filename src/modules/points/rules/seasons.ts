/** Seasons one after the other. The end is announced on the rules screen and never moved: a change is a new row. */
export type Season = { readonly number: number; readonly from: number; readonly until: number };

export const SEASONS: readonly [Season, ...Season[]] = [
  { number: 1, from: Date.UTC(2026, 10, 1), until: Date.UTC(2027, 1, 1) },
  { number: 2, from: Date.UTC(2027, 1, 1), until: Date.UTC(2027, 4, 1) },
  { number: 3, from: Date.UTC(2027, 4, 1), until: Date.UTC(2027, 7, 1) },
  { number: 4, from: Date.UTC(2027, 7, 1), until: Date.UTC(2027, 10, 1) },
];

/** The season that `now` is in; the first before, the last after all of them. */
export function seasonAt(now: number): Season {
  return SEASONS.find(({ until }) => now < until) ?? SEASONS.at(-1) ?? SEASONS[0];
}
