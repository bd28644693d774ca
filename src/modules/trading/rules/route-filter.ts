/** Which ways a caller allows. */
export type RouteFilter = {
  /** Only these venues; null = all. */
  readonly venues: readonly string[] | null;
  /** None of these. */
  readonly excluded: readonly string[];
  /** No token in the middle: pools of the pair alone, several at once allowed. */
  readonly directOnly: boolean;
  /** Accounts that the transaction may name at most; null = as many as one may. */
  readonly maxAccounts: number | null;
  /** The option by which the order uses token accounts of its own choice: venues that know only the trader's usual ones are out. */
  readonly elsewhere: string | null;
};

export const EVERY_WAY: RouteFilter = {
  venues: null,
  excluded: [],
  directOnly: false,
  maxAccounts: null,
  elsewhere: null,
};

/** Whether anything is forbidden. An aggregator obeys none of this, so it is not asked then. */
export function isNarrow({ venues, excluded, directOnly, maxAccounts, elsewhere }: RouteFilter): boolean {
  return venues !== null || excluded.length > 0 || directOnly || maxAccounts !== null || elsewhere !== null;
}

export function takesVenue(
  { venues, excluded, elsewhere }: RouteFilter,
  { name, ownAccountsOnly = false }: { readonly name: string; readonly ownAccountsOnly?: boolean },
): boolean {
  if (elsewhere !== null && ownAccountsOnly) return false;
  return (venues === null || venues.includes(name)) && !excluded.includes(name);
}

/** The filter as the caller named it, for the sentence of a refusal. */
export function filterText({ venues, excluded, directOnly, maxAccounts, elsewhere }: RouteFilter): string {
  return [
    ...(venues === null ? [] : [`venues ${venues.join(', ')}`]),
    ...(excluded.length === 0 ? [] : [`excludeVenues ${excluded.join(', ')}`]),
    ...(directOnly ? ['directOnly'] : []),
    ...(maxAccounts === null ? [] : [`maxAccounts ${maxAccounts}`]),
    ...(elsewhere === null ? [] : [elsewhere]),
  ].join(' and ');
}
