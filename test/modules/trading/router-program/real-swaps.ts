import { type Address, type Instruction, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import type { Exchange, MintFacts, Pool } from '@tradepost/venues';
import { meteoraDammV2 } from '../../../../packages/venues/src/meteora-damm-v2/index.ts';
import { meteoraDbc } from '../../../../packages/venues/src/meteora-dbc/index.ts';
import { meteoraDlmm } from '../../../../packages/venues/src/meteora-dlmm/index.ts';
import { orcaWhirlpool } from '../../../../packages/venues/src/orca-whirlpool/index.ts';
import { pumpSwap } from '../../../../packages/venues/src/pump-swap/index.ts';
import { raydiumAmmV4 } from '../../../../packages/venues/src/raydium-amm-v4/index.ts';
import { raydiumClmm } from '../../../../packages/venues/src/raydium-clmm/index.ts';
import { raydiumCpmm } from '../../../../packages/venues/src/raydium-cpmm/index.ts';
import { buildDamm } from '../../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildDbc } from '../../../../packages/venues/test/meteora-dbc/build.ts';
import { buildDlmm } from '../../../../packages/venues/test/meteora-dlmm/build.ts';
import { buildWhirlpool } from '../../../../packages/venues/test/orca-whirlpool/build.ts';
import { buildPumpSwap } from '../../../../packages/venues/test/pump-swap/build.ts';
import { buildAmmV4 } from '../../../../packages/venues/test/raydium-amm-v4/build.ts';
import { buildClmm } from '../../../../packages/venues/test/raydium-clmm/build.ts';
import { buildCpmm } from '../../../../packages/venues/test/raydium-cpmm/build.ts';
import {
  buildMint,
  type PoolFixture,
  poolOf,
  relocated,
  testAddress,
} from '../../../../packages/venues/test/shared/build.ts';

export const OWNER = testAddress(500);
export const SOURCE = testAddress(501);
export const MIDDLE_ACCOUNT = testAddress(502);
export const DESTINATION = testAddress(503);
export const [SOLD, INTERMEDIATE, BOUGHT] = [10, 11, 12].map((n) => buildMint(testAddress(n))) as [
  MintFacts,
  MintFacts,
  MintFacts,
];

type Pair = readonly [MintFacts, MintFacts];
const Q64 = 1n << 64n;

/** One pool of each venue that the router program has a step for, of these mints, `by` apart from others. */
export const STEP_POOLS: Readonly<Record<string, (mints: Pair, by: number) => Pool>> = {
  'raydium-cpmm': (mints, by) =>
    pool(raydiumCpmm, buildCpmm({ mints, reserves: [10n ** 12n, 10n ** 12n] }), by),
  'raydium-amm-v4': (mints, by) =>
    pool(raydiumAmmV4('long'), buildAmmV4({ mints, reserves: [10n ** 12n, 10n ** 12n] }), by),
  'meteora-damm-v2': (mints, by) =>
    pool(meteoraDammV2, buildDamm({ mints, liquidity: 10n ** 12n * Q64 }), by),
  'orca-whirlpool': (mints, by) => pool(orcaWhirlpool, buildWhirlpool({ mints }), by),
  'orca-whirlpool, Token-2022': ([a, b], by) =>
    pool(orcaWhirlpool, buildWhirlpool({ mints: [{ ...a, tokenProgram: TOKEN_2022_PROGRAM }, b] }), by),
  'raydium-clmm': (mints, by) => pool(raydiumClmm, buildClmm({ mints }), by),
  'meteora-dbc': (mints, by) => pool(meteoraDbc, buildDbc({ mints }), by),
  'pump-swap': ([coin, quote], by) =>
    pool(pumpSwap, buildPumpSwap({ coin, quote, reserves: [10n ** 12n, 10n ** 12n] }), by),
  'meteora-dlmm': (mints, by) => pool(meteoraDlmm, buildDlmm({ mints }), by),
};

function pool(exchange: Exchange, fixture: PoolFixture, by: number): Pool {
  return poolOf(exchange, relocated(fixture, by));
}

/** The venue's own instruction for an order between the accounts of this file. */
export function swapOf(from: Pool, mintIn: Address, amountIn = 1_000n): Instruction {
  const accountOf = (mint: Address) =>
    mint === SOLD.mint ? SOURCE : mint === INTERMEDIATE.mint ? MIDDLE_ACCOUNT : DESTINATION;
  const mintOut = from.mints[0] === mintIn ? from.mints[1] : from.mints[0];
  const ends = { owner: OWNER, source: accountOf(mintIn), destination: accountOf(mintOut) };
  const [swap, ...more] = from.swap({ ...ends, mintIn, amountIn, amountOut: 1n, minOut: 1n });
  if (swap === undefined || more.length > 0) throw new Error('one instruction was expected');
  return swap;
}
