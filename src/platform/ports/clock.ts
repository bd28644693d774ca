/** A moment of a wall clock in epoch milliseconds. Two of them are compared by `core/time`, which knows of clocks that are set. */
export type Epoch = number;

/** A moment of a clock that cannot be set. It says nothing but how long ago it was, in the process that made it. */
export type Mark = { readonly steadyMs: number };

export interface Clock {
  /** Epoch milliseconds. */
  now(): Epoch;
  /** The least of this clock and those that it is compared with; missing where it is compared with none. */
  earliest?(): Epoch;
  /** The greatest of them. */
  latest?(): Epoch;
  /** This moment, for a duration within this process; missing where a test moves the clock by hand. */
  mark?(): Mark;
}
