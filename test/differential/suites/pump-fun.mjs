import { pumpFun } from '../../../packages/venues/src/pump-fun/index.ts';
import { CURVE_AT, PUMP_GLOBAL, PUMP_PROGRAM } from '../../../packages/venues/src/pump-fun/layout.ts';
import { pumpFeeConfigAddress } from '../../../packages/venues/src/shared/pump-fees.ts';
import { buildCurve, CREATOR, DOLLARS } from '../../../packages/venues/test/pump-fun/build.ts';
import { buildMint, poolOf, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { compare, orNull } from '../compare.mjs';
import { randomFeeConfig } from '../pump-fee-config.mjs';
import { sdkSpend } from '../pump-spend.mjs';

/** Kinds of coin beside the plain one, by the flag that says so. */
const KINDS = [CURVE_AT.isMayhem, CURVE_AT.isCashback, CURVE_AT.isHolderReward];

export async function runSuite({ sdk, seed, states }) {
  const { PUMP_SDK, computeFeesBps, getBuyTokenAmountFromSolAmount, getSellSolAmountFromTokenAmount } =
    sdk('@pump-fun/pump-sdk');
  const BN = sdk('bn.js');

  const make = (random) => {
    const virtualToken = random.log(10n ** 6n, 2n * 10n ** 15n);
    const virtualQuote = random.log(10n ** 6n, 10n ** 12n);
    const supply = random.chance(50) ? 10n ** 15n : random.log(10n ** 9n, 10n ** 15n);
    const namesCreator = !random.chance(20);
    const quote = random.chance(40) ? null : random.chance(60) ? DOLLARS : buildMint(testAddress(33));
    const flagAt = random.chance(40) ? random.pick(KINDS) : undefined;
    const fixture = buildCurve({
      ...(quote === null ? {} : { quote }),
      ...(flagAt === undefined ? {} : { flagAt }),
      length: random.chance(70) ? 125 : 151,
      supply,
      virtualToken,
      virtualQuote,
      realToken: random.between(1n, virtualToken),
      // Never the limit here: the vendor's function does not know it, our own tests do.
      realQuote: virtualQuote,
      creator: namesCreator ? CREATOR : null,
      creatorFeeBps: random.chance(30) ? random.between(1n, 500n) : 0n,
      configurable: random.chance(50),
      feeConfig: randomFeeConfig(random),
    });
    const info = (key) => ({ data: Buffer.from(fixture.accounts.get(key).data) });
    const global = PUMP_SDK.decodeGlobal(info(PUMP_GLOBAL));
    const bondingCurve = PUMP_SDK.decodeBondingCurve(info(fixture.id));
    const feeConfig = PUMP_SDK.decodeFeeConfig(info(pumpFeeConfigAddress(PUMP_PROGRAM)));
    const state = {
      global,
      feeConfig,
      mintSupply: new BN(supply.toString()),
      bondingCurve,
      quoteMint: bondingCurve.quoteMint,
    };
    const rates = computeFeesBps({ ...state, ...bondingCurve });
    if (!namesCreator) rates.creatorFeeBps = new BN(0);
    return {
      pool: poolOf(pumpFun, fixture),
      amount: (direction) => random.amount(direction === 0 ? virtualToken : virtualQuote),
      vendor: (direction, amount) =>
        orNull(() => {
          if (direction === 0) {
            // For sales the SDK counts a billion coins unless it is a mayhem coin; the program always asks the mint.
            const counting = { ...state, bondingCurve: { ...bondingCurve, isMayhemMode: true } };
            const lamports = getSellSolAmountFromTokenAmount({
              ...counting,
              amount: new BN(amount.toString()),
            });
            return lamports.isNeg() ? null : BigInt(lamports.toString());
          }
          const input = { ...state, amount: new BN(sdkSpend(amount, rates).toString()) };
          const tokens = getBuyTokenAmountFromSolAmount(input);
          // Capped at what is left: part of the lamports would buy nothing, which we do not offer.
          const uncapped = {
            ...input,
            bondingCurve: { ...bondingCurve, realTokenReserves: new BN(2).pow(new BN(64)) },
          };
          return getBuyTokenAmountFromSolAmount(uncapped).gt(tokens) ? null : BigInt(tokens.toString());
        }),
    };
  };
  return [
    await compare({
      name: 'pump-fun',
      against: 'getBuyTokenAmountFromSolAmount, getSell…',
      seed,
      states,
      make,
    }),
  ];
}
