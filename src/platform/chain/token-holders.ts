import { setTimeout as pause } from 'node:timers/promises';
import type { TokenHolders } from '../ports/token-holders.ts';
import { createEndpoint } from './endpoint.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { publicKey, toAddress } from './instruction-codec.ts';
import { countAccounts } from './rpc-meter.ts';

/** Mint at 0, owner at 32, amount at 64: the same in both token programs, with any extensions behind. */
const OWNER = 32;
const OWNER_AND_AMOUNT = 40;
const AMOUNT = 32;

/** Asks the nodes; `counts` false = holders are never counted. */
export function createTokenHolders(options: {
  readonly urls: readonly string[];
  readonly counts: boolean;
  readonly timeoutMs?: number;
}): TokenHolders {
  const pool = createEndpointPool(
    options.urls.map((url) => createEndpoint(url, options.timeoutMs ?? 15_000)),
    { now: () => performance.now(), sleep: (ms) => pause(ms) },
  );
  return {
    count: async ({ mint, tokenProgram }) => {
      if (!options.counts) return null;
      const found = await pool.read(({ connection }) =>
        connection.getProgramAccounts(publicKey(tokenProgram), {
          commitment: 'confirmed',
          dataSlice: { offset: OWNER, length: OWNER_AND_AMOUNT },
          filters: [{ memcmp: { offset: 0, bytes: mint } }],
        }),
      );
      countAccounts(found.length);
      const owners = new Set<string>();
      for (const { account } of found) {
        const { data } = account;
        // Shorter data is no token account, even if it begins with the mint.
        if (data.length === OWNER_AND_AMOUNT && data.readBigUInt64LE(AMOUNT) > 0n)
          owners.add(data.toString('hex', 0, AMOUNT));
      }
      return owners.size;
    },
    largest: async (mint) => {
      const { value } = await pool.read(({ connection }) =>
        connection.getTokenLargestAccounts(publicKey(mint), 'confirmed'),
      );
      return value.map(({ address, amount }) => ({ account: toAddress(address), amount: BigInt(amount) }));
    },
  };
}
