import { setTimeout as pause } from 'node:timers/promises';
import { type Address, lamports, minBigint, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { createTtlCache } from '../../core/ttl-cache.ts';
import { unsignedTransaction } from '../../engine/signing/rules/wire-transaction.ts';
import type { Blockhash, Chain } from '../ports/chain.ts';
import type { Sender } from '../ports/sender.ts';
import { createAccountBatches } from './account-batches.ts';
import { createBlockTime } from './block-time.ts';
import { createBlockhashRing } from './blockhash-ring.ts';
import { createEndpoint } from './endpoint.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { mintsOf, type OwnedTokenAccount, sumHoldings } from './holdings.ts';
import { publicKey, toAddress } from './instruction-codec.ts';
import { landedTransaction } from './landed-transaction.ts';
import { isMethodRefusal } from './method-refusal.ts';
import { createNetwork } from './network.ts';
import { type NetworkFacts, networkFacts } from './network-facts.ts';
import { createOwnedAccounts } from './owned-accounts.ts';
import { derivingOnce } from './programs.ts';
import { createRent, failsForRent, RENT_SYSVAR } from './rent.ts';
import { countAccounts } from './rpc-meter.ts';
import { createRpcSender } from './senders/rpc.ts';
import { sendBy } from './senders/send-by.ts';
import { signatureStatus } from './signature-status.ts';
import { createTokenReader } from './token-reader.ts';
import {
  isActive,
  isVersionRefusal,
  MAX_TRANSACTION_VERSION,
  VERSION_1_FEATURE,
} from './transaction-version.ts';
import { readAccounts, readBlockhash, readPrices, readSimulation, readStatuses } from './wire-answers.ts';

export type RpcChainOptions = {
  /** HTTP(S) addresses; the first is preferred until experience says otherwise. At least one. */
  readonly urls: readonly string[];
  readonly readTimeoutMs?: number;
  readonly sendTimeoutMs?: number;
  /** Senders beside the nodes; absent: none. */
  readonly senders?: readonly Sender[];
  /** Gets the slot as of which a node answered. */
  readonly onSlot?: (slot: bigint) => void;
  /** Gets slots in which transactions are known to have landed, at `confirmed` or better. */
  readonly onLanded?: (slot: bigint) => void;
  /** Milliseconds for which a rent is believed; absent: ten seconds. */
  readonly rentKeptMs?: number;
  /** The newest version of transactions that may be built; absent: 1. */
  readonly builtVersion?: 0 | 1;
  /** Mints that the books say an owner holds; absent: there are no books. */
  readonly booked?: (owner: Address) => Promise<readonly Address[]>;
};

const SERVED = { commitment: 'confirmed', maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION } as const;
const ACCOUNTS_PER_CALL = 100;
const STATUSES_PER_CALL = 256;
const FEE_ACCOUNTS_PER_CALL = 128;
/** A schedule changes two epochs (days) ahead; the hour of the change is judged within this. */
const EPOCH_TTL_MS = 5_000;
/** A feature becomes active once, at the beginning of an epoch. */
const FEATURE_TTL_MS = 600_000;
/** About a slot: a caller that asks again after a refusal gets another one. */
const BLOCKHASH_TTL_MS = 400;
/** The market is a percentile over 150 slots, a minute: two seconds do not move it. */
const PRICE_TTL_MS = 2_000;

/** With its measurements of the network. */
export type RpcChain = Chain & { readonly facts: () => NetworkFacts };

/** `Chain` over Solana JSON-RPC by web3.js v1. Reads fail over between the endpoints; see `sendTransaction` for sends. */
export function createRpcChain(options: RpcChainOptions): RpcChain {
  const readTimeoutMs = options.readTimeoutMs ?? 8_000;
  const sendTimeoutMs = options.sendTimeoutMs ?? 8_000;
  if (options.urls.length === 0) throw new RangeError('at least one RPC address is needed');
  const now = () => performance.now();
  const pool = createEndpointPool(
    options.urls.map((url) => createEndpoint(url, readTimeoutMs)),
    { now, sleep: (ms) => pause(ms) },
  );
  const senders = { rpc: createRpcSender(pool, sendTimeoutMs), others: options.senders ?? [] };
  const epochs = createTtlCache<'epoch', bigint>({ ttlMs: EPOCH_TTL_MS, capacity: 1, now });
  const network = createNetwork(pool, now);
  const blockTime = createBlockTime();
  const ring = createBlockhashRing(blockTime);
  // Two keys of one provider are one witness: a liar behind the one is also behind the other.
  const witnesses = pool.endpoints.filter(
    ({ label }, index) => pool.endpoints.findIndex((other) => other.label === label) === index,
  );

  /** The host that was last asked for a balance: another one is asked for a second word. */
  let toldBy = witnesses[0]?.label;
  const blockhashes = createTtlCache<'newest', Blockhash>({ ttlMs: BLOCKHASH_TTL_MS, capacity: 1, now });
  const latestBlockhash = (): Promise<Blockhash> =>
    blockhashes.get('newest', () =>
      pool.read(async ({ call }) => {
        const newest = readBlockhash(await call('getLatestBlockhash', [{ commitment: 'confirmed' }]));
        blockTime.hear(newest.lastValidBlockHeight, now());
        ring.hear(newest);
        return { ...newest, livesMs: blockTime.blockhashLivesMs() };
      }),
    );
  const prices = createTtlCache<string, readonly number[] | null>({
    ttlMs: PRICE_TTL_MS,
    capacity: 2_000,
    now,
  });

  const pagesAt = (commitment: 'confirmed' | 'processed') =>
    createAccountBatches(
      (page) =>
        pool.read(async ({ call }) => {
          countAccounts(page.length);
          const answer = readAccounts(
            await call('getMultipleAccounts', [page, { encoding: 'base64', commitment }]),
            page.length,
          );
          // A slot that can be rolled back does not measure how far the chain is.
          if (commitment === 'confirmed') options.onSlot?.(answer.slot);
          return answer;
        }),
      ACCOUNTS_PER_CALL,
    );
  const readPage = { confirmed: pagesAt('confirmed'), processed: pagesAt('processed') };
  const accounts: Chain['accounts'] = async (addresses, level = 'confirmed') => {
    const pages = await Promise.all(chunks(addresses, ACCOUNTS_PER_CALL).map(readPage[level]));
    const slots = pages.map((page) => page.slot);
    return {
      slot: slots.reduce(minBigint, slots[0] ?? 0n),
      accounts: pages.flatMap((page) => page.accounts),
    };
  };
  const rent = createRent(async () => (await accounts([RENT_SYSVAR])).accounts[0] ?? null, {
    now,
    keptMs: options.rentKeptMs,
  });
  const features = createTtlCache<'version 1', boolean>({ ttlMs: FEATURE_TTL_MS, capacity: 1, now });
  const readVersion1 = async (): Promise<boolean> =>
    isActive((await accounts([VERSION_1_FEATURE])).accounts[0] ?? null);
  const token = createTokenReader({
    accounts: async (addresses) => (await accounts(addresses)).accounts,
    now,
  });

  const ownedAccounts = async (
    owner: Address,
    which: { readonly programId: Address } | { readonly mint: Address },
  ) => {
    const filter =
      'mint' in which ? { mint: publicKey(which.mint) } : { programId: publicKey(which.programId) };
    const { value } = await pool.read(({ connection }) =>
      connection.getTokenAccountsByOwner(publicKey(owner), filter, 'confirmed'),
    );
    return value.map(({ pubkey, account }) => ({
      address: toAddress(pubkey),
      program: toAddress(account.owner),
      data: account.data,
    }));
  };

  const associatedAccount = derivingOnce();

  const owned = createOwnedAccounts(async (addresses) => (await accounts(addresses)).accounts);

  /** Associated accounts of mints that the books have and the list does not. */
  const bookedAccounts = async (owner: Address, listed: readonly OwnedTokenAccount[]) => {
    const mints = new Set(mintsOf(listed));
    const missing = ((await options.booked?.(owner)) ?? []).filter((mint) => !mints.has(mint));
    const tokens = await Promise.all(missing.map(token));
    return tokens.flatMap((one) =>
      one === null ? [] : [associatedAccount(owner, one.mint, one.tokenProgram)],
    );
  };

  return {
    accounts,
    token,

    // Not getBalance: it hides the error's kind, and with it whether another endpoint should be asked.
    balance: async (owner) => {
      const { value } = await pool.read(({ connection, label }) => {
        toldBy = label;
        return connection.getBalanceAndContext(publicKey(owner), 'confirmed');
      });
      return lamports(BigInt(value));
    },

    holdings: async (owner, { passing } = { passing: false }) => {
      const { accounts: found, isCut } = await owned(owner, {
        passing,
        list: async () =>
          (
            await Promise.all(
              [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((programId) => ownedAccounts(owner, { programId })),
            )
          ).flat(),
        mayHave: (listed) => bookedAccounts(owner, listed),
      });
      const decimals = new Map<Address, number>();
      for (const known of await Promise.all(mintsOf(found).map(token))) {
        if (known !== null) decimals.set(known.mint, known.decimals);
      }
      const holdings = sumHoldings(owner, found, (mint) => decimals.get(mint) ?? null);
      return isCut ? holdings.map((one) => ({ ...one, ofCutList: true })) : holdings;
    },

    holding: async (owner, mint) => {
      // A node refuses the question where there is no such mint.
      const known = await token(mint);
      if (known === null) return { amount: 0n, accounts: [] };
      const { accounts: all } = await owned(owner, {
        list: () => ownedAccounts(owner, { mint }),
        mayHave: async () => [associatedAccount(owner, mint, known.tokenProgram)],
        mint,
      });
      const [found] = sumHoldings(owner, all, (of) => (of === mint ? 0 : null));
      return { amount: found?.amount ?? 0n, accounts: found?.accounts ?? [] };
    },

    rentExemption: (bytes) => rent.exemption(bytes),

    takesVersion1: async () =>
      options.builtVersion !== 0 && (await features.get('version 1', readVersion1).catch(() => false)),

    facts: () => networkFacts({ blockTime, rent }, now()),

    slotMs: () => blockTime.slotMs(),

    latestBlockhash,

    agedBlockhash: async (leastBlocks) => {
      const newest = await latestBlockhash();
      const aged = ring.aged(newest, leastBlocks);
      const older = Number(newest.lastValidBlockHeight - aged.lastValidBlockHeight);
      return { ...aged, livesMs: Math.floor(newest.livesMs - older * blockTime.slotMs()) };
    },

    epoch: () =>
      epochs.get('epoch', async () =>
        BigInt((await pool.read(({ connection }) => connection.getEpochInfo('confirmed'))).epoch),
      ),

    priorityPrice: async (writable, percentile) => {
      const asked = writable.slice(0, FEE_ACCOUNTS_PER_CALL).toSorted();
      const samples = await prices.get(asked.join(' '), () =>
        unlessRefused(() =>
          pool.read(async ({ call }) => readPrices(await call('getRecentPrioritizationFees', [asked]))),
        ),
      );
      return samples === null ? null : nearestRank(samples, percentile);
    },

    simulate: async (message, watch) => {
      const simulation = await pool.read(async ({ call }) =>
        readSimulation(
          await call('simulateTransaction', [
            Buffer.from(unsignedTransaction(message)).toString('base64'),
            {
              encoding: 'base64',
              sigVerify: false,
              replaceRecentBlockhash: false,
              commitment: 'confirmed',
              ...(watch.length === 0 ? {} : { accounts: { encoding: 'base64', addresses: watch } }),
            },
          ]),
          watch.length,
        ),
      );
      if (failsForRent(simulation.err, simulation.logs)) rent.distrust();
      return simulation;
    },

    send: (signedTransaction, by) => sendBy(senders, by, signedTransaction),

    statuses: async (signatures) => {
      const pages = await Promise.all(
        chunks(signatures, STATUSES_PER_CALL).map((page) =>
          pool.read(async ({ call }) =>
            readStatuses(await call('getSignatureStatuses', [page]), page.length),
          ),
        ),
      );
      const known = pages.flat();
      for (const status of known) {
        if (status !== null && status.level !== 'processed') options.onLanded?.(status.slot);
      }
      return known;
    },

    probe: async (signature, round) => {
      const endpoint = witnesses[round % witnesses.length];
      if (endpoint === undefined) throw new RangeError(`round ${round} is not a natural number`);
      return pool.readFrom(endpoint, async ({ connection, label }) => {
        await network.assertSame(endpoint);
        // The order is the proof: a status asked for before the height could have been made before it.
        const epoch = await connection.getEpochInfo('finalized');
        const { context, value } = await connection.getSignatureStatuses([signature], {
          searchTransactionHistory: true,
        });
        const firstAvailableBlock = await connection.getFirstAvailableBlock();
        if (epoch.blockHeight === undefined) throw new Error('the endpoint does not tell its block height');
        return {
          endpoint: label,
          endpoints: witnesses.length,
          finalizedHeight: BigInt(epoch.blockHeight),
          finalizedSlot: BigInt(epoch.absoluteSlot),
          status: signatureStatus(value[0] ?? null),
          statusSlot: BigInt(context.slot),
          firstAvailableBlock: BigInt(firstAvailableBlock),
        };
      });
    },

    testimony: async (signature, round) => {
      const endpoint = witnesses[round % witnesses.length];
      if (endpoint === undefined) throw new RangeError(`round ${round} is not a natural number`);
      return pool.readFrom(endpoint, async ({ connection, label }) => {
        await network.assertSame(endpoint);
        const { value } = await connection.getSignatureStatuses([signature], {
          searchTransactionHistory: true,
        });
        const status = signatureStatus(value[0] ?? null);
        const response =
          status === null ? null : await readable(() => connection.getTransaction(signature, SERVED));
        return {
          endpoint: label,
          endpoints: witnesses.length,
          status,
          transaction: response === null ? null : landedTransaction(signature, response),
        };
      });
    },

    secondWord: async (addresses) => {
      const second = witnesses.find(({ label }) => label !== toldBy);
      if (second === undefined) return null;
      return pool.readFrom(second, async ({ call }) => {
        await network.assertSame(second);
        countAccounts(addresses.length);
        const asked = [addresses, { encoding: 'base64', commitment: 'confirmed' }];
        return readAccounts(await call('getMultipleAccounts', asked), addresses.length).accounts;
      });
    },

    landed: async (signature) => {
      const response = await readable(() =>
        pool.read(({ connection }) => connection.getTransaction(signature, SERVED)),
      );
      return response === null ? null : landedTransaction(signature, response);
    },

    genesisHash: () => network.hash(),
  };
}

/** Null where the node does not serve the question at all. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isMethodRefusal(error)) return null;
    throw error;
  }
}

/** Null for a transaction of a version that nothing here reads, as for one that no node serves. */
async function readable<T>(ask: () => Promise<T | null>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isVersionRefusal(error)) return null;
    throw error;
  }
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const pages: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) pages.push(items.slice(at, at + size));
  return pages;
}

/** The value that `percentile` percent of the samples do not exceed; 0 without samples. */
function nearestRank(samples: readonly number[], percentile: number): bigint {
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percentile / 100) * sorted.length));
  return BigInt(Math.trunc(sorted[rank - 1] ?? 0));
}
