import { Keypair } from '@solana/web3.js';
import {
  type Address,
  lamports,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  unitsHeld,
  WSOL_MINT,
} from '@tradepost/solana';
import {
  accountView,
  associatedTokenAddress,
  createPumpFunLaunchpad,
  isRefusal,
  type LaunchOffer,
} from '@tradepost/venues';
import { expect, it } from 'vitest';
import { pumpFun } from '../../../../packages/venues/src/pump-fun/index.ts';
import {
  creatorVaultAddress,
  curveAddress,
  GLOBAL_AT,
  PUMP_GLOBAL,
  PUMP_GLOBAL_VOLUME,
  PUMP_PROGRAM,
  userVolumeAddress,
} from '../../../../packages/venues/src/pump-fun/layout.ts';
import { PUMP_FEES_PROGRAM, pumpFeeConfigAddress } from '../../../../packages/venues/src/shared/pump-fees.ts';
import {
  AccountBytes,
  buildFacts,
  buildMint,
  buildWrappedSol,
} from '../../../../packages/venues/test/shared/build.ts';
import { address } from '../../../../src/core/address/address.ts';
import { createPrograms } from '../../../../src/platform/chain/programs.ts';
import { readMint } from '../../../modules/mint/read-mint.ts';
import {
  accountFromDirectory,
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  type Localnet,
  type SwapOptions,
  swapLadder,
} from '../shared/exchange/localnet.ts';
import { plantLaunches } from './on-chain.ts';

const SOL = 1_000_000_000n;
/** Signatures of the creator and of the mint. */
const NETWORK_FEE_LAMPORTS = 10_000n;
/** Builds give a new curve 83 or 115 bytes; what is told has room for any that is known. */
const TOLD_CURVE_BYTES = 151;
const NAMES = { name: 'Puppies 🐶', symbol: 'PUPS', uri: 'https://meta.example.org/pups.json' };
/** The mayhem mode's program is named and not called, so it need not be there. */
const programs = [PUMP_PROGRAM, PUMP_FEES_PROGRAM];
const mainnetAccounts = [PUMP_GLOBAL, PUMP_GLOBAL_VOLUME, pumpFeeConfigAddress(PUMP_PROGRAM)];

const rentOn = (chain: Localnet, bytes: number): bigint =>
  chain.svm.minimumBalanceForRentExemption(BigInt(bytes));

/** The one account of which more is told than is taken. */
const roomOfCurve = (chain: Localnet, mint: Address): bigint =>
  rentOn(chain, TOLD_CURVE_BYTES) - rentOn(chain, chain.get(curveAddress(mint))?.data.length ?? 0);

/** The pad over the chain that runs its program. */
async function padOn(plant: (chain: Localnet) => void) {
  const chain = createLocalnet(programs);
  chain.setUnixSeconds(1_790_000_000n);
  plant(chain);
  const pad = createPumpFunLaunchpad({
    chain: {
      accounts: async (keys) => ({ slot: 1n, accounts: keys.map((key) => chain.get(key)) }),
      rentExemption: async (bytes) => lamports(rentOn(chain, bytes)),
    },
    programs: createPrograms(),
  });
  const offer = await pad.offer();
  if (offer === null) throw new Error('the pad takes no launches');
  return { chain, pad, offer };
}

function plantMainnet(chain: Localnet): void {
  for (const key of mainnetAccounts) {
    const account = accountFromDirectory(key);
    if (account !== null) chain.set(key, account);
  }
  const global = accountView(chain.get(PUMP_GLOBAL)?.data ?? new Uint8Array());
  for (const at of [GLOBAL_AT.feeRecipient, GLOBAL_AT.buybackFeeRecipients])
    chain.set(global.address(at), new AccountBytes(0).ownedBy(SYSTEM_PROGRAM));
}

const balance = (chain: Localnet): bigint => chain.get(chain.trader)?.lamports ?? 0n;

/** A new coin: runs its launch, and tells the chain's error, what it took from the creator, and what it brought. */
function coinOn(chain: Localnet, offer: LaunchOffer) {
  const keypair = Keypair.generate();
  const mint = address(keypair.publicKey.toBase58());
  const holding = associatedTokenAddress(chain.trader, mint, TOKEN_2022_PROGRAM);
  return {
    mint,
    holding,
    launch: async (firstBuy: Parameters<LaunchOffer['build']>[0]['firstBuy']) => {
      const order = { ...NAMES, creator: chain.trader, mint, holding, firstBuy, seed: 'unused' };
      const before = balance(chain);
      const error = chain.run(await offer.build(order), [keypair]);
      const spent = before - balance(chain) - NETWORK_FEE_LAMPORTS;
      return { error, spent, held: unitsHeld(chain.get(holding)) };
    },
  };
}

/** The largest purchase that a new curve takes. */
function largestFirstBuy(offer: LaunchOffer): bigint {
  let [taken, refused] = [SOL, 100n * SOL];
  while (refused - taken > 1n) {
    const middle = (taken + refused) / 2n;
    if (offer.firstBuy(middle) > 0n) taken = middle;
    else refused = middle;
  }
  return taken;
}

/** A coin's curve as the venue decodes it. */
function curveOf(chain: Localnet, mint: Address) {
  const mints = [
    buildMint(mint, { tokenProgram: TOKEN_2022_PROGRAM }),
    buildMint(WSOL_MINT, { decimals: 9 }),
  ] as const;
  const fixture = { id: curveAddress(mint), mints };
  const asked = mints.map((facts) => facts.mint);
  const pool = pumpFun.decode({ ...fixture, asked, get: (key) => chain.get(key) }, buildFacts(mints));
  if (isRefusal(pool)) throw new Error(pool.detail);
  return { fixture, pool };
}

/** A coin trades to the unit of what the venue says of its curve, in both directions. */
function expectTrades(chain: Localnet, mint: Address): void {
  const { fixture } = curveOf(chain, mint);
  const [, sol] = fixture.mints;
  const wrapped = associatedTokenAddress(chain.trader, WSOL_MINT, sol.tokenProgram);
  chain.set(wrapped, buildWrappedSol(sol, chain.trader, 10n ** 12n));
  const swaps = swapLadder([10n ** 12n, 10n ** 9n], 40);
  const coins = associatedTokenAddress(chain.trader, mint, TOKEN_2022_PROGRAM);
  const options: SwapOptions = { wallets: [coins, wrapped], paysLamports: true };
  const check = expectSwapsMatch(chain, pumpFun, fixture, swaps, options);
  expect(check.filled).toBeGreaterThan(20);
}

const suite = (plant: (chain: Localnet) => void) => () => {
  it.each([4n, 100n, 12_345_678n, SOL, 50n * SOL + 1n])(
    'a first buy of %d lamports brings what was quoted, for what was told',
    async (amount) => {
      const { chain, offer } = await padOn(plant);
      const coin = coinOn(chain, offer);
      const quoted = offer.firstBuy(amount);
      const more = await coin.launch({ lamports: amount, minTokens: quoted + 1n });
      // BuySlippageBelowMinTokensOut
      expect(more).toMatchObject({ error: expect.stringContaining('6042'), spent: 0n });
      expect(chain.get(coin.mint)).toBeNull();
      const launched = await coin.launch({ lamports: amount, minTokens: quoted });
      expect(launched).toMatchObject({ error: null, held: quoted });
      const told = amount + (await offer.costLamports(NAMES, true));
      expect(told - launched.spent).toBe(roomOfCurve(chain, coin.mint));
    },
  );

  it('a creator who has bought and launched before pays neither account of his again', async () => {
    const { chain, offer } = await padOn(plant);
    const buy = { lamports: SOL, minTokens: 1n };
    const first = await coinOn(chain, offer).launch(buy);
    const his = [creatorVaultAddress, userVolumeAddress].map((of) => chain.get(of(chain.trader)));
    expect(his.map((account) => account?.data.length)).toEqual([0, 137]);
    const second = await coinOn(chain, offer).launch(buy);
    expect(first.spent - second.spent).toBe(rentOn(chain, 0) + (his[1]?.lamports ?? 0n));
    expect(second.held).toBe(first.held);
  });

  it('the largest first buy that is quoted lands, and nothing above it', async () => {
    const { chain, pad, offer } = await padOn(plant);
    const largest = largestFirstBuy(offer);
    const over = { lamports: largest + 1n, minTokens: 1n };
    expect(offer.firstBuy(over.lamports)).toBe(0n);
    // NotEnoughTokensToBuy
    expect((await coinOn(chain, offer).launch(over)).error).toContain('6021');
    const coin = coinOn(chain, offer);
    const minTokens = offer.firstBuy(largest);
    expect(await coin.launch({ lamports: largest, minTokens })).toMatchObject({
      error: null,
      held: minTokens,
    });
    const progress = await pad.progress({ mint: coin.mint, config: null });
    expect(progress).toEqual({ soldBps: 9_999, graduated: false });
  });

  it('a launch without a first buy opens no account of the creator’s and leaves the curve as offered', async () => {
    const { chain, pad, offer } = await padOn(plant);
    const coin = coinOn(chain, offer);
    const { error, spent } = await coin.launch(null);
    expect(error).toBeNull();
    expect(chain.get(coin.holding)).toBeNull();
    const told = await offer.costLamports(NAMES, false);
    expect(told - spent).toBe(roomOfCurve(chain, coin.mint));
    expect(await pad.progress({ mint: coin.mint, config: null })).toEqual({ soldBps: 0, graduated: false });
    const { pool } = curveOf(chain, coin.mint);
    for (const amount of [SOL, 50n * SOL + 1n])
      expect(pool.quote(WSOL_MINT, amount)).toBe(offer.firstBuy(amount));
  });

  it('makes a coin over which nobody keeps a power', async () => {
    const { chain, offer } = await padOn(plant);
    const coin = coinOn(chain, offer);
    await coin.launch(null);
    const account = chain.get(coin.mint);
    if (account === null) throw new Error('no mint');
    expect(readMint(coin.mint, account)).toMatchObject({
      decimals: offer.decimals,
      supply: offer.supply,
      mintAuthority: null,
      freezeAuthority: null,
      extensions: new Set(['MetadataPointer', 'TokenMetadata']),
      pointer: { authority: null, address: coin.mint },
      metadata: { updateAuthority: null, ...NAMES },
    });
  });

  it('makes a coin that trades to the unit of its quotes', async () => {
    const { chain, offer } = await padOn(plant);
    const coin = coinOn(chain, offer);
    await coin.launch({ lamports: 5n * SOL, minTokens: 1n });
    expectTrades(chain, coin.mint);
  });
};

describeOnLocalnet('a launch on the real pump.fun', { programs }, suite(plantLaunches));
describeOnLocalnet(
  'a launch on the real pump.fun with mainnet’s configuration',
  { programs, accounts: mainnetAccounts },
  suite(plantMainnet),
);
