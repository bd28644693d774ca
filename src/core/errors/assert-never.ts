/**
 * For the `default` of a switch over a union: the compiler refuses it where a member has no case of its own. Throws at run
 * time for a value that no type foresaw, a row of a newer version for instance, before anything is done with it.
 */
export function assertNever(value: never): never {
  throw new TypeError(`nothing is known of ${JSON.stringify(value)}`);
}
