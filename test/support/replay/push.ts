import type { Frame, Reserves } from './read-path.ts';

const FEE_BPS = 25n;
const WHOLE_BPS = 10_000n;
/** Slots before the push, so that every window and high is settled, and after it. */
const CALM_SLOTS = 20;

/** What it costs, in lamports, to hold one pool's price down. */
export type PushCost = {
  /** Where nobody trades against it: the fees of selling down and of buying back at the end, however long it lasts. */
  readonly fees: bigint;
  /** Where others buy the difference away in each slot: what is lost each time. */
  readonly perSlot: bigint;
};

export type Pushed = PushCost & { readonly reserves: Reserves };

/** Sells into a constant product with 0.25 % fee until its price is `downBps` lower, and what that costs. Rounded up. */
export function pushDown({ sol, token }: Reserves, downBps: bigint): Pushed {
  const isDown = (units: bigint): boolean => {
    const after = sold({ sol, token }, units);
    return after.sol * token * WHOLE_BPS <= sol * after.token * (WHOLE_BPS - downBps);
  };
  let [least, most] = [0n, token];
  while (!isDown(most)) most *= 2n;
  while (most - least > 1n) {
    const middle = (least + most) / 2n;
    if (isDown(middle)) most = middle;
    else least = middle;
  }
  const reserves = sold({ sol, token }, most);
  const got = sol - reserves.sol;
  const net = ceilDiv(most * reserves.sol, reserves.token - most);
  const paid = ceilDiv(net * WHOLE_BPS, WHOLE_BPS - FEE_BPS);
  return { reserves, fees: paid - got, perSlot: ceilDiv(most * sol, token) - got };
}

/** Pools that are calm, pushed for so many slots, and calm again. Without `all` only the first of them is pushed. */
export function pushedPath(
  pools: readonly Reserves[],
  { slots, downBps, all }: { readonly slots: number; readonly downBps: bigint; readonly all: boolean },
): readonly Frame[] {
  const named = (some: readonly Reserves[]): Frame['pools'] =>
    new Map(some.map((one, index) => [`pool ${index + 1}`, one]));
  const calm = named(pools);
  const down = named(pools.map((one, index) => (all || index === 0 ? pushDown(one, downBps).reserves : one)));
  return Array.from({ length: CALM_SLOTS + slots + CALM_SLOTS }, (_, index) => ({
    slot: index + 1,
    pools: index >= CALM_SLOTS && index < CALM_SLOTS + slots ? down : calm,
  }));
}

function sold({ sol, token }: Reserves, units: bigint): Reserves {
  const net = (units * (WHOLE_BPS - FEE_BPS)) / WHOLE_BPS;
  return { sol: sol - (net * sol) / (token + net), token: token + units };
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
