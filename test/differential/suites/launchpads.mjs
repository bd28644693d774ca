import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { associatedTokenAddress, createPumpFunLaunchpad } from '@tradepost/venues';
import {
  GLOBAL,
  GLOBAL_AT,
  PUMP_GLOBAL,
  PUMP_PROGRAM,
} from '../../../packages/venues/src/pump-fun/layout.ts';
import {
  createRaydiumLaunchlabLaunchpad,
  LAUNCH_CONFIG,
  startReserves,
} from '../../../packages/venues/src/raydium-launchlab/launchpad.ts';
import {
  CONFIG,
  CONFIG_AT,
  LAUNCHLAB_AUTHORITY,
  LAUNCHLAB_PROGRAM,
  PLATFORM,
  PLATFORM_AT,
} from '../../../packages/venues/src/raydium-launchlab/layout.ts';
import { pumpFeeConfigAddress } from '../../../packages/venues/src/shared/pump-fees.ts';
import { accountBytes, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { buildFeeConfig } from '../../../packages/venues/test/shared/pump-fee-config.ts';
import { PAD_CREATOR, PAD_MINT, padOrder, padWorld } from '../../platform/venues/shared/exchange/pad-stub.ts';
import { sdkSpend } from '../pump-spend.mjs';

const SUPPLY = 10n ** 15n;
const SOLD = 793_100_000_000_000n;
const RAISED = 85_000_000_000n;

/** Launches at pads whose programs were not at hand: every instruction against the vendor's builder, every start against its curve. */
export async function runSuite({ sdk, seed, states }) {
  const raydium = sdk('@raydium-io/raydium-sdk-v2');
  const { PUMP_SDK, computeFeesBps, getBuyTokenAmountFromSolAmount, newBondingCurve } =
    sdk('@pump-fun/pump-sdk');
  const { PublicKey } = sdk('@solana/web3.js');
  const BN = sdk('bn.js');
  const key = (value) => new PublicKey(value);
  const bn = (value) => new BN(value.toString());
  const first = { lamports: 1_234_567_890n, minTokens: 890n };
  const texts = padOrder(PAD_MINT, null);
  const pairs = [];

  const [feeRecipient, buybackFeeRecipient] = [testAddress(21), testAddress(22)];
  const global = accountBytes(GLOBAL, 1087)
    .address(GLOBAL_AT.feeRecipient, feeRecipient)
    .address(GLOBAL_AT.buybackFeeRecipients, buybackFeeRecipient)
    .u64(GLOBAL_AT.virtualToken, 1_073_000_000_000_000n)
    .u64(GLOBAL_AT.virtualQuote, 30_000_000_000n)
    .u64(GLOBAL_AT.realToken, SOLD)
    .u64(GLOBAL_AT.supply, SUPPLY)
    .u8(GLOBAL_AT.createV2Enabled, 1)
    .ownedBy(PUMP_PROGRAM);
  const feeConfig = buildFeeConfig();
  const pump = await createPumpFunLaunchpad(
    padWorld(
      new Map([
        [PUMP_GLOBAL, global],
        [pumpFeeConfigAddress(PUMP_PROGRAM), feeConfig],
      ]),
    ),
  ).offer();
  {
    const holding = associatedTokenAddress(PAD_CREATOR, PAD_MINT, TOKEN_2022_PROGRAM);
    const [create, , buy] = await pump.build(padOrder(holding, first));
    const common = { mint: key(PAD_MINT), user: key(PAD_CREATOR), creator: key(PAD_CREATOR) };
    const { name, symbol, uri } = texts;
    pairs.push([
      'pump-fun create_v2',
      create,
      await PUMP_SDK.createV2Instruction({ ...common, name, symbol, uri, mayhemMode: false }),
    ]);
    const theirs = await PUMP_SDK.getBuyInstructionRaw({
      ...common,
      amount: bn(first.minTokens),
      solAmount: bn(first.lamports),
      feeRecipient: key(feeRecipient),
      buybackFeeRecipient: key(buybackFeeRecipient),
      tokenProgram: key(TOKEN_2022_PROGRAM),
    });
    // The vendor builds the exact-output purchase, which takes the same accounts and other data.
    pairs.push(['pump-fun first buy (accounts)', buy, { ...theirs, keys: theirs.keys, data: buy.data }]);
  }

  const platform = testAddress(3);
  const launchlab = await createRaydiumLaunchlabLaunchpad({
    ...padWorld(
      new Map([
        [
          LAUNCH_CONFIG,
          accountBytes(CONFIG)
            .u64(CONFIG_AT.tradeFeeRate, 2_500n)
            .address(CONFIG_AT.mintB, WSOL_MINT)
            .ownedBy(LAUNCHLAB_PROGRAM),
        ],
        [platform, accountBytes(PLATFORM).u64(PLATFORM_AT.feeRate, 7_500n).ownedBy(LAUNCHLAB_PROGRAM)],
      ]),
    ),
    platform,
  }).offer();
  {
    const program = key(LAUNCHLAB_PROGRAM);
    const mintB = key(WSOL_MINT);
    const config = raydium.getPdaLaunchpadConfigId(program, mintB, 0, 0).publicKey;
    const pool = raydium.getPdaLaunchpadPoolId(program, key(PAD_MINT), mintB).publicKey;
    const vaultA = raydium.getPdaLaunchpadVaultId(program, pool, key(PAD_MINT)).publicKey;
    const vaultB = raydium.getPdaLaunchpadVaultId(program, pool, mintB).publicKey;
    const holding = associatedTokenAddress(PAD_CREATOR, PAD_MINT, TOKEN_PROGRAM);
    const built = await launchlab.build(padOrder(holding, first));
    const { name, symbol, uri } = texts;
    pairs.push([
      'raydium-launchlab initialize_v2',
      built[0],
      raydium.initializeV2(
        program,
        key(PAD_CREATOR),
        key(PAD_CREATOR),
        config,
        key(platform),
        key(LAUNCHLAB_AUTHORITY),
        pool,
        key(PAD_MINT),
        mintB,
        vaultA,
        vaultB,
        key(built[0].accounts[10].address),
        key(TOKEN_PROGRAM),
        6,
        name,
        symbol,
        uri,
        {
          type: 'ConstantCurve',
          supply: bn(SUPPLY),
          totalSellA: bn(SOLD),
          totalFundRaisingB: bn(RAISED),
          migrateType: 'cpmm',
        },
        new BN(0),
        new BN(0),
        new BN(0),
        0,
      ),
    ]);
    const buy = built[4];
    pairs.push([
      'raydium-launchlab buy_exact_in',
      buy,
      raydium.buyExactInInstruction(
        program,
        key(PAD_CREATOR),
        key(LAUNCHLAB_AUTHORITY),
        config,
        key(platform),
        pool,
        key(holding),
        key(buy.accounts[6].address),
        vaultA,
        vaultB,
        key(PAD_MINT),
        mintB,
        key(TOKEN_PROGRAM),
        key(TOKEN_PROGRAM),
        raydium.getPdaPlatformVault(program, key(platform), mintB).publicKey,
        raydium.getPdaCreatorVault(program, key(PAD_CREATOR), mintB).publicKey,
        bn(first.lamports),
        bn(first.minTokens),
      ),
    ]);
  }

  const tally = {
    name: 'launchpads',
    against: 'createV2Instruction, getBuyInstructionRaw, initializeV2, buyExactInInstruction, getInitParam',
    seed,
    compared: 0,
    filled: 0,
    mismatches: 0,
    first: null,
  };
  const note = (name, ours, theirs) => {
    tally.compared++;
    if (theirs !== null) tally.filled++;
    if (`${ours}` === `${theirs}`) return;
    tally.mismatches++;
    tally.first ??= { name, ours: `${ours}`, theirs: `${theirs}` };
  };
  const text = (programId, metas, data) =>
    [programId, ...metas.map((meta) => meta.join(' ')), Buffer.from(data).toString('hex')].join('\n');
  for (const [name, ours, theirs] of pairs) {
    note(
      name,
      text(
        ours.programId,
        ours.accounts.map((meta) => [meta.address, meta.signer, meta.writable]),
        ours.data,
      ),
      text(
        theirs.programId.toBase58(),
        theirs.keys.map((meta) => [meta.pubkey.toBase58(), meta.isSigner, meta.isWritable]),
        theirs.data,
      ),
    );
  }
  const decoded = {
    global: PUMP_SDK.decodeGlobal({ data: Buffer.from(global.data), owner: key(PUMP_PROGRAM) }),
    feeConfig: PUMP_SDK.decodeFeeConfig({ data: Buffer.from(feeConfig.data) }),
  };
  const rates = computeFeesBps({
    ...decoded,
    ...newBondingCurve(decoded.global, key(WSOL_MINT)),
    mintSupply: decoded.global.tokenTotalSupply,
  });
  for (let index = 0; index < Math.min(states, 500); index++) {
    const lamports = 1_000n + BigInt(index) ** 3n * 600n;
    const theirs = getBuyTokenAmountFromSolAmount({
      ...decoded,
      mintSupply: null,
      bondingCurve: null,
      amount: bn(sdkSpend(lamports, rates)),
      quoteMint: key(WSOL_MINT),
    });
    note(`pump-fun first buy of ${lamports}`, pump.firstBuy(lamports), BigInt(theirs.toString()));
    const migrateFee = BigInt(index) * 20_000_000n;
    const start = startReserves(migrateFee);
    const init = raydium.Curve.getCurve(0).getInitParam({
      supply: bn(SUPPLY),
      totalFundRaising: bn(RAISED),
      totalSell: bn(SOLD),
      totalLockedAmount: new BN(0),
      migrateFee: bn(migrateFee),
    });
    note(`launchlab start at ${migrateFee}`, `${start.reserveA} ${start.reserveB}`, `${init.a} ${init.b}`);
  }
  return [tally];
}
