import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { associatedTokenAddress } from '@tradepost/venues';
import { pumpFun } from '../../../packages/venues/src/pump-fun/index.ts';
import { CURVE_AT } from '../../../packages/venues/src/pump-fun/layout.ts';
import { pumpSwap } from '../../../packages/venues/src/pump-swap/index.ts';
import { PUMP_SWAP_GLOBAL_CONFIG } from '../../../packages/venues/src/pump-swap/layout.ts';
import { raydiumClmm } from '../../../packages/venues/src/raydium-clmm/index.ts';
import { CLMM_PROGRAM } from '../../../packages/venues/src/raydium-clmm/layout.ts';
import { tickArrayAddress } from '../../../packages/venues/src/raydium-clmm/tick-arrays.ts';
import { raydiumLaunchlab } from '../../../packages/venues/src/raydium-launchlab/index.ts';
import {
  LAUNCHLAB_AUTHORITY,
  LAUNCHLAB_PROGRAM,
} from '../../../packages/venues/src/raydium-launchlab/layout.ts';
import * as curve from '../../../packages/venues/test/pump-fun/build.ts';
import * as swap from '../../../packages/venues/test/pump-swap/build.ts';
import * as clmm from '../../../packages/venues/test/raydium-clmm/build.ts';
import * as launch from '../../../packages/venues/test/raydium-launchlab/build.ts';
import { buildMint, poolOf, testAddress } from '../../../packages/venues/test/shared/build.ts';

const under2022 = { coin: buildMint(curve.COIN, { tokenProgram: TOKEN_2022_PROGRAM }) };
/** Each kind of coin whose trades take the second form. */
const CURVE_KINDS = [
  ['mayhem', { flagAt: CURVE_AT.isMayhem, ...under2022 }],
  ['cashback', { flagAt: CURVE_AT.isCashback, ...under2022 }],
  ['holder reward', { flagAt: CURVE_AT.isHolderReward, ...under2022 }],
  ['dollars', { quote: curve.DOLLARS }],
  ['dollars, Token-2022', { quote: curve.DOLLARS, ...under2022 }],
  ['dollars, mayhem', { quote: curve.DOLLARS, flagAt: CURVE_AT.isMayhem, ...under2022 }],
  ['dollars, cashback', { quote: curve.DOLLARS, flagAt: CURVE_AT.isCashback, ...under2022 }],
  [
    'another quote',
    { quote: buildMint(testAddress(33), { tokenProgram: TOKEN_2022_PROGRAM }), ...under2022 },
  ],
];

/**
 * Venues whose programs were not at hand to execute: their instructions are compared with the vendor's builders, account by
 * account, flag by flag, byte by byte.
 */
export async function runSuite({ sdk, seed }) {
  const raydium = sdk('@raydium-io/raydium-sdk-v2');
  const { PUMP_SDK } = sdk('@pump-fun/pump-sdk');
  const { PUMP_AMM_SDK } = sdk('@pump-fun/pump-swap-sdk');
  const { PublicKey } = sdk('@solana/web3.js');
  const BN = sdk('bn.js');
  const key = (value) => new PublicKey(value);
  const owner = testAddress(90);
  const order = (mintIn, source, destination) => ({
    owner,
    mintIn,
    source,
    destination,
    amountIn: 1_234_567n,
    amountOut: 900n,
    minOut: 890n,
    tokenAccountRent: 2_039_280n,
  });
  const [amountIn, minOut] = [new BN(1_234_567), new BN(890)];
  const [source, destination] = [testAddress(91), testAddress(92)];
  const pairs = [];

  {
    const fixture = clmm.buildClmm({ positions: [[-7_200, 7_200, 10n ** 12n]] });
    const pool = poolOf(raydiumClmm, fixture);
    const starts = [-7_200];
    const theirs = raydium.ClmmInstrument.swapV2Instruction(
      key(CLMM_PROGRAM),
      key(owner),
      key(fixture.id),
      key(clmm.CONFIG_ID),
      key(source),
      key(destination),
      key(clmm.VAULTS[0]),
      key(clmm.VAULTS[1]),
      key(pool.mints[0]),
      key(pool.mints[1]),
      starts.map((start) => key(tickArrayAddress(fixture.id, start))),
      key(clmm.OBSERVATION),
      amountIn,
      minOut,
      new BN(0),
      true,
    );
    pairs.push(['raydium-clmm swap_v2', pool.swap(order(pool.mints[0], source, destination))[0], theirs]);
  }

  {
    const fixture = launch.buildLaunch();
    const pool = poolOf(raydiumLaunchlab, fixture);
    const program = key(LAUNCHLAB_PROGRAM);
    const mintB = key(pool.mints[1]);
    const build = (make, userA, userB) =>
      make(
        program,
        key(owner),
        key(LAUNCHLAB_AUTHORITY),
        key(launch.CONFIG_ID),
        key(launch.PLATFORM_ID),
        key(fixture.id),
        key(userA),
        key(userB),
        key(launch.VAULTS[0]),
        key(launch.VAULTS[1]),
        key(pool.mints[0]),
        mintB,
        key(TOKEN_PROGRAM),
        key(TOKEN_PROGRAM),
        raydium.getPdaPlatformVault(program, key(launch.PLATFORM_ID), mintB).publicKey,
        raydium.getPdaCreatorVault(program, key(launch.CREATOR), mintB).publicKey,
        amountIn,
        minOut,
      );
    const ours = (index) => pool.swap(order(pool.mints[index], source, destination))[0];
    pairs.push(['raydium-launchlab buy', ours(1), build(raydium.buyExactInInstruction, destination, source)]);
    pairs.push([
      'raydium-launchlab sell',
      ours(0),
      build(raydium.sellExactInInstruction, source, destination),
    ]);
  }

  {
    const fixture = curve.buildCurve();
    const pool = poolOf(pumpFun, fixture);
    const tokens = associatedTokenAddress(owner, curve.COIN, TOKEN_PROGRAM);
    const input = {
      user: key(owner),
      mint: key(curve.COIN),
      creator: key(curve.CREATOR),
      amount: amountIn,
      solAmount: minOut,
      feeRecipient: key(curve.FEE_RECIPIENT),
      buybackFeeRecipient: key(curve.BUYBACK_RECIPIENT),
      tokenProgram: key(TOKEN_PROGRAM),
    };
    const buy = pool.swap(order(WSOL_MINT, source, tokens)).at(-1);
    // The vendor builds the exact-output purchase, which takes the same accounts and other data.
    const theirBuy = await PUMP_SDK.getBuyInstructionRaw(input);
    pairs.push(['pump-fun buy (accounts)', buy, { ...theirBuy, keys: theirBuy.keys, data: buy.data }]);
    const sell = pool.swap(order(curve.COIN, tokens, destination))[0];
    pairs.push(['pump-fun sell', sell, await PUMP_SDK.getSellInstructionRaw(input)]);
  }

  for (const [title, input] of CURVE_KINDS) {
    const fixture = curve.buildCurve(input);
    const pool = poolOf(pumpFun, fixture);
    const [coin, quote] = fixture.mints;
    const accountOf = ({ mint, tokenProgram }) => associatedTokenAddress(owner, mint, tokenProgram);
    const theirs = {
      user: key(owner),
      mint: key(coin.mint),
      creator: key(curve.CREATOR),
      amount: amountIn,
      quoteAmount: minOut,
      feeRecipient: key(input.flagAt === CURVE_AT.isMayhem ? curve.MAYHEM_RECIPIENT : curve.FEE_RECIPIENT),
      buybackFeeRecipient: key(curve.BUYBACK_RECIPIENT),
      tokenProgram: key(coin.tokenProgram),
      quoteMint: key(quote.mint),
      quoteTokenProgram: key(quote.tokenProgram),
    };
    const buy = pool.swap(order(quote.mint, accountOf(quote), accountOf(coin))).at(-1);
    // Again the exact-output form: the same accounts, other data.
    const theirBuy = await PUMP_SDK.getBuyV2InstructionRaw(theirs);
    pairs.push([
      `pump-fun buy, ${title} (accounts)`,
      buy,
      { ...theirBuy, keys: theirBuy.keys, data: buy.data },
    ]);
    const sell = pool.swap(order(coin.mint, accountOf(coin), accountOf(quote)))[0];
    pairs.push([`pump-fun sell, ${title}`, sell, await PUMP_SDK.getSellV2InstructionRaw(theirs)]);
  }

  for (const isCashback of [false, true]) {
    const fixture = swap.buildPumpSwap({ reserves: [10n ** 15n, 10n ** 11n], isCashback });
    const pool = poolOf(pumpSwap, fixture);
    const info = (address) => ({ data: Buffer.from(fixture.accounts.get(address).data) });
    const decoded = PUMP_AMM_SDK.decodePool(info(fixture.id));
    const globalConfig = PUMP_AMM_SDK.decodeGlobalConfig(info(PUMP_SWAP_GLOBAL_CONFIG));
    const state = {
      // The vendor picks recipients at random; with one recipient there is nothing to pick.
      globalConfig: {
        ...globalConfig,
        protocolFeeRecipients: [key(swap.PROTOCOL_RECIPIENT)],
        buybackFeeRecipients: [key(swap.BUYBACK_RECIPIENT)],
      },
      poolKey: key(fixture.id),
      pool: decoded,
      user: key(owner),
      poolAccountInfo: { data: { length: 300 } },
      baseTokenProgram: key(TOKEN_PROGRAM),
      quoteTokenProgram: key(TOKEN_PROGRAM),
      userBaseTokenAccount: key(source),
      userQuoteTokenAccount: key(destination),
      userBaseAccountInfo: { owner: key(TOKEN_PROGRAM) },
      userQuoteAccountInfo: { owner: key(TOKEN_PROGRAM) },
    };
    const pick = (list) => list.find((one) => one.keys.length > 20);
    const sells = await PUMP_AMM_SDK.sellInstructions(state, amountIn, minOut);
    const sell = pool.swap(order(swap.COIN, source, destination))[0];
    pairs.push([`pump-swap sell, cashback ${isCashback}`, sell, pick(sells)]);
    const buys = await PUMP_AMM_SDK.buyInstructions(state, amountIn, minOut);
    const buy = pool.swap(order(WSOL_MINT, destination, source))[0];
    // Again the exact-output form: the same accounts, other data.
    pairs.push([`pump-swap buy, cashback ${isCashback} (accounts)`, buy, { ...pick(buys), data: buy.data }]);
  }

  const ourText = (one) => [
    one.programId,
    ...one.accounts.map((meta) => `${meta.address} ${meta.signer} ${meta.writable}`),
    Buffer.from(one.data).toString('hex'),
  ];
  const theirText = (one) => [
    one.programId.toBase58(),
    ...one.keys.map((meta) => `${meta.pubkey.toBase58()} ${meta.isSigner} ${meta.isWritable}`),
    Buffer.from(one.data).toString('hex'),
  ];
  const tally = {
    name: 'instructions',
    against: 'vendors’ builders',
    seed,
    compared: pairs.length,
    filled: pairs.length,
    mismatches: 0,
    first: null,
  };
  for (const [name, ours, theirs] of pairs) {
    const [left, right] = [ourText(ours), theirText(theirs)];
    const at = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => index).find(
      (index) => left[index] !== right[index],
    );
    if (at === undefined) continue;
    tally.mismatches++;
    tally.first ??= { name, at, ours: left[at], theirs: right[at] };
  }
  return [tally];
}
