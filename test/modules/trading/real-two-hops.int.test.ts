import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import {
  type Address,
  addressBytes,
  addressFromBytes,
  type ChainAccount,
  minBigint,
  readTokenAccount,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { accountView, type MintFacts, textSeed } from '@tradepost/venues';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeAccountFile } from '../../../packages/local-chain/src/account-file.ts';
import { DAMM_V2_AUTHORITY, DAMM_V2_PROGRAM } from '../../../packages/venues/src/meteora-damm-v2/layout.ts';
import { DLMM_PROGRAM, PAIR, PAIR_AT } from '../../../packages/venues/src/meteora-dlmm/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../packages/venues/src/orca-whirlpool/layout.ts';
import { CLMM_PROGRAM } from '../../../packages/venues/src/raydium-clmm/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { numberSeed } from '../../../packages/venues/src/shared/derived-pools.ts';
import { buildDamm, VAULTS as DAMM_VAULTS } from '../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildWhirlpool, whirlpoolOnChain } from '../../../packages/venues/test/orca-whirlpool/build.ts';
import { buildClmm } from '../../../packages/venues/test/raydium-clmm/build.ts';
import { buildCpmm, cpmmOnChain } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import {
  backedByLamports,
  buildMint,
  buildMintAccount,
  buildTokenAccount,
  derivedAddress,
  movedTo,
  type PoolFixture,
  testAddress,
} from '../../../packages/venues/test/shared/build.ts';
import { createRestTrader, type RestTrader } from '../../../scripts/tour/rest-swap.ts';
import { address } from '../../../src/core/address/address.ts';
import { plantClmm } from '../../platform/venues/raydium-clmm/on-chain.ts';
import {
  accountFromDirectory,
  accountsOfDirectory,
  createLocalnet,
  describeOnLocalnet,
} from '../../platform/venues/shared/exchange/localnet.ts';
import { type Program, startProgram } from '../../support/program.ts';

type Accounts = Map<Address, ChainAccount>;
type Mints = readonly [MintFacts, MintFacts];

const PROGRAMS = [
  RAYDIUM_CPMM_PROGRAM,
  CLMM_PROGRAM,
  WHIRLPOOL_PROGRAM,
  DAMM_V2_PROGRAM,
  DLMM_PROGRAM,
] as const;
const SOL = buildMint(WSOL_MINT, { decimals: 9 });
const ORCA_CONFIG = address('2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ');
/** Units of a position or a pool on each side, and the most SOL that a planted vault holds. */
const DEPTH = 10n ** 12n;
const MOST_LAMPORTS = 10n ** 15n;
const AMOUNT = 20_000_000n;
/** A search of the rarer places takes its turns behind a node that takes 100 calls in ten seconds. */
const SEARCHED_MS = 150_000;

/** A token and SOL as a program orders them: the smaller address first. */
const against = (token: MintFacts): Mints =>
  Buffer.compare(addressBytes(token.mint), addressBytes(SOL.mint)) < 0 ? [token, SOL] : [SOL, token];
const seedsOf = (mints: Mints): Uint8Array[] => mints.map(({ mint }) => addressBytes(mint));

/** The same accounts with everything made up moved, so that the pools of several venues are on one chain. */
const apart = (fixture: PoolFixture, by: number, moves: readonly (readonly [Address, Address])[] = []) =>
  movedTo(fixture, [
    ...moves,
    ...[1, 2, 3, 4, 5, 6]
      .map((n) => [testAddress(n), testAddress(n + by)] as const)
      .filter(([from]) => !moves.some(([moved]) => moved === from)),
  ]).accounts;

function cpmmOf(token: MintFacts): Accounts {
  const mints = against(token);
  const config = derivedAddress(RAYDIUM_CPMM_PROGRAM, [textSeed('amm_config'), numberSeed(1, 2, 'be')]).id;
  const seeds = [textSeed('pool'), addressBytes(config), ...seedsOf(mints)];
  const { id } = derivedAddress(RAYDIUM_CPMM_PROGRAM, seeds);
  const fixture = buildCpmm({ reserves: [DEPTH, DEPTH], mints });
  return apart({ ...fixture, accounts: new Map(cpmmOnChain(fixture)) }, 100, [
    [testAddress(1), id],
    [testAddress(2), config],
  ]);
}

function clmmOf(token: MintFacts): Accounts {
  const accounts: Accounts = new Map();
  const config = derivedAddress(CLMM_PROGRAM, [textSeed('amm_config'), numberSeed(4, 2, 'be')]).id;
  const chain = {
    ...createLocalnet([]),
    set: (key: Address, account: ChainAccount) => void accounts.set(key, account),
    setMint: () => undefined,
  };
  plantClmm(chain, buildClmm({ mints: against(token), config, positions: [[-6_000, 6_000, DEPTH]] }));
  return accounts;
}

function whirlpoolOf(token: MintFacts): Accounts {
  const mints = against(token);
  const positions = [[-6_400, 6_400, DEPTH]] as const;
  const fixture = buildWhirlpool({ mints, onChain: true, config: ORCA_CONFIG, tickSpacing: 64, positions });
  return apart({ ...fixture, accounts: new Map(whirlpoolOnChain(fixture)) }, 200);
}

function dammOf(token: MintFacts): Accounts {
  const mints = against(token);
  const config = derivedAddress(DAMM_V2_PROGRAM, [textSeed('config'), numberSeed(3, 8)]).id;
  const seeds = [textSeed('pool'), addressBytes(config), ...seedsOf(mints).toReversed()];
  const { id } = derivedAddress(DAMM_V2_PROGRAM, seeds);
  const fixture = buildDamm({ mints, liquidity: DEPTH << 64n });
  const vaults = DAMM_VAULTS.map(
    (key, index) => [key, buildTokenAccount(mints[index === 0 ? 0 : 1], DAMM_V2_AUTHORITY, DEPTH)] as const,
  );
  return apart({ ...fixture, accounts: new Map([...fixture.accounts, ...vaults]) }, 300, [
    [testAddress(1), id],
  ]);
}

/** A cloned pair of DLMM against SOL, its other token under the first token program: it can be planted in a wallet. */
const clone = accountsOfDirectory().flatMap((key) => {
  const account = accountFromDirectory(key);
  if (account?.owner !== DLMM_PROGRAM || account.data.length !== PAIR.minBytes) return [];
  const view = accountView(account.data);
  const mint = view.address(PAIR_AT.mintX);
  const isPlain = accountFromDirectory(mint)?.owner === TOKEN_PROGRAM;
  return isPlain && view.address(PAIR_AT.mintY) === WSOL_MINT ? [{ pair: key, mint }] : [];
})[0];

/** Of the four fresh tokens; their mints are the product's to find. */
const TOKENS = [21, 22, 23, 24].map((number) => buildMint(testAddress(number))) as [
  MintFacts,
  MintFacts,
  MintFacts,
  MintFacts,
];

/** Wrapped SOL needs lamports behind it, or a vault could pay none out. */
function backed(account: ChainAccount): ChainAccount {
  const held = readTokenAccount(account);
  if (held?.mint !== WSOL_MINT) return account;
  const data = Uint8Array.from(account.data);
  new DataView(data.buffer).setBigUint64(64, minBigint(held.amount, MOST_LAMPORTS), true);
  return backedByLamports({ ...account, data });
}

/** The directory of an operator: real programs, the clones, four fresh pools, and a wallet that holds some of each token. */
function writeDirectory(directory: string, wallet: Address, clonedMint: Address): void {
  mkdirSync(join(directory, 'accounts'), { recursive: true });
  const given = process.env['LOCALNET_PROGRAMS_DIR'] ?? '';
  for (const program of PROGRAMS)
    copyFileSync(join(given, `${program}.so`), join(directory, `${program}.so`));
  const accounts: Accounts = new Map();
  for (const key of accountsOfDirectory()) {
    const account = accountFromDirectory(key);
    if (account !== null) accounts.set(key, account);
  }
  const [cpmm, clmm, whirlpool, damm] = TOKENS;
  for (const pool of [cpmmOf(cpmm), clmmOf(clmm), whirlpoolOf(whirlpool), dammOf(damm)])
    for (const [key, account] of pool) accounts.set(key, backed(account));
  for (const token of TOKENS) accounts.set(token.mint, buildMintAccount(token, 10n ** 18n));
  for (const token of [...TOKENS, buildMint(clonedMint)]) {
    const key = getAssociatedTokenAddressSync(new PublicKey(token.mint), new PublicKey(wallet));
    accounts.set(address(key.toBase58()), buildTokenAccount(token, wallet, 10n ** 11n));
  }
  for (const [key, account] of accounts)
    writeFileSync(join(directory, 'accounts', `${key}.json`), encodeAccountFile(key, account));
}

/** Asks again for as long as the answer is that the exchanges are being searched. */
async function searched<T>(ask: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isSearching = error instanceof Error && error.message.includes('"SEARCHING"');
      if (!isSearching || performance.now() - startedAt > SEARCHED_MS) throw error;
    }
  }
}

/**
 * The whole product, started as a newcomer starts it, on real programs behind a node that lists nothing. Each token has one pool, against
 * SOL, at another venue; the operator has typed no pool and no hub.
 */
describeOnLocalnet(
  'swaps from each venue to each other one, through SOL',
  { programs: [...PROGRAMS], accounts: clone === undefined ? [testAddress(1)] : [clone.pair] },
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'two-hops-'));
    const key = generateKeyPairSync('ed25519').privateKey;
    const wallet = addressFromBytes(
      new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)),
    );
    let program: Program;
    let trader: RestTrader;

    beforeAll(async () => {
      writeDirectory(join(directory, 'programs'), wallet, clone?.mint ?? WSOL_MINT);
      program = await startProgram(join(directory, 'state'), {
        LOCALNET_PROGRAMS_DIR: join(directory, 'programs'),
        LOCALNET_PROVIDER: 'public',
      });
      // Its own questions are no calls of the product's.
      const behind = { ...program.run, rpcUrl: `${program.run.rpcUrl}/direct` };
      trader = await createRestTrader(behind, 5_000_000_000n, key);
    }, 120_000);
    afterAll(async () => {
      await program?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    const venues: readonly (readonly [name: string, mint: Address])[] = [
      ['raydium-cpmm', TOKENS[0].mint],
      ['raydium-clmm', TOKENS[1].mint],
      ['orca-whirlpool', TOKENS[2].mint],
      ['meteora-damm-v2', TOKENS[3].mint],
      ['meteora-dlmm', clone?.mint ?? WSOL_MINT],
    ];
    const pairs = venues.flatMap((from, index) => venues.slice(index + 1).map((to) => [from, to] as const));

    it.each(pairs.map(([from, to]) => [from[0], to[0], from[1], to[1]] as const))(
      '%s to %s brings its quote',
      async (_from, _to, mintIn, mintOut) => {
        const before = await trader.held(mintOut);
        const { data } = await searched(() =>
          trader.swap({
            fromTokenAddress: mintIn,
            toTokenAddress: mintOut,
            amount: String(AMOUNT),
            slippageBps: 100,
            maxTransactionVersion: 1,
          }),
        );
        const names = data.bestRouter.subRouters.map(({ protocol }) => protocol.map(({ name }) => name));
        expect(names).toEqual([[expect.anything()], [expect.anything()]]);
        expect((await trader.held(mintOut)) - before).toBe(BigInt(data.toTokenAmount));
      },
      SEARCHED_MS + 30_000,
    );
  },
);
