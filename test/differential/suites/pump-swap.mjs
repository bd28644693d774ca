import { pumpSwap } from '../../../packages/venues/src/pump-swap/index.ts';
import { PUMP_SWAP_GLOBAL_CONFIG, PUMP_SWAP_PROGRAM } from '../../../packages/venues/src/pump-swap/layout.ts';
import { pumpFeeConfigAddress } from '../../../packages/venues/src/shared/pump-fees.ts';
import { DOLLARS } from '../../../packages/venues/test/pump-fun/build.ts';
import { buildPumpSwap, CREATOR } from '../../../packages/venues/test/pump-swap/build.ts';
import { buildMint, poolOf, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { compare, orNull } from '../compare.mjs';
import { randomFeeConfig } from '../pump-fee-config.mjs';

export async function runSuite({ sdk, seed, states }) {
  const { PUMP_AMM_SDK, buyQuoteInput, sellBaseInput } = sdk('@pump-fun/pump-swap-sdk');
  const BN = sdk('bn.js');

  const make = (random) => {
    const reserves = [random.log(1000n, 10n ** 16n), random.log(1000n, 10n ** 15n)];
    const supply = random.log(10n ** 9n, 2n * 10n ** 15n);
    const fixture = buildPumpSwap({
      reserves,
      virtualQuote: random.chance(40) ? random.between(-reserves[1] / 2n, reserves[1] * 3n) : 0n,
      supply,
      canonical: random.chance(70),
      coinCreator: random.chance(20) ? null : CREATOR,
      creatorFeeBps: random.chance(30) ? random.between(1n, 500n) : 0n,
      configurable: random.chance(50),
      isMayhem: random.chance(20),
      feeConfig: randomFeeConfig(random),
      ...(random.chance(40) ? {} : { quote: random.chance(60) ? DOLLARS : buildMint(testAddress(33)) }),
    });
    const info = (key) => ({ data: Buffer.from(fixture.accounts.get(key).data) });
    const pool = PUMP_AMM_SDK.decodePool(info(fixture.id));
    const state = {
      slippage: 1,
      baseReserve: new BN(reserves[0].toString()),
      quoteReserve: new BN(reserves[1].toString()),
      virtualQuoteReserves: pool.virtualQuoteReserves,
      globalConfig: PUMP_AMM_SDK.decodeGlobalConfig(info(PUMP_SWAP_GLOBAL_CONFIG)),
      baseMintAccount: { supply },
      baseMint: pool.baseMint,
      coinCreator: pool.coinCreator,
      creator: pool.creator,
      feeConfig: PUMP_AMM_SDK.decodeFeeConfig(info(pumpFeeConfigAddress(PUMP_SWAP_PROGRAM))),
      quoteMint: pool.quoteMint,
      isMayhemMode: pool.isMayhemMode,
      creatorFeeBps: pool.creatorFeeBps,
    };
    const positive = (value) => (value.isNeg() ? null : BigInt(value.toString()));
    return {
      pool: poolOf(pumpSwap, fixture),
      amount: (direction) => random.amount(reserves[direction]),
      vendor: (direction, amount) =>
        orNull(() => {
          const units = new BN(amount.toString());
          return direction === 0
            ? positive(sellBaseInput({ ...state, base: units }).uiQuote)
            : positive(buyQuoteInput({ ...state, quote: units }).base);
        }),
    };
  };
  return [await compare({ name: 'pump-swap', against: 'buyQuoteInput, sellBaseInput', seed, states, make })];
}
