/** A verb with its dependencies given: callers name the rest of its input. */
export function bind<Deps, Given extends readonly unknown[], Result>(
  verb: (deps: Deps, ...given: Given) => Result,
  deps: Deps,
): (...given: Given) => Result {
  return (...given) => verb(deps, ...given);
}
