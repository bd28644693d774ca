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
  /** No venue that signs each swap itself: it would not sign another transaction. */
  readonly withoutCoSign: boolean;
};

export const EVERY_WAY: RouteFilter = {
  venues: null,
  excluded: [],
  directOnly: false,
  maxAccounts: null,
  elsewhere: null,
  withoutCoSign: false,
};

/** Whether anything is forbidden. An aggregator obeys none of this, so it is not asked then. */
export function isNarrow(filter: RouteFilter): boolean {
  const { venues, excluded, directOnly, maxAccounts, elsewhere, withoutCoSign } = filter;
  if (venues !== null || excluded.length > 0 || directOnly || withoutCoSign) return true;
  return maxAccounts !== null || elsewhere !== null;
}

export function takesVenue(
  { venues, excluded, elsewhere, withoutCoSign }: RouteFilter,
  {
    name,
    ownAccountsOnly = false,
    coSign,
  }: { readonly name: string; readonly ownAccountsOnly?: boolean; readonly coSign?: unknown },
): boolean {
  if (withoutCoSign && coSign !== undefined) return false;
  if (elsewhere !== null && ownAccountsOnly) return false;
  return (venues === null || venues.includes(name)) && !excluded.includes(name);
}

/** The filter as the caller named it, for the sentence of a refusal. */
export function filterText(filter: RouteFilter): string {
  const { venues, excluded, directOnly, maxAccounts, elsewhere, withoutCoSign } = filter;
  return [
    ...(withoutCoSign ? ['venues that need no signature of their own'] : []),
    ...(venues === null ? [] : [`venues ${venues.join(', ')}`]),
    ...(excluded.length === 0 ? [] : [`excludeVenues ${excluded.join(', ')}`]),
    ...(directOnly ? ['directOnly'] : []),
    ...(maxAccounts === null ? [] : [`maxAccounts ${maxAccounts}`]),
    ...(elsewhere === null ? [] : [elsewhere]),
  ].join(' and ');
}
