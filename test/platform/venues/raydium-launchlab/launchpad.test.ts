import { type Address, type ChainAccount, TOKEN_PROGRAM } from '@tradepost/solana';
import { associatedTokenAddress } from '@tradepost/venues';
import { expect, it } from 'vitest';
import {
  createRaydiumLaunchlabLaunchpad,
  LAUNCH_CONFIG,
  startReserves,
} from '../../../../packages/venues/src/raydium-launchlab/launchpad.ts';
import { CONFIG_AT, PLATFORM_AT } from '../../../../packages/venues/src/raydium-launchlab/layout.ts';
import { launchWorld, PLATFORM_ID } from '../../../../packages/venues/test/raydium-launchlab/build.ts';
import { type AccountBytes, testAddress } from '../../../../packages/venues/test/shared/build.ts';
import { PAD_CREATOR, PAD_MINT, padOrder, padWorld } from '../shared/exchange/pad-stub.ts';

const SOL = 1_000_000_000n;
const same = (bytes: AccountBytes): AccountBytes => bytes;
const padOf = (accounts = launchWorld()) =>
  createRaydiumLaunchlabLaunchpad({ ...padWorld(accounts), platform: PLATFORM_ID });

it('begins where a sale of 79.31 % for 85 SOL ends at the price of the pool that follows', () => {
  expect(startReserves(0n)).toEqual({ reserveA: 1_073_025_605_596_382n, reserveB: 30_000_852_951n });
  expect(startReserves(85n * SOL)).toBeNull();
});

it('offers the usual launch, with the fees of configuration and platform', async () => {
  const offer = await padOf().offer();
  expect(offer).toMatchObject({ supply: 10n ** 15n, graduationLamports: 85n * SOL, config: LAUNCH_CONFIG });
  // One percent off, then the curve.
  expect(offer?.firstBuy(SOL)).toBe(34_277_706_109_606n);
  expect(offer?.firstBuy(0n)).toBe(0n);
  expect(offer?.firstBuy(90n * SOL)).toBe(0n);
});

it.each<[string, ReadonlyMap<Address, ChainAccount>]>([
  ['the accounts are missing', new Map()],
  ['the curve is of another type', launchWorld((bytes) => bytes.u8(CONFIG_AT.curveType, 1))],
  ['it is quoted in another token', launchWorld((bytes) => bytes.address(CONFIG_AT.mintB, testAddress(9)))],
  ['more must be raised', launchWorld((bytes) => bytes.u64(CONFIG_AT.minFundRaisingB, 86n * SOL))],
  [
    'the platform restricts configurations',
    launchWorld(same, (bytes) => bytes.u8(PLATFORM_AT.restrictGlobalConfig, 1)),
  ],
  [
    'the platform restricts curves',
    launchWorld(same, (bytes) => bytes.u8(PLATFORM_AT.restrictCurveParam, 1)),
  ],
  ['fees are the whole amount', launchWorld(same, (bytes) => bytes.u64(PLATFORM_AT.feeRate, 1_000_000n))],
])('offers nothing where %s', async (_, accounts) => {
  expect(await padOf(accounts).offer()).toBeNull();
});

it('makes the token, wraps, buys and unwraps, signed by creator and mint alone', async () => {
  const offer = await padOf().offer();
  const holding = associatedTokenAddress(PAD_CREATOR, PAD_MINT, TOKEN_PROGRAM);
  const built = (await offer?.build(padOrder(holding, { lamports: SOL, minTokens: 5n }))) ?? [];
  expect(built.map(({ accounts }) => accounts.length)).toEqual([18, 6, 2, 2, 18, 3]);
  const signers = built.flatMap(({ accounts }) =>
    accounts.filter(({ signer }) => signer).map(({ address }) => address),
  );
  expect(new Set(signers)).toEqual(new Set([PAD_CREATOR, PAD_MINT]));
});
