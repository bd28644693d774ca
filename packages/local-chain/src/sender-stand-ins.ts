import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';
import type { LocalChain } from './chain.ts';
import { deriveKey } from './keys.ts';
import type { PluginRoutes } from './plugin.ts';
import { configParam, isRecord, type Params } from './rpc/params.ts';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  invalidParams,
  METHOD_NOT_FOUND,
  RpcError,
} from './rpc/rpc-error.ts';
import { transactionParam } from './rpc/transaction-input.ts';
import type { WireTransaction } from './wire.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const TRANSFER = 2;
/** Least tips in lamports: of a block engine of Jito's kind, and of a paid sender of Helius' kind. */
const LEAST = { engine: 1_000n, sender: 200_000n } as const;
const ACCOUNTS = 8;
const OPENED: AccountState = {
  lamports: 1_000_000n,
  data: new Uint8Array(),
  owner: SYSTEM_PROGRAM as Address,
  executable: false,
};

/**
 * Two paid ways to this chain, beside the RPC: `/block-engine/api/v1/transactions` with `/getTipAccounts` beside it, and `/sender`. Both
 * take `sendTransaction` in base64 with a tip to an account of theirs, and refuse others. What would fail never lands by the block engine,
 * and the sender wants no preflight.
 */
export function senderStandIns(chain: LocalChain, seed: Uint8Array): PluginRoutes {
  const accountsOf = (name: string): readonly Address[] =>
    Array.from({ length: ACCOUNTS }, (_, at) => deriveKey(seed, `tip account ${name} ${at}`).address);
  const engine = accountsOf('engine');
  const sender = accountsOf('sender');
  /** Accounts of a sender live on the cluster for long; here they begin when they are asked for, so that a tip below the rent can land. */
  const living = (accounts: readonly Address[]): readonly Address[] => {
    for (const account of accounts) if (chain.account(account) === null) chain.writeAccount(account, OPENED);
    return accounts;
  };
  const tips = answering('getTipAccounts', () => living(engine));
  return {
    'POST /block-engine/api/v1/getTipAccounts': tips,
    'POST /block-engine/api/v1/transactions': answering('sendTransaction', (params) => {
      const transaction = transactionParam(params, configParam(params, 1));
      assertTip(transaction, engine, LEAST.engine);
      // A bundle that fails is dropped without a word.
      if (chain.refusal(transaction, 'processed') === null && succeeds(chain, transaction))
        chain.submit(transaction, { signaturesVerified: false });
      return transaction.signature;
    }),
    'GET /sender/accounts': () => ({ status: 200, body: living(sender) }),
    'POST /sender': answering('sendTransaction', (params) => {
      const config = configParam(params, 1);
      if (config['skipPreflight'] !== true || config['maxRetries'] !== 0)
        throw invalidParams('expected skipPreflight: true and maxRetries: 0');
      const transaction = transactionParam(params, config);
      assertTip(transaction, sender, LEAST.sender);
      chain.submit(transaction, { signaturesVerified: false });
      return transaction.signature;
    }),
  };
}

function succeeds(chain: LocalChain, transaction: WireTransaction): boolean {
  const options = { commitment: 'processed', verifySignatures: true, checkBlockhash: true } as const;
  return chain.simulate(transaction, options).err === null;
}

function answering(method: string, answer: (params: Params) => unknown): PluginRoutes[string] {
  return (text) => {
    const body: unknown = parsed(text);
    const id = isRecord(body) ? body['id'] : null;
    try {
      if (!isRecord(body)) throw new RpcError(INVALID_REQUEST, 'expected JSON-RPC');
      if (body['method'] !== method) throw new RpcError(METHOD_NOT_FOUND, `expected ${method}`);
      const params = Array.isArray(body['params']) ? body['params'] : [];
      return { status: 200, body: { jsonrpc: '2.0', id, result: answer(params) } };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message } = error;
      return { status: 200, body: { jsonrpc: '2.0', id, error: { code, message } } };
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Throws -32602 without a transfer of so much to one of these accounts. */
function assertTip({ message }: WireTransaction, accounts: readonly Address[], least: bigint): void {
  const paid = message.instructions.some(({ programIndex, accounts: named, data }) => {
    if (message.staticKeys[programIndex] !== SYSTEM_PROGRAM || data.length !== 12) return false;
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const to = message.staticKeys[named[1] ?? -1];
    return (
      view.getUint32(0, true) === TRANSFER &&
      view.getBigUint64(4, true) >= least &&
      to !== undefined &&
      accounts.includes(to)
    );
  });
  if (!paid)
    throw new RpcError(INVALID_PARAMS, `expected a tip of ${least} lamports or more to a tip account`);
}
