/** Chances that one seed gives again and again (mulberry32). */
export function diceOf(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    chance: (share: number): boolean => next() < share,
    /** A whole number from `from` on, `to` excluded. */
    between: (from: number, to: number): number => from + Math.floor(next() * (to - from)),
    oneOf: <T>(many: readonly T[]): T => {
      const found = many[Math.floor(next() * many.length)];
      if (found === undefined) throw new RangeError('nothing to choose from');
      return found;
    },
  };
}

export type Dice = ReturnType<typeof diceOf>;
