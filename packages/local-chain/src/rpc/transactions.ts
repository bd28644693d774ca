import type { LocalChain } from '../chain.ts';
import { feeTerms } from '../fees.ts';
import type { LandedTransaction, TransactionStatus } from '../landed-transaction.ts';
import { transactionErrorText } from '../transaction-error.ts';
import { decodeMessage, decodeTransaction } from '../wire.ts';
import { settledSlot } from './blocks.ts';
import { encodeTransaction, transactionEncoding } from './encode-transaction.ts';
import { memoOf } from './memo-of.ts';
import type { Methods } from './method.ts';
import {
  addressParam,
  arrayParam,
  asAddress,
  configParam,
  integerParam,
  optionalInteger,
  signatureText,
  viewOf,
  withContext,
} from './params.ts';
import { INTERNAL_ERROR, invalidParams, RpcError } from './rpc-error.ts';
import { sendTransaction } from './send-transaction.ts';
import { simulateTransaction } from './simulate-transaction.ts';
import { bytesParam, readWire } from './transaction-input.ts';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1000;
const MAX_FEE_SAMPLES = 150;
/** How far below the root a status is found without asking for history: the status cache's depth. */
const RECENT_ROOTED_SLOTS = 300;

export const transactionMethods: Methods = {
  sendTransaction,
  simulateTransaction,

  getSignatureStatuses: (params, { chain }) => {
    const signatures = arrayParam(params, 0, 'signatures', MAX_STATUSES).map((one) =>
      signatureText(one, 'each signature must be given'),
    );
    const history = configParam(params, 1)['searchTransactionHistory'] === true;
    const oldest = history ? 0 : chain.slots.at('finalized') - RECENT_ROOTED_SLOTS;
    const statuses = signatures.map((signature) => {
      const landed = chain.ledger.status(signature);
      return landed === undefined || landed.slot < oldest ? null : statusOf(chain, landed);
    });
    return withContext(chain.slots.tip(), statuses);
  },

  getSignaturesForAddress: (params, { chain }) => {
    const address = addressParam(params, 0);
    const config = configParam(params, 1);
    const newest = settledSlot(chain, config);
    const limit = optionalInteger(config, 'limit') ?? MAX_SIGNATURES;
    if (limit < 1 || limit > MAX_SIGNATURES) throw invalidParams(`"limit" must be 1 to ${MAX_SIGNATURES}`);
    const bound = (key: 'before' | 'until') =>
      config[key] === undefined || config[key] === null
        ? null
        : signatureText(config[key], `"${key}" must be a signature`);
    const [before, until] = [bound('before'), bound('until')];
    return pageOf(chain.ledger.ofAddress(address), newest, before, until, limit).map((landed) => ({
      signature: landed.signature,
      slot: landed.slot,
      transactionIndex: chain.ledger.indexOf(landed),
      err: landed.err,
      memo: memoOf(decodeTransaction(landed.bytes).message),
      blockTime: landed.unixSeconds,
      confirmationStatus: chain.slots.commitmentOf(landed.slot),
    }));
  },

  getTransaction: (params, { chain }) => {
    const signature = signatureText(params[0], 'parameter 1 must be a signature');
    // The second parameter used to be the bare encoding.
    const config = typeof params[1] === 'string' ? { encoding: params[1] } : configParam(params, 1);
    const newest = settledSlot(chain, config);
    const encoding = transactionEncoding(config);
    const landed = chain.ledger.get(signature);
    if (landed === undefined || landed.slot > newest) return null;
    const maxVersion = optionalInteger(config, 'maxSupportedTransactionVersion');
    const encoded = encodeTransaction(landed, encoding, { maxVersion, rewards: true });
    return { slot: landed.slot, blockTime: landed.unixSeconds, ...encoded };
  },

  getFeeForMessage: (params, { chain }) => {
    const config = configParam(params, 1);
    const bytes = bytesParam(params, 0, 'the message', { encoding: 'base64' });
    const message = readWire(() => decodeMessage(bytes));
    const view = viewOf(chain, config);
    const live = chain.slots.liveHashSlot(message.blockhash) !== undefined;
    return withContext(view.slot, live ? feeTerms(message).feeLamports : null);
  },

  getRecentPrioritizationFees: (params, { chain }) => {
    const accounts = new Set(
      params[0] === undefined || params[0] === null
        ? []
        : arrayParam(params, 0, 'account addresses', 128).map((one) =>
            asAddress(one, 'each account must be given'),
          ),
    );
    return recentPrices(chain, accounts);
  },

  requestAirdrop: (params, { chain, faucet }) => {
    const to = addressParam(params, 0);
    const lamports = integerParam(params, 1, 'lamports');
    const result = faucet.airdrop(to, BigInt(lamports));
    if (result.kind === 'landed' && result.transaction.err === null) return result.transaction.signature;
    const err = result.kind === 'landed' ? result.transaction.err : result.err;
    const reason = err === null ? 'unknown reason' : transactionErrorText(err);
    throw new RpcError(
      INTERNAL_ERROR,
      `airdrop of ${lamports} lamports at slot ${chain.slots.tip()} failed: ${reason}`,
    );
  },
};

function statusOf(chain: LocalChain, landed: TransactionStatus): unknown {
  const confirmationStatus = chain.slots.commitmentOf(landed.slot);
  return {
    slot: landed.slot,
    confirmations: confirmationStatus === 'finalized' ? null : chain.slots.tip() - landed.slot,
    err: landed.err,
    status: landed.err === null ? { Ok: null } : { Err: landed.err },
    confirmationStatus,
  };
}

/** Newest first, strictly older than `before` and newer than `until`; an unknown `before` gives nothing. */
function pageOf(
  history: readonly LandedTransaction[],
  newestSlot: number,
  before: string | null,
  until: string | null,
  limit: number,
): LandedTransaction[] {
  const out: LandedTransaction[] = [];
  let started = before === null;
  for (let i = history.length - 1; i >= 0 && out.length < limit; i -= 1) {
    const landed = history[i];
    if (landed === undefined) continue;
    if (landed.signature === until) break;
    if (started && landed.slot <= newestSlot) out.push(landed);
    if (landed.signature === before) started = true;
  }
  return out;
}

/** Per recent slot the lowest price paid for writing any of the accounts (or at all when none are named). */
function recentPrices(chain: LocalChain, accounts: ReadonlySet<string>): unknown {
  const out: { slot: number; prioritizationFee: bigint }[] = [];
  const tip = chain.slots.tip();
  for (let slot = Math.max(chain.ledger.firstSlot(), tip - MAX_FEE_SAMPLES + 1); slot <= tip; slot += 1) {
    let lowest: bigint | null = null;
    for (const landed of chain.ledger.ofSlot(slot)) {
      const writes = landed.keys.some((key, i) => landed.writable[i] === true && accounts.has(key));
      if (accounts.size > 0 && !writes) continue;
      const { priceMicroLamports } = feeTerms(decodeTransaction(landed.bytes).message);
      if (lowest === null || priceMicroLamports < lowest) lowest = priceMicroLamports;
    }
    out.push({ slot, prioritizationFee: lowest ?? 0n });
  }
  return out;
}
