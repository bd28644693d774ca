import { TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { pumpSwap } from '../../src/pump-swap/index.ts';
import { BUY_EXACT_QUOTE_IN, SELL } from '../../src/pump-swap/instruction.ts';
import {
  creatorVaultAuthority,
  POOL,
  PUMP_SWAP_EVENT_AUTHORITY,
  PUMP_SWAP_PROGRAM,
  poolV2Address,
  userVolumeAddress,
} from '../../src/pump-swap/layout.ts';
import { associatedTokenAddress } from '../../src/shared/associated-token.ts';
import { programAddress, textSeed } from '../../src/shared/program-address.ts';
import { decodeFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import {
  BUYBACK_RECIPIENT,
  buildPumpSwap,
  COIN,
  CREATOR,
  MAYHEM_RECIPIENT,
  PROTOCOL_RECIPIENT,
} from './build.ts';

const RESERVES = [200_000_000_000_000n, 85_000_000_000n] as const;
const order = (mintIn: typeof COIN) => ({
  owner: testAddress(90),
  source: testAddress(91),
  destination: testAddress(92),
  mintIn,
  amountIn: 7n,
  amountOut: 6n,
  minOut: 5n,
});
const metas = (pool: ReturnType<typeof poolOf>, mintIn: typeof COIN) =>
  pool
    .swap(order(mintIn))[0]
    ?.accounts.map((meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`) ?? [];

describe('a PumpSwap pool', () => {
  it('is recognised by the pinned discriminators and addresses', () => {
    expect([...(POOL.discriminator ?? [])]).toEqual([241, 154, 109, 4, 17, 177, 109, 188]);
    expect([...BUY_EXACT_QUOTE_IN]).toEqual([198, 46, 21, 82, 180, 217, 232, 112]);
    expect([...SELL]).toEqual([51, 230, 133, 164, 1, 127, 131, 173]);
    expect(programAddress(PUMP_SWAP_PROGRAM, [textSeed('__event_authority')])).toBe(
      PUMP_SWAP_EVENT_AUTHORITY,
    );
  });

  it('takes three fees from a sale, each rounded up', () => {
    // Market cap 425 SOL: 0.20 + 0.05 + 0.95 %.
    const pool = poolOf(pumpSwap, buildPumpSwap({ reserves: RESERVES }));
    const gross = (RESERVES[1] * 1_000_000_000n) / (RESERVES[0] + 1_000_000_000n);
    const fee = (bps: bigint) => (gross * bps + 9_999n) / 10_000n;
    expect(pool.quote(COIN, 1_000_000_000n)).toBe(gross - fee(20n) - fee(5n) - fee(95n));
  });

  it('charges flat fees where the pool did not come out of a curve, and no creator fee without a creator', () => {
    const gross = (RESERVES[1] * 1_000_000_000n) / (RESERVES[0] + 1_000_000_000n);
    const fee = (bps: bigint) => (gross * bps + 9_999n) / 10_000n;
    const sell = (input: Partial<Parameters<typeof buildPumpSwap>[0]>) =>
      poolOf(pumpSwap, buildPumpSwap({ reserves: RESERVES, ...input })).quote(COIN, 1_000_000_000n);
    expect(sell({ canonical: false })).toBe(gross - fee(25n) - fee(5n));
    expect(sell({ coinCreator: null })).toBe(gross - fee(20n) - fee(5n));
    expect(sell({ creatorFeeBps: 10n, configurable: true })).toBe(gross - fee(20n) - fee(5n) - fee(10n));
    // Half the supply is half the market cap: the first tier.
    expect(sell({ supply: 500_000_000_000_000n })).toBe(gross - fee(2n) - fee(93n) - fee(30n));
    expect(sell({ supply: 1n, isMayhem: true })).toBe(gross - fee(20n) - fee(5n) - fee(95n));
  });

  it('counts virtual reserves in the price but pays out of the vault only', () => {
    const input = { reserves: [1_000_000n, 1_000n] as const, virtualQuote: 999_000n, canonical: false };
    const pool = poolOf(pumpSwap, buildPumpSwap(input));
    expect(pool.quote(COIN, 1_000n)).toBe(999n - 3n - 1n);
    expect(pool.quote(COIN, 10_000n)).toBe(0n);
  });

  it('is monotone, concave, below its spot price and within its reserves', () => {
    const amounts = Array.from(
      { length: 50 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    expectPoolProperties(poolOf(pumpSwap, buildPumpSwap({ reserves: RESERVES })), RESERVES, amounts);
  });

  it('reads pools of the first version, which end before the coin creator', () => {
    const pool = poolOf(pumpSwap, buildPumpSwap({ reserves: RESERVES, length: 211 }));
    expect(pool.quote(WSOL_MINT, 10n ** 9n)).toBeGreaterThan(0n);
    expect(metas(pool, COIN)).not.toContain(poolV2Address(COIN));
  });

  it('names the accounts a purchase and a sale take', () => {
    const pool = poolOf(pumpSwap, buildPumpSwap({ reserves: RESERVES }));
    const [buy, sell] = [metas(pool, WSOL_MINT), metas(pool, COIN)];
    expect(buy).toHaveLength(26);
    expect(sell).toHaveLength(24);
    expect(buy.slice(5, 7)).toEqual([`${testAddress(92)}*`, `${testAddress(91)}*`]);
    expect(sell.slice(5, 7)).toEqual([`${testAddress(91)}*`, `${testAddress(92)}*`]);
    expect(buy[9]).toBe(PROTOCOL_RECIPIENT);
    expect(buy[18]).toBe(creatorVaultAuthority(CREATOR));
    expect(buy[20]).toBe(`${userVolumeAddress(testAddress(90))}*`);
    expect(sell.slice(-2)).toEqual([
      BUYBACK_RECIPIENT,
      `${associatedTokenAddress(BUYBACK_RECIPIENT, WSOL_MINT, TOKEN_PROGRAM)}*`,
    ]);
  });

  it('adds what cashback coins take and pays another recipient for mayhem coins', () => {
    const pool = poolOf(pumpSwap, buildPumpSwap({ reserves: RESERVES, isCashback: true, isMayhem: true }));
    expect(metas(pool, WSOL_MINT)).toHaveLength(27);
    expect(metas(pool, COIN)).toHaveLength(26);
    expect(metas(pool, COIN)[9]).toBe(MAYHEM_RECIPIENT);
  });

  it.each([
    ['not-trading', buildPumpSwap({ reserves: RESERVES, disableFlags: 0b1000 })],
    ['not-trading', buildPumpSwap({ reserves: RESERVES, disableFlags: 0b10000 })],
    ['bad-state', buildPumpSwap({ reserves: [0n, 5n] })],
    ['bad-state', buildPumpSwap({ reserves: [5n, 5n], virtualQuote: -5n })],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(pumpSwap, fixture)).toMatchObject({ kind: 'refusal', reason });
  });

  it('trades while only deposits and withdrawals are off', () => {
    const pool = poolOf(pumpSwap, buildPumpSwap({ reserves: RESERVES, disableFlags: 0b110 }));
    expect(pool.quote(COIN, 10n ** 9n)).toBeGreaterThan(0n);
  });
});
