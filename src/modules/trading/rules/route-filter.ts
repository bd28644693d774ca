/** Which ways a caller allows. */
export type RouteFilter = {
  /** Only these venues; null = all. */
  readonly venues: readonly string[] | null;
  /** None of these. */
  readonly excluded: readonly string[];
  /** No token in the middle: pools of the pair alone, several at once allowed. */
  readonly directOnly: boolean;
};

export const EVERY_WAY: RouteFilter = { venues: null, excluded: [], directOnly: false };

/** Whether anything is forbidden. An aggregator obeys none of this, so it is not asked then. */
export function isNarrow({ venues, excluded, directOnly }: RouteFilter): boolean {
  return venues !== null || excluded.length > 0 || directOnly;
}

export function takesVenue({ venues, excluded }: RouteFilter, name: string): boolean {
  return (venues === null || venues.includes(name)) && !excluded.includes(name);
}

/** The filter as the caller named it, for the sentence of a refusal. */
export function filterText({ venues, excluded, directOnly }: RouteFilter): string {
  return [
    ...(venues === null ? [] : [`venues ${venues.join(', ')}`]),
    ...(excluded.length === 0 ? [] : [`excludeVenues ${excluded.join(', ')}`]),
    ...(directOnly ? ['directOnly'] : []),
  ].join(' and ');
}
