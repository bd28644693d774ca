import { describe, expect, it } from 'vitest';
import { pushDown, pushedPath } from '../../support/replay/push.ts';
import { replayPath } from '../../support/replay/replay-path.ts';

const POOL = { sol: 1_000_000_000_000n, token: 20_000_000_000_000n };
const HELD = ['stop -20%', 'trailing stop 15%'];

describe('whoever pushes a price down', () => {
  it('pays the fees of both ways, and the whole difference where others trade against it', () => {
    const { reserves, fees, perSlot } = pushDown(POOL, 3_000n);
    expect(reserves.sol * POOL.token * 10n).toBeLessThanOrEqual(POOL.sol * reserves.token * 7n);
    // Some 163 SOL are sold out of the pool and bought back, each way for a quarter of a percent.
    expect(Number(fees) / 1e9).toBeGreaterThan(0.7);
    expect(Number(fees) / 1e9).toBeLessThan(1);
    // The tokens sold were worth a fifth more before.
    expect(Number(perSlot) / 1e9).toBeGreaterThan(31);
    expect(Number(perSlot) / 1e9).toBeLessThan(34);
  });

  it.each([
    { slots: 5, all: true, fires: [] },
    { slots: 6, all: true, fires: HELD },
    { slots: 6, all: false, fires: [] },
    { slots: 30, all: false, fires: [] },
  ])('fires $fires in $slots slots, all pools: $all', async ({ fires: expected, ...push }) => {
    const { fires } = await replayPath(pushedPath([POOL, POOL], { downBps: 3_000n, ...push }));
    const held = fires.map(({ order }) => order).filter((order) => HELD.includes(order));
    expect(held.toSorted()).toEqual(expected);
  });
});
