import { addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dividedOutput } from '../../../src/modules/orders/rules/divided-output.ts';
import { chooseRoute } from '../../../src/modules/trading/rules/choose-route.ts';
import { buildPool, TOKEN } from '../trading/build-pool.ts';

/** Pools of one token lie within a few percent of one price. */
const market = fc
  .array(
    fc.record({
      sol: fc.bigInt(10n ** 10n, 10n ** 14n),
      apart: fc.bigInt(970n, 1_030n),
      feeBps: fc.bigInt(0n, 100n),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((rows) =>
    rows.map(
      ({ sol, apart, feeBps }, index): Pool =>
        buildPool({ id: index + 1, accounts: 6, sol, token: (sol * 20n * apart) / 1_000n, feeBps }),
    ),
  );

const solOf = (shape: Pool['shape']): bigint => (shape?.kind === 'constant-product' ? shape.reserves[1] : 0n);

it('brings what the router finds within a thousandth, and more only where its transaction has no room for a third pool', () => {
  let divided = 0;
  fc.assert(
    fc.property(market, fc.boolean(), fc.bigInt(1n, 50n), (pools, isBuy, permille) => {
      const depth = pools.reduce((sum, { shape }) => sum + solOf(shape), 0n);
      const amount = (depth * permille * (isBuy ? 1n : 20n)) / 1_000n;
      const [from, to] = isBuy ? [WSOL_MINT, TOKEN] : [TOKEN, WSOL_MINT];
      const output = dividedOutput(pools, from, to, amount) ?? 0n;
      const routed = chooseRoute(pools, { mintIn: from, mintOut: to, amountIn: amount }).amountOut;
      // A unit is lost to the rounding of each pool.
      expect(depth > 0n).toBe(true);
      expect(output * 1_000n + 4_000n >= routed * 999n).toBe(true);
      const most = pools.length > 2 ? 1_030n : 1_001n;
      expect(output <= (routed * most) / 1_000n).toBe(true);
      const alone = pools.map((pool) => pool.quote(from, amount)).reduce((a, b) => (a > b ? a : b));
      if (output > alone) divided += 1;
    }),
    { numRuns: 400, endOnFailure: true },
  );
  expect(divided).toBeGreaterThan(50);
});

it('says nothing of pools that are no constant product between the two', () => {
  const curve = buildPool({ id: 1, accounts: 6 });
  const over = buildPool({
    id: 2,
    mints: [TOKEN, addressFromBytes(new Uint8Array(32).fill(99))],
    accounts: 6,
  });
  const plain = buildPool({ id: 3 });
  expect(dividedOutput([curve], WSOL_MINT, TOKEN, 10_000n)).not.toBeNull();
  for (const pools of [[curve, over], [curve, plain], [plain], []])
    expect(dividedOutput(pools, WSOL_MINT, TOKEN, 10_000n)).toBeNull();
});
