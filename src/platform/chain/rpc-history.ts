import { setTimeout as pause } from 'node:timers/promises';
import type { ChainHistory } from '../ports/chain-history.ts';
import { createEndpoint } from './endpoint.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { publicKey } from './instruction-codec.ts';
import { MAX_TRANSACTION_VERSION } from './transaction-version.ts';

/** `ChainHistory` over Solana JSON-RPC. Only finalized transactions: one that may still vanish reconciles nothing. */
export function createRpcHistory(options: { readonly urls: readonly string[] }): ChainHistory {
  const pool = createEndpointPool(
    options.urls.map((url) => createEndpoint(url, 15_000)),
    { now: () => performance.now(), sleep: (ms) => pause(ms) },
  );
  return {
    balances: async (addresses) => {
      const { context, value } = await pool.read(({ connection }) =>
        connection.getMultipleAccountsInfoAndContext(addresses.map(publicKey), {
          commitment: 'finalized',
          dataSlice: { offset: 0, length: 0 },
        }),
      );
      return { slot: BigInt(context.slot), lamports: value.map((account) => BigInt(account?.lamports ?? 0)) };
    },
    signatures: async (address, { before, limit, minSlot }) => {
      const entries = await pool.read(({ connection }) =>
        connection.getSignaturesForAddress(
          publicKey(address),
          {
            limit,
            ...(before === null ? {} : { before }),
            ...(minSlot === undefined ? {} : { minContextSlot: Number(minSlot) }),
          },
          'finalized',
        ),
      );
      return entries.map((entry) => ({
        signature: entry.signature,
        slot: BigInt(entry.slot),
        err: entry.err === null ? null : JSON.stringify(entry.err),
        memo: entry.memo,
        at: typeof entry.blockTime === 'number' ? entry.blockTime * 1_000 : null,
      }));
    },
    wire: async (signature) =>
      readWire(
        await pool.read(({ call }) =>
          call('getTransaction', [
            signature,
            {
              encoding: 'base64',
              commitment: 'finalized',
              maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
            },
          ]),
        ),
      ),
    finalizedHeight: () =>
      pool.read(async ({ connection }) => BigInt(await connection.getBlockHeight('finalized'))),
  };
}

/** Source of truth: `getTransaction` with base64, whose `transaction` is `[bytes, 'base64']`. */
function readWire(result: unknown): Uint8Array | null {
  if (typeof result !== 'object' || result === null || !('transaction' in result)) return null;
  const { transaction } = result;
  const bytes: unknown = Array.isArray(transaction) ? transaction[0] : null;
  return typeof bytes === 'string' ? Uint8Array.from(Buffer.from(bytes, 'base64')) : null;
}
