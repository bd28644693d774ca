import type { Sender } from '../../ports/sender.ts';
import type { EndpointPool } from '../endpoint-pool.ts';
import { sendTransaction } from '../send-transaction.ts';

/** The nodes, all at once, for nothing. */
export function createRpcSender(pool: EndpointPool, timeoutMs: number): Sender {
  return {
    name: 'rpc',
    protects: false,
    versions: [0, 1],
    minTip: 0n,
    tipAccounts: [],
    send: (bytes) => sendTransaction(pool, bytes, timeoutMs),
    tip: async () => 0n,
  };
}
