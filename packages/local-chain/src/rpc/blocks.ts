import type { LocalChain } from '../chain.ts';
import { FIRST_SLOT, MAX_BLOCKHASH_AGE, SLOTS_PER_EPOCH } from '../slots.ts';
import { encodeAccounts, encodeTransaction, transactionEncoding } from './encode-transaction.ts';
import type { Methods } from './method.ts';
import {
  asInteger,
  assertMinContextSlot,
  type Config,
  commitmentOf,
  configParam,
  integerParam,
  optionalInteger,
  stringParam,
  viewOf,
  withContext,
} from './params.ts';
import { BLOCK_NOT_AVAILABLE, invalidParams, RpcError, SLOT_SKIPPED } from './rpc-error.ts';

const MAX_BLOCK_RANGE = 500_000;

export const blockMethods: Methods = {
  getSlot: (params, { chain }) => viewOf(chain, configParam(params, 0)).slot,
  getBlockHeight: (params, { chain }) => chain.slots.heightOf(viewOf(chain, configParam(params, 0)).slot),

  getLatestBlockhash: (params, { chain }) => {
    const { slot } = viewOf(chain, configParam(params, 0));
    return withContext(slot, {
      blockhash: chain.slots.hashOf(slot),
      lastValidBlockHeight: chain.slots.heightOf(slot) + MAX_BLOCKHASH_AGE,
    });
  },

  isBlockhashValid: (params, { chain }) => {
    const hash = stringParam(params, 0, 'a blockhash');
    const { slot } = viewOf(chain, configParam(params, 1));
    const made = chain.slots.liveHashSlot(hash);
    const age = made === undefined ? null : chain.slots.heightOf(slot) - chain.slots.heightOf(made);
    return withContext(slot, age !== null && age >= 0 && age <= MAX_BLOCKHASH_AGE);
  },

  getEpochInfo: (params, { chain }) => {
    const { slot } = viewOf(chain, configParam(params, 0));
    return {
      absoluteSlot: slot,
      blockHeight: chain.slots.heightOf(slot),
      epoch: chain.slots.epochOf(slot),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: chain.ledger.count(),
    };
  },

  getEpochSchedule: () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),

  getTransactionCount: (params, { chain }) => {
    assertMinContextSlot(configParam(params, 0), chain.slots.tip());
    return chain.ledger.count();
  },

  getFirstAvailableBlock: (_, { chain }) => chain.ledger.firstSlot(),
  minimumLedgerSlot: (_, { chain }) => chain.ledger.firstSlot(),

  getBlockTime: (params, { chain }) => {
    const slot = integerParam(params, 0, 'a slot');
    assertBlock(chain, slot, chain.slots.tip());
    return timeOf(chain, slot);
  },

  getBlocks: (params, { chain }) => {
    const start = integerParam(params, 0, 'the first slot');
    const hasEnd = typeof params[1] === 'number';
    const config = configParam(params, hasEnd ? 2 : params[1] === null ? 2 : 1);
    const end = hasEnd ? integerParam(params, 1, 'the last slot') : Number.MAX_SAFE_INTEGER;
    return slotRange(chain, start, end, settledSlot(chain, config));
  },

  getBlocksWithLimit: (params, { chain }) => {
    const start = integerParam(params, 0, 'the first slot');
    const limit = integerParam(params, 1, 'the number of blocks');
    // At most every second slot is without a block.
    const slots = slotRange(chain, start, start + 2 * limit, settledSlot(chain, configParam(params, 2)));
    return slots.slice(0, limit);
  },

  getBlock: (params, { chain }) => {
    const slot = integerParam(params, 0, 'a slot');
    const config = configParam(params, 1);
    assertBlock(chain, slot, settledSlot(chain, config));
    return encodeBlock(chain, slot, config);
  },

  getRecentPerformanceSamples: (params, { chain }) => {
    const limit =
      params[0] === undefined ? 720 : asInteger(params[0], 'parameter 1 must be the number of samples');
    const slot = chain.slots.at('finalized');
    const numTransactions = transactionsIn(chain, slot - 150, slot);
    const sample = { slot, numSlots: 150, samplePeriodSecs: 60, numTransactions };
    return limit === 0 ? [] : [{ ...sample, numNonVoteTransactions: numTransactions }];
  },
};

/** The newest slot a history request at this commitment may see; blocks that are only processed are not served. */
export function settledSlot(chain: LocalChain, config: Config): number {
  const commitment = commitmentOf(config);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  const slot = chain.slots.at(commitment);
  assertMinContextSlot(config, slot);
  return slot;
}

function assertBlock(chain: LocalChain, slot: number, newest: number): void {
  if (slot > newest) throw new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`);
  if (slot < Math.max(chain.ledger.firstSlot(), FIRST_SLOT) || chain.slots.isSkipped(slot)) {
    throw new RpcError(
      SLOT_SKIPPED,
      `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
    );
  }
}

function slotRange(chain: LocalChain, start: number, end: number, newest: number): number[] {
  const first = Math.max(start, chain.ledger.firstSlot());
  const last = Math.min(end, newest);
  if (last - first > MAX_BLOCK_RANGE) throw invalidParams(`Slot range too large; max ${MAX_BLOCK_RANGE}`);
  return last < first
    ? []
    : Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(
        (slot) => !chain.slots.isSkipped(slot),
      );
}

function transactionsIn(chain: LocalChain, first: number, last: number): number {
  let sum = 0;
  for (let slot = first; slot <= last; slot += 1) sum += chain.ledger.ofSlot(slot).length;
  return sum;
}

function encodeBlock(chain: LocalChain, slot: number, config: Config): unknown {
  const landed = chain.ledger.ofSlot(slot);
  const details = config['transactionDetails'] ?? 'full';
  const head = {
    blockhash: chain.slots.hashOf(slot),
    previousBlockhash: chain.slots.hashOf(chain.slots.parentOf(slot)),
    parentSlot: chain.slots.parentOf(slot),
    blockHeight: chain.slots.heightOf(slot),
    blockTime: timeOf(chain, slot),
    ...(config['rewards'] === false ? {} : { rewards: [] }),
  };
  if (details === 'none') return head;
  if (details === 'signatures') return { ...head, signatures: landed.map((one) => one.signature) };
  const shown = {
    maxVersion: optionalInteger(config, 'maxSupportedTransactionVersion'),
    rewards: config['rewards'] !== false,
  };
  if (details === 'accounts')
    return { ...head, transactions: landed.map((one) => encodeAccounts(one, shown)) };
  if (details !== 'full')
    throw invalidParams('"transactionDetails" must be full, accounts, signatures or none');
  const encoding = transactionEncoding(config);
  return { ...head, transactions: landed.map((one) => encodeTransaction(one, encoding, shown)) };
}

/** Of a block with transactions the time that they were given: the calendar only estimates slots of earlier runs. */
function timeOf(chain: LocalChain, slot: number): number {
  return chain.ledger.ofSlot(slot)[0]?.unixSeconds ?? chain.slots.unixSecondsOf(slot);
}
