import type { DeskPool } from './pool.ts';

export type PoolPlan = {
  readonly desk: string;
  readonly kind: DeskPool['kind'];
  readonly feeBps: number;
  /** Whole units in each vault; `virtual` is added to the price only. */
  readonly a: { readonly symbol: string; readonly vault: bigint; readonly virtual?: bigint };
  readonly b: { readonly symbol: string; readonly vault: bigint; readonly virtual?: bigint };
};

/** One SOL is worth about 150 USDC, a PUP 0.0015, a KOI 0.75, a TAX 0.03, a BAO 0.005, an INK 0.02; half a SOL moves a pool by 0.1 % to 2 %. */
export const POOL_PLANS: readonly PoolPlan[] = [
  pool('Desk North', 25, ['SOL', 500n], ['USDC', 75_000n]),
  pool('Desk South', 10, ['SOL', 120n], ['USDC', 18_036n]),
  pool('Desk North', 25, ['PUP', 25_000_000n], ['SOL', 250n]),
  pool('Desk South', 10, ['PUP', 5_970_000n], ['SOL', 60n]),
  pool('Desk North', 25, ['KOI', 24_000n], ['SOL', 120n]),
  pool('Desk South', 10, ['KOI', 26_500n], ['USDC', 20_000n]),
  pool('Desk North', 25, ['TAX', 400_000n], ['SOL', 80n]),
  pool('Desk South', 10, ['PUP', 6_000_000n], ['USDC', 9_000n]),
  // No pool against SOL: the way leads through USDC.
  pool('Desk South', 10, ['BAO', 3_000_000n], ['USDC', 15_000n]),
  // Hardly anything against SOL: the way through USDC is the better one.
  pool('Desk North', 25, ['INK', 15_000n], ['SOL', 2n]),
  pool('Desk South', 10, ['INK', 4_000_000n], ['USDC', 80_000n]),
  {
    desk: 'Desk Curve',
    kind: 'launch-curve',
    feeBps: 100,
    a: { symbol: 'LAN', vault: 800_000_000n, virtual: 200_000_000n },
    b: { symbol: 'SOL', vault: 5n, virtual: 30n },
  },
];

function pool(
  desk: string,
  feeBps: number,
  [symbolA, vaultA]: readonly [string, bigint],
  [symbolB, vaultB]: readonly [string, bigint],
): PoolPlan {
  return {
    desk,
    kind: 'constant-product',
    feeBps,
    a: { symbol: symbolA, vault: vaultA },
    b: { symbol: symbolB, vault: vaultB },
  };
}
