import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  addressBytes,
  type Instruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { MintFacts } from '../../src/pool.ts';
import { pumpFun } from '../../src/pump-fun/index.ts';
import { BUY_EXACT_SOL_IN, SELL } from '../../src/pump-fun/instruction.ts';
import { BUY_EXACT_QUOTE_IN_V2, SELL_V2 } from '../../src/pump-fun/instruction-v2.ts';
import {
  CURVE,
  CURVE_AT,
  creatorVaultAddress,
  curveAddress,
  curveV2Address,
  GLOBAL,
  PUMP_EVENT_AUTHORITY,
  PUMP_GLOBAL,
  PUMP_GLOBAL_VOLUME,
  PUMP_PROGRAM,
  userVolumeAddress,
} from '../../src/pump-fun/layout.ts';
import { associatedTokenAddress } from '../../src/shared/associated-token.ts';
import { u64 } from '../../src/shared/instruction-data.ts';
import { programAddress, textSeed } from '../../src/shared/program-address.ts';
import { PUMP_FEES_PROGRAM, pumpFeeConfigAddress } from '../../src/shared/pump-fees.ts';
import { buildMint, decodeFixture, flatTransferFee, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildFeeConfig, FEE_CONFIG, fees } from '../shared/pump-fee-config.ts';
import {
  BUYBACK_RECIPIENT,
  buildCurve,
  COIN,
  CREATOR,
  DOLLARS,
  FEE_RECIPIENT,
  MAYHEM_RECIPIENT,
} from './build.ts';

const TAXED = buildMint(testAddress(33), {}, { transferFee: flatTransferFee(0, 0n) });

const order = (mintIn: typeof COIN) => ({
  owner: testAddress(90),
  source: testAddress(91),
  destination: testAddress(92),
  mintIn,
  amountIn: 7n,
  amountOut: 6n,
  minOut: 5n,
  tokenAccountRent: 2_039_280n,
});

describe('a pump.fun curve', () => {
  it('is recognised by the pinned discriminators and addresses', () => {
    expect([...(CURVE.discriminator ?? [])]).toEqual([23, 183, 248, 55, 96, 216, 172, 96]);
    expect([...(GLOBAL.discriminator ?? [])]).toEqual([167, 232, 232, 177, 200, 108, 114, 127]);
    expect([...BUY_EXACT_SOL_IN]).toEqual([56, 252, 116, 8, 158, 223, 205, 95]);
    expect([...SELL]).toEqual([51, 230, 133, 164, 1, 127, 131, 173]);
    expect([...BUY_EXACT_QUOTE_IN_V2]).toEqual([194, 171, 28, 70, 104, 77, 91, 47]);
    expect([...SELL_V2]).toEqual([93, 246, 130, 60, 231, 233, 64, 178]);
    expect(programAddress(PUMP_PROGRAM, [textSeed('__event_authority')])).toBe(PUMP_EVENT_AUTHORITY);
  });

  it.each([
    [10n, 250_366n],
    [107n, 3_719_733n],
    [1_014n, 35_730_898n],
    [10_021n, 353_982_583n],
    [1_000_035n, 35_332_082_735n],
    [1_000_000_056n, 34_205_746_310_145n],
    [10_000_000_063n, 265_798_014_552_975n],
  ])('sells for %i lamports what the real program sold at the published fees: %i', (lamports, tokens) => {
    expect(poolOf(pumpFun, buildCurve()).quote(WSOL_MINT, lamports)).toBe(tokens);
  });

  it('sells nothing for a lamport', () => {
    expect(poolOf(pumpFun, buildCurve()).quote(WSOL_MINT, 1n)).toBe(0n);
  });

  it('takes the fees of what the mint says is left of the coin, and is refused without the mint', () => {
    const virtualQuote = 600_000_000_000n;
    const whole = poolOf(pumpFun, buildCurve({ virtualQuote }));
    const burnt = poolOf(pumpFun, buildCurve({ virtualQuote, supply: 10n ** 14n }));
    const gross = (virtualQuote * 10n ** 12n) / (1_073_000_000_000_000n + 10n ** 12n);
    const keep = (...bps: bigint[]) =>
      bps.reduce((left, one) => left - (gross * one + 9_999n) / 10_000n, gross);
    expect(whole.quote(COIN, 10n ** 12n)).toBe(keep(5n, 95n));
    expect(burnt.quote(COIN, 10n ** 12n)).toBe(keep(93n, 30n));
    const fixture = buildCurve();
    fixture.accounts.delete(COIN);
    expect(decodeFixture(pumpFun, fixture)).toMatchObject({ reason: 'missing-account' });
  });

  it('rounds protocol and creator fee up one by one', () => {
    const pool = poolOf(pumpFun, buildCurve({ virtualToken: 1_000_000n, virtualQuote: 1_000_000n }));
    // 101 comes off the curve: 0.93 % is 0.94 and 0.3 % is 0.3, one unit each.
    expect(pool.quote(COIN, 102n)).toBe(101n - 2n);
    const unpaid = poolOf(
      pumpFun,
      buildCurve({ virtualToken: 1_000_000n, virtualQuote: 1_000_000n, creator: null }),
    );
    expect(unpaid.quote(COIN, 102n)).toBe(101n - 1n);
  });

  it('takes the rates of its market cap, and its own creator rate where that is switched on', () => {
    const big = { virtualToken: 1_000_000_000_000n, virtualQuote: 500_000_000_000n };
    const gross = (500_000_000_000n * 1_000_000n) / 1_000_001_000_000n;
    const keep = (...bps: bigint[]) =>
      bps.reduce((left, one) => left - (gross * one + 9_999n) / 10_000n, gross);
    const sell = (input: Parameters<typeof buildCurve>[0]) =>
      poolOf(pumpFun, buildCurve({ ...big, realQuote: 10n ** 12n, ...input })).quote(COIN, 1_000_000n);
    expect(sell({})).toBe(keep(5n, 90n));
    expect(sell({ creatorFeeBps: 200n })).toBe(keep(5n, 90n));
    expect(sell({ creatorFeeBps: 200n, configurable: true })).toBe(keep(5n, 200n));
  });

  it('answers 0 to more than the curve holds on either side', () => {
    const pool = poolOf(pumpFun, buildCurve({ realToken: 1_000_000n, realQuote: 100n }));
    expect(pool.quote(WSOL_MINT, 29n)).toBeGreaterThan(0n);
    expect(pool.quote(WSOL_MINT, 100_000n)).toBe(0n);
    expect(pool.quote(COIN, 10_000_000n)).toBe(0n);
  });

  it('is monotone, concave, below its spot price and within what it holds', () => {
    const amounts = Array.from(
      { length: 46 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    expectPoolProperties(poolOf(pumpFun, buildCurve()), [793_100_000_000_000n, 5_000_000_000n], amounts);
  });

  it('reads accounts of the first version, which end before the creator', () => {
    const pool = poolOf(pumpFun, buildCurve({ length: 49 }));
    expect(pool.mints).toEqual([COIN, WSOL_MINT]);
    expect(pool.quote(COIN, 10n ** 9n)).toBeGreaterThan(0n);
  });

  it('builds a purchase with SOL and a sale for SOL', () => {
    const pool = poolOf(pumpFun, buildCurve());
    const metas = (mintIn: typeof COIN) => {
      const instruction = pool.swap(order(mintIn)).at(-1);
      return instruction?.accounts.map(
        (meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      );
    };
    const head = (tokens: string) => [
      PUMP_GLOBAL,
      `${FEE_RECIPIENT}*`,
      COIN,
      `${curveAddress(COIN)}*`,
      `${associatedTokenAddress(curveAddress(COIN), COIN, TOKEN_PROGRAM)}*`,
      `${tokens}*`,
      `${testAddress(90)}!*`,
      SYSTEM_PROGRAM,
    ];
    const tail = [
      pumpFeeConfigAddress(PUMP_PROGRAM),
      PUMP_FEES_PROGRAM,
      curveV2Address(COIN),
      `${BUYBACK_RECIPIENT}*`,
    ];
    const vault = `${creatorVaultAddress(CREATOR)}*`;
    expect(metas(WSOL_MINT)).toEqual([
      ...head(testAddress(92)),
      TOKEN_PROGRAM,
      vault,
      PUMP_EVENT_AUTHORITY,
      PUMP_PROGRAM,
      PUMP_GLOBAL_VOLUME,
      `${userVolumeAddress(testAddress(90))}*`,
      ...tail,
    ]);
    expect(metas(COIN)).toEqual([
      ...head(testAddress(91)),
      vault,
      TOKEN_PROGRAM,
      PUMP_EVENT_AUTHORITY,
      PUMP_PROGRAM,
      ...tail,
    ]);
    expect([...(pool.swap(order(WSOL_MINT)).at(-1)?.data ?? [])]).toEqual([
      ...BUY_EXACT_SOL_IN,
      ...u64(7n),
      ...u64(5n),
      1,
    ]);
    expect([...(pool.swap(order(COIN)).at(-1)?.data ?? [])]).toEqual([...SELL, ...u64(7n), ...u64(5n)]);
  });

  it('takes a dollar curve by the dollar schedule, and other quotes by the flat one', () => {
    const input = { virtualToken: 10n ** 12n, virtualQuote: 10n ** 9n, realQuote: 10n ** 9n };
    const gross = (10n ** 9n * 10n ** 9n) / (10n ** 12n + 10n ** 9n);
    const keep = (...bps: bigint[]) =>
      bps.reduce((left, one) => left - (gross * one + 9_999n) / 10_000n, gross);
    const sell = (quote: MintFacts, feeConfig = FEE_CONFIG) =>
      poolOf(pumpFun, buildCurve({ ...input, quote, feeConfig })).quote(COIN, 10n ** 9n);
    expect(sell(DOLLARS)).toBe(keep(20n, 30n));
    expect(sell(DOLLARS, { ...FEE_CONFIG, stableTiers: [] })).toBe(keep(5n, 95n));
    const other = buildMint(testAddress(33));
    expect(sell(other)).toBe(keep(5n, 0n));
    expect(sell(other, { ...FEE_CONFIG, exotic: fees(0, 40, 70) })).toBe(keep(40n, 70n));
    const pool = poolOf(pumpFun, buildCurve({ ...input, quote: DOLLARS }));
    expect(pool.mints).toEqual([COIN, DOLLARS.mint]);
    expect(pool.quote(DOLLARS.mint, 10_000n)).toBeGreaterThan(0n);
  });

  it.each<[string, Parameters<typeof buildCurve>[0], Address]>([
    ['a mayhem coin', { flagAt: CURVE_AT.isMayhem }, MAYHEM_RECIPIENT],
    ['a cashback coin', { flagAt: CURVE_AT.isCashback }, FEE_RECIPIENT],
    ['a holder-reward coin', { flagAt: CURVE_AT.isHolderReward }, FEE_RECIPIENT],
    ['a dollar curve', { quote: DOLLARS }, FEE_RECIPIENT],
    [
      'a dollar curve of a Token-2022 coin',
      { quote: DOLLARS, coin: buildMint(COIN, { tokenProgram: TOKEN_2022_PROGRAM }) },
      FEE_RECIPIENT,
    ],
  ])('builds the second form for %s', (_title, input, feeRecipient) => {
    const fixture = buildCurve(input);
    const [coin, quote] = fixture.mints;
    const pool = poolOf(pumpFun, fixture);
    const quoteOf = (holder: Address) => associatedTokenAddress(holder, quote.mint, quote.tokenProgram);
    const [trader, curve] = [testAddress(90), curveAddress(COIN)];
    const metas = (coins: Address, quotes: Address, isBuy: boolean) => [
      PUMP_GLOBAL,
      COIN,
      quote.mint,
      coin.tokenProgram,
      quote.tokenProgram,
      ASSOCIATED_TOKEN_PROGRAM,
      `${feeRecipient}*`,
      `${quoteOf(feeRecipient)}*`,
      `${BUYBACK_RECIPIENT}*`,
      `${quoteOf(BUYBACK_RECIPIENT)}*`,
      `${curve}*`,
      `${associatedTokenAddress(curve, COIN, coin.tokenProgram)}*`,
      `${quoteOf(curve)}*`,
      `${trader}!*`,
      `${coins}*`,
      `${input?.quote === undefined ? quoteOf(trader) : quotes}*`,
      `${creatorVaultAddress(CREATOR)}*`,
      `${quoteOf(creatorVaultAddress(CREATOR))}*`,
      programAddress(PUMP_FEES_PROGRAM, [textSeed('sharing-config'), addressBytes(COIN)]),
      ...(isBuy ? [PUMP_GLOBAL_VOLUME] : []),
      `${userVolumeAddress(trader)}*`,
      `${quoteOf(userVolumeAddress(trader))}*`,
      pumpFeeConfigAddress(PUMP_PROGRAM),
      PUMP_FEES_PROGRAM,
      SYSTEM_PROGRAM,
      PUMP_EVENT_AUTHORITY,
      PUMP_PROGRAM,
    ];
    const buy = pool.swap(order(quote.mint));
    const sell = pool.swap(order(COIN));
    const told = (instruction: Instruction | undefined) =>
      instruction?.accounts.map(
        (meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      );
    expect(told(buy.at(-1))).toEqual(metas(testAddress(92), testAddress(91), true));
    expect(told(sell.at(-1))).toEqual(metas(testAddress(91), testAddress(92), false));
    // SOL is unwrapped first; a token is spent where it lies.
    expect([buy.length, sell.length]).toEqual([input?.quote === undefined ? 5 : 1, 1]);
    expect([...(buy.at(-1)?.data ?? [])]).toEqual([...BUY_EXACT_QUOTE_IN_V2, ...u64(7n), ...u64(5n)]);
    expect([...(sell[0]?.data ?? [])]).toEqual([...SELL_V2, ...u64(7n), ...u64(5n)]);
  });

  it('finds the curve from the coin, never from SOL', () => {
    expect(pumpFun.filters.pair(WSOL_MINT, COIN)).toEqual([
      { kind: 'addresses', addresses: [curveAddress(COIN)] },
    ]);
    expect(pumpFun.filters.holding(WSOL_MINT)).toEqual([{ kind: 'addresses', addresses: [] }]);
  });

  it.each([
    ['not-trading', buildCurve({ complete: true })],
    ['unmodelled', buildCurve({ quote: TAXED })],
    ['missing-account', { ...buildCurve({ quote: DOLLARS }), mints: buildCurve().mints }],
    ['bad-state', buildCurve({ virtualToken: 0n })],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(pumpFun, fixture)).toMatchObject({ kind: 'refusal', reason });
  });

  it('is refused when the fee configuration is torn or missing', () => {
    const fixture = buildCurve();
    const key = pumpFeeConfigAddress(PUMP_PROGRAM);
    const account = buildFeeConfig();
    fixture.accounts.set(key, { ...account, data: account.data.slice(0, 100) });
    expect(decodeFixture(pumpFun, fixture)).toMatchObject({ reason: 'bad-state' });
    fixture.accounts.delete(key);
    expect(decodeFixture(pumpFun, fixture)).toMatchObject({ reason: 'missing-account' });
  });
});
