import type { MintFacts } from '../../src/pool.ts';
import {
  MARKET_AT,
  MARKET_BYTES,
  POOL,
  POOL_AT,
  RAYDIUM_AMM_V4_AUTHORITY,
  RAYDIUM_AMM_V4_PROGRAM,
} from '../../src/raydium-amm-v4/layout.ts';
import {
  AccountBytes,
  accountBytes,
  buildMint,
  buildTokenAccount,
  type PoolFixture,
  testAddress,
} from '../shared/build.ts';

export type AmmV4Fixture = {
  readonly reserves: readonly [bigint, bigint];
  readonly pnl?: readonly [bigint, bigint];
  readonly fee?: readonly [bigint, bigint];
  readonly status?: bigint;
  readonly openTime?: bigint;
  /** Nonce of the market's signer; without one there is no market account. */
  readonly marketNonce?: bigint;
  readonly mints?: readonly [MintFacts, MintFacts];
};

export const MARKET = testAddress(5);
export const MARKET_PROGRAM = testAddress(6);

export function buildAmmV4(input: AmmV4Fixture): PoolFixture {
  const id = testAddress(1);
  const mints = input.mints ?? [buildMint(testAddress(10)), buildMint(testAddress(11))];
  const pnl = input.pnl ?? [0n, 0n];
  const [numerator, denominator] = input.fee ?? [25n, 10_000n];
  const pool = accountBytes(POOL)
    .u64(POOL_AT.status, input.status ?? 6n)
    .u64(8, 254n)
    .u64(32, 6n)
    .u64(40, 6n)
    .u64(POOL_AT.swapFeeNumerator, numerator)
    .u64(POOL_AT.swapFeeDenominator, denominator)
    .u64(POOL_AT.needTakePnlCoin, pnl[0])
    .u64(POOL_AT.needTakePnlPc, pnl[1])
    .u64(POOL_AT.openTime, input.openTime ?? 0n)
    .address(POOL_AT.coinVault, testAddress(2))
    .address(POOL_AT.pcVault, testAddress(3))
    .address(POOL_AT.coinMint, mints[0].mint)
    .address(POOL_AT.pcMint, mints[1].mint)
    .address(POOL_AT.openOrders, testAddress(4))
    .address(POOL_AT.market, MARKET)
    .address(POOL_AT.marketProgram, MARKET_PROGRAM)
    .address(POOL_AT.targetOrders, testAddress(7))
    .ownedBy(RAYDIUM_AMM_V4_PROGRAM);
  const accounts = new Map([
    [id, pool],
    [testAddress(2), buildTokenAccount(mints[0], RAYDIUM_AMM_V4_AUTHORITY, input.reserves[0] + pnl[0])],
    [testAddress(3), buildTokenAccount(mints[1], RAYDIUM_AMM_V4_AUTHORITY, input.reserves[1] + pnl[1])],
  ]);
  if (input.marketNonce !== undefined) {
    const market = new AccountBytes(MARKET_BYTES)
      .u64(MARKET_AT.vaultSignerNonce, input.marketNonce)
      .address(MARKET_AT.baseVault, testAddress(20))
      .address(MARKET_AT.quoteVault, testAddress(21))
      .address(MARKET_AT.eventQueue, testAddress(22))
      .address(MARKET_AT.bids, testAddress(23))
      .address(MARKET_AT.asks, testAddress(24));
    accounts.set(MARKET, market.ownedBy(MARKET_PROGRAM));
  }
  return { id, mints, accounts };
}
