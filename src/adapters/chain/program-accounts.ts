import { setTimeout as pause } from 'node:timers/promises';
import { type Address, toBase58 } from '../../core/address/address.ts';
import type { ChainAccount } from '../../core/ports/chain.ts';
import { createEndpoint } from './endpoint.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { publicKey, toAddress } from './instruction-codec.ts';
import { countAccounts } from './rpc-meter.ts';
import { createTtlCache } from './ttl-cache.ts';

/** All of these hold for an account that is listed. */
export type AccountFilter =
  | { readonly kind: 'size'; readonly bytes: number }
  | { readonly kind: 'match'; readonly offset: number; readonly bytes: Uint8Array };

export type ProgramAccountsOptions = {
  readonly urls: readonly string[];
  /** Reads accounts again whose addresses are known. */
  readonly accounts: (
    addresses: readonly Address[],
  ) => Promise<{ readonly accounts: readonly (ChainAccount | null)[] }>;
  readonly timeoutMs?: number;
  /** New pools of a pair show up this late. */
  readonly ttlMs?: number;
  readonly now?: () => number;
};

/** Pairs whose addresses are remembered: some hundred bytes each. */
const CAPACITY = 2_000;
const TTL_MS = 60_000;

/**
 * Lists accounts of a program by `getProgramAccounts`, failing over like every read. Listing is the dearest call a node
 * offers, and addresses of pools do not change: they are kept for a minute per search, and within it only the accounts
 * themselves are read again. An account that has gone meanwhile is left out. Throws CHAIN_UNREACHABLE.
 */
export function createProgramAccounts(options: ProgramAccountsOptions) {
  const now = options.now ?? (() => performance.now());
  const pool = createEndpointPool(
    options.urls.map((url) => createEndpoint(url, options.timeoutMs ?? 15_000)),
    { now, sleep: (ms) => pause(ms) },
  );
  const known = createTtlCache<string, readonly Found[]>({
    ttlMs: options.ttlMs ?? TTL_MS,
    capacity: CAPACITY,
    now,
  });

  const list = async (search: Search): Promise<readonly Found[]> => {
    const found = await pool.read(({ connection }) =>
      connection.getProgramAccounts(publicKey(search.programId), {
        commitment: 'confirmed',
        filters: search.filters.map((filter) =>
          filter.kind === 'size'
            ? { dataSize: filter.bytes }
            : { memcmp: { offset: filter.offset, bytes: toBase58(filter.bytes) } },
        ),
      }),
    );
    countAccounts(found.length);
    return found.map(({ pubkey, account }) => ({
      address: toAddress(pubkey),
      account: {
        lamports: BigInt(account.lamports),
        owner: toAddress(account.owner),
        data: account.data,
        executable: account.executable,
      },
    }));
  };

  return {
    find: async (search: Search): Promise<readonly Found[]> => {
      let fresh = false;
      const listed = await known.get(keyOf(search), () => {
        fresh = true;
        return list(search);
      });
      if (fresh || listed.length === 0) return listed;
      const { accounts } = await options.accounts(listed.map(({ address }) => address));
      return listed.flatMap(({ address }, index) => {
        const account = accounts[index] ?? null;
        return account === null || account.owner !== search.programId ? [] : [{ address, account }];
      });
    },
  };
}

type Search = { readonly programId: Address; readonly filters: readonly AccountFilter[] };
type Found = { readonly address: Address; readonly account: ChainAccount };

function keyOf({ programId, filters }: Search): string {
  const parts = filters.map((filter) =>
    filter.kind === 'size' ? `s${filter.bytes}` : `m${filter.offset}:${toBase58(filter.bytes)}`,
  );
  return [programId, ...parts].join(' ');
}
