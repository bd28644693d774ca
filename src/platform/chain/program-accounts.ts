import { setTimeout as pause } from 'node:timers/promises';
import { SolanaJSONRPCError } from '@solana/web3.js';
import { type Address, type ChainAccount, toBase58 } from '@tradepost/solana';
import { AppError } from '../../core/errors/app-error.ts';
import { HttpStatusError } from '../http-post.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { publicKey, toAddress } from './instruction-codec.ts';
import { countAccounts } from './rpc-meter.ts';

/** All of these hold for an account that is listed. */
export type AccountFilter =
  | { readonly kind: 'size'; readonly bytes: number }
  | { readonly kind: 'match'; readonly offset: number; readonly bytes: Uint8Array };

export type ProgramAccountsOptions = {
  readonly urls: readonly string[];
  readonly timeoutMs?: number;
  readonly now?: () => number;
};

/** A node that refuses to list is asked again this often: providers change their offers. */
const REFUSED_FOR_MS = 3_600_000;
/** JSON-RPC: excluded from account indexes, no such method. */
const REFUSAL_CODES: readonly number[] = [-32_010, -32_601];
const REFUSAL_STATUSES: readonly number[] = [401, 403, 410];

/**
 * Lists accounts of a program by `getProgramAccounts`, failing over like every read. Listing is the dearest call a node
 * offers: the caller remembers the answer (`createPoolIndex`). Many nodes refuse it for good: such a node is asked once an hour.
 * Null where every node refuses. Throws CHAIN_UNREACHABLE.
 */
export function createProgramAccounts(options: ProgramAccountsOptions) {
  const now = options.now ?? (() => performance.now());
  const pool = createEndpointPool(
    options.urls.map((url) => createEndpoint(url, options.timeoutMs ?? 15_000)),
    { now, sleep: (ms) => pause(ms) },
  );

  const refusedUntil = new Map<Endpoint, number>();
  const listing = (): readonly Endpoint[] =>
    pool.ranked().filter((one) => (refusedUntil.get(one) ?? Number.NEGATIVE_INFINITY) <= now());
  /** Asks node after node; the first failure that is no refusal is thrown where none lists. */
  const list = async <T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<T | null> => {
    let failure: { readonly error: unknown } | null = null;
    for (const endpoint of listing()) {
      try {
        return await pool.readFrom(endpoint, ask);
      } catch (error) {
        if (isRefusal(error)) refusedUntil.set(endpoint, now() + REFUSED_FOR_MS);
        else failure ??= { error };
      }
    }
    if (failure !== null) throw failure.error;
    return null;
  };

  const find = async (search: Search): Promise<readonly Found[] | null> => {
    const found = await list(({ connection }) =>
      connection.getProgramAccounts(publicKey(search.programId), {
        commitment: 'confirmed',
        filters: search.filters.map((filter) =>
          filter.kind === 'size'
            ? { dataSize: filter.bytes }
            : { memcmp: { offset: filter.offset, bytes: toBase58(filter.bytes) } },
        ),
      }),
    );
    if (found === null) return null;
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

  return { find };
}

/** Whether a node says that it does not list, now or ever; a limit of its own, 429, is none. */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  if (cause instanceof HttpStatusError) return REFUSAL_STATUSES.includes(cause.status);
  return (
    cause instanceof SolanaJSONRPCError &&
    typeof cause.code === 'number' &&
    REFUSAL_CODES.includes(cause.code)
  );
}

type Search = { readonly programId: Address; readonly filters: readonly AccountFilter[] };
type Found = { readonly address: Address; readonly account: ChainAccount };
