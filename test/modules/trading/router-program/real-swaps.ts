import type { Address } from '../../../../src/core/address/address.ts';
import { TOKEN_2022_PROGRAM } from '../../../../src/core/address/programs.ts';
import type { Instruction } from '../../../../src/core/instruction.ts';
import type { MintFacts, Pool } from '../../../../src/platform/ports/venue.ts';
import { meteoraDammV2 } from '../../../../src/platform/venues/meteora-damm-v2/index.ts';
import { meteoraDbc } from '../../../../src/platform/venues/meteora-dbc/index.ts';
import { meteoraDlmm } from '../../../../src/platform/venues/meteora-dlmm/index.ts';
import { orcaWhirlpool } from '../../../../src/platform/venues/orca-whirlpool/index.ts';
import { pumpSwap } from '../../../../src/platform/venues/pump-swap/index.ts';
import { raydiumAmmV4 } from '../../../../src/platform/venues/raydium-amm-v4/index.ts';
import { raydiumClmm } from '../../../../src/platform/venues/raydium-clmm/index.ts';
import { raydiumCpmm } from '../../../../src/platform/venues/raydium-cpmm/index.ts';
import type { Exchange } from '../../../../src/platform/venues/shared/exchange/exchange.ts';
import { buildDamm } from '../../../platform/venues/meteora-damm-v2/build.ts';
import { buildDbc } from '../../../platform/venues/meteora-dbc/build.ts';
import { buildDlmm } from '../../../platform/venues/meteora-dlmm/build.ts';
import { buildWhirlpool } from '../../../platform/venues/orca-whirlpool/build.ts';
import { buildPumpSwap } from '../../../platform/venues/pump-swap/build.ts';
import { buildAmmV4 } from '../../../platform/venues/raydium-amm-v4/build.ts';
import { buildClmm } from '../../../platform/venues/raydium-clmm/build.ts';
import { buildCpmm } from '../../../platform/venues/raydium-cpmm/build.ts';
import {
  buildMint,
  type PoolFixture,
  poolOf,
  relocated,
  testAddress,
} from '../../../platform/venues/shared/exchange/build.ts';

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
