import { expect, it } from 'vitest';
import { createPumpFunLaunchpad } from '../../../../src/adapters/venues/pump-fun/launchpad.ts';
import {
  CURVE,
  CURVE_AT,
  curveAddress,
  GLOBAL,
  GLOBAL_AT,
  PUMP_GLOBAL,
  PUMP_PROGRAM,
} from '../../../../src/adapters/venues/pump-fun/layout.ts';
import { associatedTokenAddress } from '../../../../src/adapters/venues/shared/exchange/associated-token.ts';
import { pumpFeeConfigAddress } from '../../../../src/adapters/venues/shared/exchange/pump-fees.ts';
import type { Address } from '../../../../src/core/address/address.ts';
import { TOKEN_2022_PROGRAM } from '../../../../src/core/address/programs.ts';
import type { ChainAccount } from '../../../../src/core/ports/chain.ts';
import { accountBytes, testAddress } from '../shared/exchange/build.ts';
import { PAD_CREATOR, PAD_MINT, padOrder, padWorld } from '../shared/exchange/pad-stub.ts';
import { buildFeeConfig } from '../shared/exchange/pump-fee-config.ts';

const SOL = 1_000_000_000n;
const ALL = 793_100_000_000_000n;
const world = (more: readonly (readonly [Address, ChainAccount])[] = [], virtualQuote = 30n * SOL) =>
  new Map<Address, ChainAccount>([
    [
      PUMP_GLOBAL,
      accountBytes(GLOBAL, 1087)
        .address(GLOBAL_AT.feeRecipient, testAddress(21))
        .address(GLOBAL_AT.buybackFeeRecipients, testAddress(22))
        .u64(GLOBAL_AT.virtualToken, 1_073_000_000_000_000n)
        .u64(GLOBAL_AT.virtualQuote, virtualQuote)
        .u64(GLOBAL_AT.realToken, ALL)
        .u64(GLOBAL_AT.supply, 10n ** 15n)
        .ownedBy(PUMP_PROGRAM),
    ],
    [pumpFeeConfigAddress(PUMP_PROGRAM), buildFeeConfig()],
    ...more,
  ]);
const padOf = (accounts = world()) => createPumpFunLaunchpad(padWorld(accounts));

it('offers the terms of the program’s own accounts', async () => {
  const offer = await padOf().offer();
  expect(offer).toMatchObject({
    tokenProgram: TOKEN_2022_PROGRAM,
    decimals: 6,
    supply: 10n ** 15n,
    updateAuthority: false,
    // The published figure: about 85 SOL.
    graduationLamports: 85_005_359_057n,
  });
  // (10^9 - 1) / 1.0123 of the way: 0.93 % protocol and 0.30 % creator on top of what reaches the curve.
  expect(offer?.firstBuy(SOL)).toBe(34_205_744_466_400n);
  expect(offer?.firstBuy(0n)).toBe(0n);
  expect(offer?.firstBuy(87n * SOL)).toBe(0n);
});

it('offers nothing where its accounts are missing or empty', async () => {
  expect(await padOf(new Map()).offer()).toBeNull();
  expect(await padOf(world([], 0n)).offer()).toBeNull();
});

it('says how far a coin came', async () => {
  const curve = (left: bigint, complete: number): readonly [Address, ChainAccount] => [
    curveAddress(PAD_MINT),
    accountBytes(CURVE, 125)
      .u64(CURVE_AT.realToken, left)
      .u8(CURVE_AT.complete, complete)
      .ownedBy(PUMP_PROGRAM),
  ];
  const launch = { mint: PAD_MINT, config: null };
  expect(await padOf().progress(launch)).toBeNull();
  expect(await padOf(world([curve(ALL, 0)])).progress(launch)).toEqual({ soldBps: 0, graduated: false });
  expect(await padOf(world([curve(ALL / 4n, 0)])).progress(launch)).toEqual({
    soldBps: 7_500,
    graduated: false,
  });
  expect(await padOf(world([curve(0n, 1)])).progress(launch)).toEqual({ soldBps: 10_000, graduated: true });
});

it('creates the coin, opens the account and buys, signed by creator and mint alone', async () => {
  const offer = await padOf().offer();
  const holding = associatedTokenAddress(PAD_CREATOR, PAD_MINT, TOKEN_2022_PROGRAM);
  const built = (await offer?.build(padOrder(holding, { lamports: SOL, minTokens: 5n }))) ?? [];
  expect(built.map(({ accounts }) => accounts.length)).toEqual([16, 6, 18]);
  const signers = built.flatMap(({ accounts }) =>
    accounts.filter(({ signer }) => signer).map(({ address }) => address),
  );
  expect(new Set(signers)).toEqual(new Set([PAD_CREATOR, PAD_MINT]));
  expect(await offer?.build(padOrder(holding, null))).toHaveLength(1);
});
