const MAX_U64 = 0xffff_ffff_ffff_ffffn;

function clamp(value, low, high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}

/** Seeded randomness: the same seed gives the same states on every machine. */
export function createRandom(seed) {
  // Not a multiple of the step below: seeds would be places of one and the same sequence.
  let state = BigInt.asUintN(64, BigInt(seed) * 0xd1342543de82ef95n + 1n);
  // splitmix64
  const next = () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
  const random = {
    /** A bigint from `low` to `high`, both included. */
    between: (low, high) => {
      const span = high - low + 1n;
      const wide = (next() << 64n) | next();
      return low + (wide % span);
    },
    int: (low, high) => Number(random.between(BigInt(low), BigInt(high))),
    chance: (percent) => random.int(0, 99) < percent,
    pick: (list) => list[random.int(0, list.length - 1)],
    /** Log-uniform from `low` to `high`: small and large numbers equally often. */
    log: (low, high) => {
      const bits = (value) => value.toString(2).length;
      const width = random.int(bits(low), bits(high));
      const value = random.between(1n << BigInt(width - 1), (1n << BigInt(width)) - 1n);
      return clamp(value, low, high);
    },
    /** An amount against reserves: one to ten units, up to a third of the reserve, or beyond all of it. */
    amount: (reserve) => {
      const cap = (value) => clamp(value, 1n, MAX_U64);
      const kind = random.int(0, 9);
      if (kind === 0) return random.between(1n, 10n);
      if (kind === 1) return cap(random.log(1n, reserve * 4n + 1n));
      return cap(random.log(1n, reserve / 3n + 1n));
    },
  };
  return random;
}
