import { type Address, maxBigint } from '@tradepost/solana';
import type { MarketKeys, TapeTransaction } from '@tradepost/tape';
import type { BlockTip, ReadLevel, TransactionSource } from '../../ports/transaction-source.ts';
import { MAX_TRANSACTION_VERSION } from '../transaction-version.ts';
import { heldByVaults } from './held-by-vaults.ts';
import { oldestSlot } from './oldest-slot.ts';
import { ifReadable, namedBlock, serveTransaction, wholeBlock } from './served.ts';
import { type Call, createSourceEndpoints, type SourceOptions } from './source-endpoints.ts';
import { keepSubscribed } from './subscribe.ts';
import {
  count,
  list,
  readBlockHead,
  readWireBlock,
  type WireBlock,
  type WireTransaction,
} from './wire-transaction.ts';

/** Blocks are read again when they are final: until then they are kept, if nothing took their place. */
const BLOCKS_KEPT = 96;
const BLOCKS_AT_ONCE = 8;
const TRANSACTIONS_AT_ONCE = 32;
const RANGES_KEPT = 4;
/** Where a cluster skips more slots than this at once, it has stopped. */
const LONGEST_SKIP = 64n;

/** A block with its transactions by the accounts that they name. */
type KeptBlock = {
  readonly block: WireBlock;
  transactionsOf(accounts: readonly Address[]): readonly TapeTransaction[];
};

/**
 * Reads every block once for all markets: the source for a node of one's own. Nothing that names a pool or a vault escapes it except
 * transactions that the node leaves out of a block. Each block names the one before it: a hole or a fork cannot pass as a range.
 */
export function createBlockSource(options: SourceOptions): TransactionSource {
  const endpoints = createSourceEndpoints(options);
  const kept = new Map<bigint, Promise<KeptBlock>>();
  /** Ranges that were asked for last: all markets ask for the same one. */
  const ranges = new Map<string, Promise<readonly KeptBlock[]>>();
  /** The last block that was read as final: the next one must be its child. */
  let tip: BlockTip | null = null;
  /** The newest final block that was not read whole: until a range that holds it is whole, balances prove every range. */
  let unprovedSlot: bigint | null = null;
  /** Ranges with a block that is not whole: each round reads them again. */
  const partial = new Set<string>();

  const fetchBlock = (call: Call, slot: bigint, level: ReadLevel): Promise<KeptBlock> => {
    const read = readBlock(call, slot, level).then(keep);
    kept.delete(slot);
    kept.set(slot, read);
    for (const oldest of kept.keys()) {
      if (kept.size <= BLOCKS_KEPT) break;
      kept.delete(oldest);
    }
    const forget = (): void => {
      if (kept.get(slot) === read) kept.delete(slot);
    };
    // A block that is not whole is read again: another node, or the same one later, may serve the rest.
    read.then(({ block }) => {
      if (!block.isWhole) forget();
    }, forget);
    return read;
  };

  const blocksOf = async (call: Call, range: Range, anew: boolean): Promise<readonly KeptBlock[]> => {
    const slots = await slotsOf(call, range);
    // The last block comes from the node at this very level: kept blocks of a fork do not lead up to it.
    const last = slots.at(-1);
    const read = (slot: bigint): Promise<KeptBlock> =>
      (anew || slot === last ? undefined : kept.get(slot)) ?? fetchBlock(call, slot, range.level);
    const blocks = await inGroups(slots, read);
    if (chains(blocks, range.after)) return blocks;
    // The kept blocks were of a fork that is no more: once again, all of it from the node.
    const fresh = await inGroups(slots, (slot) => fetchBlock(call, slot, range.level));
    if (chains(fresh, range.after)) return fresh;
    throw new Error(`the endpoint's blocks after ${range.after} do not follow each other`);
  };

  /** The first block that is not whole ends its round: in the next one balances prove every range. */
  const assertProvable = (blocks: readonly KeptBlock[], { upTo }: Range): void => {
    const unread = blocks.findLast(({ block }) => !block.isWhole)?.block.slot;
    const proving = unprovedSlot;
    if (unread !== undefined) unprovedSlot = maxBigint(unread, proving ?? unread);
    else if (proving !== null && upTo >= proving) unprovedSlot = null;
    if (unread !== undefined && proving === null)
      throw new Error(`the block of slot ${unread} holds a version that is not read here`);
  };

  const rangeOf = (range: Range): Promise<readonly KeptBlock[]> => {
    const key = `${range.level} ${range.after} ${range.upTo}`;
    const known = ranges.get(key);
    if (known !== undefined) return known;
    const read = blocksOf(endpoints.chosen(range.level), range, false).then((blocks) => {
      if (blocks.some(({ block }) => !block.isWhole)) partial.add(key);
      if (range.level === 'finalized') assertProvable(blocks, range);
      if (range.level === 'finalized') tip = followed(tip, blocks, range.after);
      return blocks;
    });
    ranges.set(key, read);
    for (const oldest of ranges.keys()) {
      if (ranges.size <= RANGES_KEPT) break;
      ranges.delete(oldest);
    }
    read.catch(() => ranges.delete(key));
    return read;
  };

  return {
    reads: 'together',
    wakes: (_, wake) => {
      const open = options.wsUrls.map((url) =>
        keepSubscribed(
          url,
          () => [{ method: 'slotSubscribe', params: [] }],
          () => wake(null),
        ),
      );
      return {
        stop: async () => {
          for (const { stop } of open) stop();
        },
      };
    },
    horizon: async (level) => {
      for (const key of partial) ranges.delete(key);
      partial.clear();
      const call = endpoints.choose(level);
      const slot = BigInt(count(await call('getSlot', [{ commitment: level }]), 'a slot'));
      const slots = await slotList(call, maxZero(slot - LONGEST_SKIP), slot, level);
      // A slot without a block cannot close a range: no block names it as its parent.
      return slots.at(-1) ?? maxZero(slot - LONGEST_SKIP);
    },
    // Blocks prove that nothing is missing, unless one of them could not be read whole.
    held: (markets) =>
      unprovedSlot === null ? Promise.resolve(null) : heldByVaults(endpoints.choose('finalized'), markets),
    tip: () => tip,
    resume: (former) => {
      tip = former;
    },
    oldest: () => oldestSlot(endpoints.choose('finalized')),
    read: async (market, range) => {
      if (range.upTo <= range.after) return [];
      const blocks =
        range.effort === 'elsewhere' || range.effort === 'blocks'
          ? await blocksOf(endpoints.another(range.level), range, true)
          : await rangeOf(range);
      return blocks.flatMap((block) => block.transactionsOf(accountsOf(market)));
    },
  };
}

/**
 * The whole block. Where it has a transaction of a version that nothing here reads, no node serves it whole: then each of its transactions
 * is read by its name, and the unreadable ones keep their places without any content.
 */
async function readBlock(call: Call, slot: bigint, level: ReadLevel): Promise<WireBlock> {
  const whole = await ifReadable(async () => ({
    answer: await call('getBlock', [Number(slot), wholeBlock(level)]),
  }));
  if (whole !== null) return readWireBlock(slot, whole.answer);
  const { signatures, ...head } = await namedBlock(call, slot, level);
  const names = list(signatures, 'the signatures').map(String);
  const transactions: WireTransaction[] = [];
  for (let at = 0; at < names.length; at += TRANSACTIONS_AT_ONCE)
    transactions.push(
      ...(await Promise.all(
        names
          .slice(at, at + TRANSACTIONS_AT_ONCE)
          .map(async (name) => (await serveTransaction(call, name, level))?.read ?? unreadable(name)),
      )),
    );
  const isWhole = transactions.every(({ keys }) => keys.length > 0);
  return { ...readBlockHead(slot, head), transactions, isWhole };
}

/** It names no account, so no market asks for it. */
function unreadable(signature: string): WireTransaction {
  return {
    signature,
    keys: [],
    decode: () => {
      throw new Error(`${signature} has a version that is not read here`);
    },
  };
}

type Range = { readonly after: bigint; readonly upTo: bigint; readonly level: ReadLevel };

/**
 * Slots with a block in the range. A node that lags answers with a short list, as one whose last slots are empty does: the
 * block that follows the range tells which of them is its parent.
 */
async function slotsOf(call: Call, { after, upTo, level }: Range): Promise<readonly bigint[]> {
  const slots = await slotList(call, after + 1n, upTo, level);
  if (slots.at(-1) === upTo) return slots;
  const [next] = await slotList(call, upTo + 1n, upTo + LONGEST_SKIP, level);
  if (next === undefined) throw new Error(`the endpoint does not know whether slot ${upTo} has a block yet`);
  const { parentSlot } = readBlockHead(
    next,
    await call('getBlock', [
      Number(next),
      {
        transactionDetails: 'none',
        rewards: false,
        maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
        commitment: level,
      },
    ]),
  );
  if (parentSlot > after && parentSlot !== slots.at(-1))
    throw new Error(`the endpoint left out the block of slot ${parentSlot}`);
  return slots;
}

async function slotList(call: Call, from: bigint, to: bigint, level: ReadLevel): Promise<readonly bigint[]> {
  const answer = await call('getBlocks', [Number(from), Number(to), { commitment: level }]);
  return list(answer, 'the slots').map((slot) => BigInt(count(slot, 'a slot')));
}

/** Whether each block is the child of the one before it, and the first of one at or before `after`. */
function chains(blocks: readonly KeptBlock[], after: bigint): boolean {
  return blocks.every(({ block }, index) => {
    const before = blocks[index - 1]?.block;
    if (before === undefined) return block.parentSlot <= after;
    return block.parentSlot === before.slot && block.parentHash === before.hash;
  });
}

/** The new tip. Throws when the blocks begin with another one than the child of the old tip. */
function followed(tip: BlockTip | null, blocks: readonly KeptBlock[], after: bigint): BlockTip | null {
  const [first] = blocks;
  if (tip?.slot === after && first !== undefined && first.block.parentHash !== tip.hash)
    throw new Error(
      `the endpoint's block of slot ${first.block.slot} does not follow the final one of slot ${after}`,
    );
  return blocks.at(-1)?.block ?? tip;
}

async function inGroups(
  slots: readonly bigint[],
  read: (slot: bigint) => Promise<KeptBlock>,
): Promise<readonly KeptBlock[]> {
  const blocks: KeptBlock[] = [];
  for (let at = 0; at < slots.length; at += BLOCKS_AT_ONCE)
    blocks.push(...(await Promise.all(slots.slice(at, at + BLOCKS_AT_ONCE).map(read))));
  return blocks;
}

function keep(block: WireBlock): KeptBlock {
  const decoded = new Map<number, TapeTransaction>();
  const byAccount = new Map<Address, number[]>();
  for (const [index, { keys }] of block.transactions.entries()) {
    for (const key of new Set(keys)) {
      const named = byAccount.get(key);
      if (named === undefined) byAccount.set(key, [index]);
      else named.push(index);
    }
  }
  const decode = (index: number): readonly TapeTransaction[] => {
    const transaction = block.transactions[index];
    if (transaction === undefined) return [];
    const known = decoded.get(index) ?? transaction.decode({ slot: block.slot, index, at: block.at });
    decoded.set(index, known);
    return [known];
  };
  return {
    block,
    transactionsOf: (accounts) => {
      const indexes = new Set(accounts.flatMap((account) => byAccount.get(account) ?? []));
      return [...indexes].toSorted((a, b) => a - b).flatMap(decode);
    },
  };
}

function accountsOf({ address, baseVault, quoteVault }: MarketKeys): readonly Address[] {
  return [...new Set([address, baseVault, quoteVault])];
}

function maxZero(slot: bigint): bigint {
  return maxBigint(slot, 0n);
}
