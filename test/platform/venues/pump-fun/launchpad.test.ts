import { type Address, type ChainAccount, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { associatedTokenAddress, createPumpFunLaunchpad } from '@tradepost/venues';
import { expect, it } from 'vitest';
import {
  CURVE,
  CURVE_AT,
  curveAddress,
  GLOBAL_AT,
  PUMP_GLOBAL,
  PUMP_PROGRAM,
} from '../../../../packages/venues/src/pump-fun/layout.ts';
import { launchWorld } from '../../../../packages/venues/test/pump-fun/build.ts';
import { accountBytes } from '../../../../packages/venues/test/shared/build.ts';
import { PAD_CREATOR, PAD_MINT, padOrder, padWorld } from '../shared/exchange/pad-stub.ts';

const SOL = 1_000_000_000n;
const ALL = 793_100_000_000_000n;
const padOf = (accounts = launchWorld()) => createPumpFunLaunchpad(padWorld(accounts));

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
  expect(await padOf(launchWorld([], 0n)).offer()).toBeNull();
});

it('offers nothing while the program has launches switched off', async () => {
  const world = launchWorld();
  const global = world.get(PUMP_GLOBAL);
  if (global === undefined) throw new Error('no global account');
  const off = { ...global, data: global.data.with(GLOBAL_AT.createV2Enabled, 0) };
  expect(await padOf(launchWorld([[PUMP_GLOBAL, off]])).offer()).toBeNull();
});

it('names the rent of every account that the program opens', async () => {
  const offer = await padOf().offer();
  const { name, symbol, uri } = padOrder(PAD_CREATOR, null);
  // Mint and curve with the longest layout known, and the account of what is for sale.
  const launch = 3_452_160n + 1_941_840n + 2_074_080n;
  expect(await offer?.costLamports({ name, symbol, uri }, false)).toBe(launch);
  // The creator's account, his count of volume, and where his fees are kept.
  expect(await offer?.costLamports({ name, symbol, uri }, true)).toBe(
    launch + 2_074_080n + 1_844_400n + 890_880n,
  );
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
  expect(await padOf(launchWorld([curve(ALL, 0)])).progress(launch)).toEqual({
    soldBps: 0,
    graduated: false,
  });
  expect(await padOf(launchWorld([curve(ALL / 4n, 0)])).progress(launch)).toEqual({
    soldBps: 7_500,
    graduated: false,
  });
  expect(await padOf(launchWorld([curve(0n, 1)])).progress(launch)).toEqual({
    soldBps: 10_000,
    graduated: true,
  });
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
