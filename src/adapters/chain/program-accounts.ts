import { setTimeout as pause } from 'node:timers/promises';
import { type Address, toBase58 } from '../../core/address/address.ts';
import type { ChainAccount } from '../../core/ports/chain.ts';
import { createEndpoint } from './endpoint.ts';
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

/**
 * Lists accounts of a program by `getProgramAccounts`, failing over like every read. Listing is the dearest call a node
 * offers: whoever asks remembers the answer (`createPoolIndex`). Throws CHAIN_UNREACHABLE.
 */
export function createProgramAccounts(options: ProgramAccountsOptions) {
  const now = options.now ?? (() => performance.now());
  const pool = createEndpointPool(
    options.urls.map((url) => createEndpoint(url, options.timeoutMs ?? 15_000)),
    { now, sleep: (ms) => pause(ms) },
  );

  const find = async (search: Search): Promise<readonly Found[]> => {
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

  return { find };
}

type Search = { readonly programId: Address; readonly filters: readonly AccountFilter[] };
type Found = { readonly address: Address; readonly account: ChainAccount };
