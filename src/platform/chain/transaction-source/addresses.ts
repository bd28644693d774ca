import type { Address } from '@tradepost/solana';
import type { MarketKeys, TapeTransaction } from '@tradepost/tape';
import { isRecord } from '../../../core/records.ts';
import type {
  NamedTransaction,
  ReadLevel,
  ReadRange,
  TransactionSource,
} from '../../ports/transaction-source.ts';
import { createBlockSource } from './blocks.ts';
import { heldByVaults } from './held-by-vaults.ts';
import { oldestSlot } from './oldest-slot.ts';
import { ifReadable, serveTransaction, signaturesOfBlock, wholeBlock } from './served.ts';
import { type Call, createSourceEndpoints, type SourceOptions } from './source-endpoints.ts';
import { keepSubscribed } from './subscribe.ts';
import { count, list, readWireBlock, record } from './wire-transaction.ts';

const PAGE = 1_000;
const TRANSACTIONS_AT_ONCE = 32;
/** Providers allow so many on one connection. */
const MARKETS_PER_SOCKET = 100;
/** A market that was taken up is subscribed to within this time. */
const RENEW_MS = 2_000;
/** Transactions that are kept between the live read and the seal: a few kilobytes each. */
const KEPT = 5_000;

type Entry = { readonly signature: string; readonly slot: bigint; readonly index: number | null };

/**
 * Reads each market by the signatures of its address: for nodes of other operators. It omits the transactions that the node omits: the
 * balances find it, and harder reads ask for the vaults, another endpoint, or every block.
 */
export function createAddressSource(options: SourceOptions): TransactionSource {
  const endpoints = createSourceEndpoints(options);
  const blocks = createBlockSource(options);
  const kept = new Map<string, TapeTransaction>();
  const remember = (transaction: TapeTransaction): TapeTransaction => {
    kept.set(keyOf(transaction), transaction);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    return transaction;
  };

  /** Those of one account in the range, as the node lists them, each once. */
  const entriesOf = async (call: Call, account: Address, range: ReadRange): Promise<readonly Entry[]> => {
    const found = new Map<string, Entry>();
    let before: string | null = null;
    for (;;) {
      const page = await signaturePage(call, account, { before, ...range });
      for (const entry of page) {
        if (entry.slot > range.after && entry.slot <= range.upTo) found.set(entry.signature, entry);
      }
      const last = page.at(-1);
      // Never `until`: a node that does not know it answers with the newest page.
      if (last === undefined || page.length < PAGE || last.slot <= range.after) return [...found.values()];
      if (last.signature === before) throw new Error('the endpoint answers with one page again and again');
      // Within a slot entries may be ordered by signature: entries that a page boundary splits are read from the block.
      for (const entry of await entriesOfSlot(call, account, last.slot, range.level)) {
        if (entry.slot > range.after && entry.slot <= range.upTo) found.set(entry.signature, entry);
      }
      before = last.signature;
    }
  };

  const transactionsOf = async (
    call: Call,
    entries: readonly Entry[],
    { level, effort }: ReadRange,
  ): Promise<readonly TapeTransaction[]> => {
    const known: TapeTransaction[] = [];
    const places = new Map<bigint, Promise<readonly string[]>>();
    const indexOf = async ({ signature, slot, index }: Entry): Promise<number> => {
      if (index !== null) return index;
      const signatures = places.get(slot) ?? signaturesOfBlock(call, slot, level);
      places.set(slot, signatures);
      const found = (await signatures).indexOf(signature);
      if (found < 0) throw new Error(`the block of slot ${slot} does not hold ${signature}`);
      return found;
    };
    for (let at = 0; at < entries.length; at += TRANSACTIONS_AT_ONCE) {
      const group = entries.slice(at, at + TRANSACTIONS_AT_ONCE);
      known.push(
        ...(
          await Promise.all(
            group.map(async (entry) => {
              const known = effort === 'usual' ? kept.get(keyOf(entry)) : undefined;
              // Another place than before: the kept one is of a fork that is gone.
              if (known !== undefined && (entry.index ?? known.index) === known.index) return known;
              const read = await readTransaction(call, entry, await indexOf(entry), level);
              return read === null ? null : remember(read);
            }),
          )
        ).filter((one) => one !== null),
      );
    }
    return known.toSorted(byPlace);
  };

  return {
    reads: 'apart',
    wakes: (markets, wake) => {
      const sockets = options.wsUrls.slice(0, 1).map((url) => logWakes(url, markets, wake));
      return {
        stop: async () => {
          for (const { stop } of sockets) stop();
        },
      };
    },
    horizon: async (level) =>
      BigInt(count(await endpoints.choose(level)('getSlot', [{ commitment: level }]), 'a slot')),
    held: (markets) => heldByVaults(endpoints.choose('finalized'), markets),
    tip: () => null,
    resume: () => undefined,
    oldest: () => oldestSlot(endpoints.choose('finalized')),
    read: async (market, range) => {
      if (range.upTo <= range.after) return [];
      if (range.effort === 'blocks') {
        await blocks.horizon(range.level);
        return blocks.read(market, range);
      }
      const call =
        range.effort === 'elsewhere' ? endpoints.another(range.level) : endpoints.chosen(range.level);
      const accounts = range.effort === 'usual' ? [market.address] : accountsOf(market);
      const lists = await Promise.all(accounts.map((account) => entriesOf(call, account, range)));
      const entries = new Map(lists.flat().map((entry) => [entry.signature, entry]));
      return transactionsOf(call, [...entries.values()], range);
    },
  };
}

/**
 * One subscription per market, a hundred to a connection, opened anew when other markets are followed. A market is woken when its first
 * subscription begins, and after each loss of the connection: earlier trades had no notice.
 */
function logWakes(
  url: string,
  markets: () => ReadonlySet<Address>,
  wake: (market: Address | null, named?: NamedTransaction) => void,
): { readonly stop: () => void } {
  let followed = '';
  const begun = new Set<Address>();
  let sockets: readonly { readonly stop: () => void }[] = [];
  const renew = (): void => {
    const now = [...markets()].toSorted();
    if (now.join() === followed) return;
    followed = now.join();
    for (const { stop } of sockets) stop();
    for (const market of begun) if (!now.includes(market)) begun.delete(market);
    sockets = inGroupsOf(MARKETS_PER_SOCKET, now).map((group) => {
      const onThis = new Set<Address>();
      const begin = (market: Address | undefined): void => {
        if (market === undefined) return;
        if (!begun.has(market) || onThis.has(market)) wake(market);
        begun.add(market);
        onThis.add(market);
      };
      return keepSubscribed(
        url,
        () =>
          group.map((market) => ({
            method: 'logsSubscribe',
            params: [{ mentions: [market] }, { commitment: 'confirmed' }],
          })),
        (message, result) => wake(message === null ? null : (group[message] ?? null), namedIn(result)),
        undefined,
        (message) => begin(group[message]),
      );
    });
  };
  renew();
  const timer = setInterval(renew, RENEW_MS);
  return {
    stop: () => {
      clearInterval(timer);
      for (const { stop } of sockets) stop();
    },
  };
}

/** The transaction of a notice of logs; undefined for one that failed, and for a notice that names none. */
function namedIn(result: unknown): NamedTransaction | undefined {
  if (!isRecord(result) || !isRecord(result['value']) || !isRecord(result['context'])) return undefined;
  const { signature, err } = result['value'];
  const { slot } = result['context'];
  if (typeof signature !== 'string' || err !== null || !Number.isSafeInteger(slot)) return undefined;
  return { signature, slot: BigInt(Number(slot)) };
}

async function signaturePage(
  call: Call,
  account: Address,
  { before, level, upTo }: Pick<ReadRange, 'level' | 'upTo'> & { readonly before: string | null },
): Promise<readonly Entry[]> {
  const answer = await call('getSignaturesForAddress', [
    account,
    {
      limit: PAGE,
      commitment: level,
      // A node behind the range refuses, instead of answering with the part that it has.
      minContextSlot: Number(upTo),
      ...(before === null ? {} : { before }),
    },
  ]);
  return list(answer, 'the signatures').map((one) => {
    const { signature, slot, transactionIndex } = record(one, 'a signature');
    if (typeof signature !== 'string') throw new Error('the endpoint answered with no signature');
    return {
      signature,
      slot: BigInt(count(slot, 'a slot')),
      // Only nodes from 4.0 on tell it.
      index: typeof transactionIndex === 'number' ? count(transactionIndex, 'an index') : null,
    };
  });
}

/** Transactions of one block that name the account; none where the block has one of a version that nothing here reads. */
async function entriesOfSlot(
  call: Call,
  account: Address,
  slot: bigint,
  level: ReadLevel,
): Promise<readonly Entry[]> {
  const answer = await ifReadable(() => call('getBlock', [Number(slot), wholeBlock(level)]));
  if (answer === null) return [];
  const block = readWireBlock(slot, answer);
  return block.transactions.flatMap(({ signature, keys }, index) =>
    keys.includes(account) ? [{ signature, slot, index }] : [],
  );
}

/** Null for one of a version that nothing here reads: the balances of its market show that something is missing. */
async function readTransaction(
  call: Call,
  { signature, slot }: Entry,
  index: number,
  level: ReadLevel,
): Promise<TapeTransaction | null> {
  const found = await serveTransaction(call, signature, level);
  if (found === null) return null;
  const { read, answer } = found;
  const { slot: landed, blockTime } = record(answer, 'a transaction');
  if (BigInt(count(landed, 'a slot')) !== slot)
    throw new Error(`the endpoint says that ${signature} landed in slot ${slot}, and in another one`);
  return read.decode({ slot, index, at: count(blockTime, "a block's time") });
}

function keyOf({ signature, slot }: Pick<Entry, 'signature' | 'slot'>): string {
  return `${slot} ${signature}`;
}

function accountsOf({ address, baseVault, quoteVault }: MarketKeys): readonly Address[] {
  return [...new Set([address, baseVault, quoteVault])];
}

function byPlace(a: TapeTransaction, b: TapeTransaction): number {
  return a.slot === b.slot ? a.index - b.index : a.slot < b.slot ? -1 : 1;
}

function inGroupsOf<T>(size: number, items: readonly T[]): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}
