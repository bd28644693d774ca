import type { Address } from '@tradepost/solana';
import { createMetadataFileStore } from '../modules/mint/store/metadata-file-store.ts';
import { webSocketUrl } from '../platform/chain/hot/open-hot-accounts.ts';
import { type GeyserServer, loadGeyser } from '../platform/chain/transaction-source/geyser/client.ts';
import { createGeyserSource } from '../platform/chain/transaction-source/geyser/create-geyser-source.ts';
import {
  openTransactionSource,
  type SourceChoice,
} from '../platform/chain/transaction-source/open-source.ts';
import type { PrismaDatabase } from '../platform/db/prisma-database.ts';
import { createIpfsMetadataStore } from '../platform/ipfs/ipfs-metadata-store.ts';
import type { Chain } from '../platform/ports/chain.ts';
import type { MetadataStore } from '../platform/ports/metadata-store.ts';
import type { TransactionSource } from '../platform/ports/transaction-source.ts';
import { feedBudget, openLaunchFeed } from '../platform/venues/launch-feeds.ts';
import type { AdapterOptions, Adapters } from './adapters.ts';

export type SourceWanted = SourceChoice & {
  readonly wsUrls: readonly string[] | null;
  readonly geyser: GeyserServer | null;
};

export type MetadataOptions = {
  /** Asked at each file: an open host on any free port knows its address only once it listens. */
  readonly publicUrl: () => string | null;
  readonly picturesMaxBytes: number;
  readonly ipfs: Parameters<typeof createIpfsMetadataStore>[1] | null;
};

/** The calls that another operator's node bears for launches. */
const FEED_RPC_PER_SECOND = 5;

/** Null where this process does not index. */
export async function sourceOf({
  tape: { source },
  rpcUrls,
  log,
}: AdapterOptions): Promise<TransactionSource | null> {
  if (source === null) return null;
  const proving = openTransactionSource(source, {
    urls: rpcUrls,
    wsUrls: source.wsUrls ?? rpcUrls.map(webSocketUrl),
  });
  if (source.geyser === null) return proving;
  return createGeyserSource(
    {
      server: source.geyser,
      open: await loadGeyser(),
      lost: (why) => log.warn({ why }, 'the geyser stream was lost and is opened again'),
    },
    proving,
  );
}

/** Signatures of addresses, within the feed's part of the budget. Throws CHAIN_UNREACHABLE. */
export async function launchFeedOf(
  { launchFeed, rpcUrls, deskUrl, pads }: AdapterOptions,
  { chain, programs }: Pick<Adapters, 'chain' | 'programs'>,
): Promise<Adapters['launchFeed']> {
  if (launchFeed === null) return null;
  const budget = feedBudget(
    launchFeed.isLocal ? launchFeed.rpcPerSecond : (launchFeed.rpcPerSecond ?? FEED_RPC_PER_SECOND),
  );
  const source = openTransactionSource(
    { source: 'addresses', isLocal: launchFeed.isLocal, rpcPerSecond: budget.transactions },
    { urls: rpcUrls, wsUrls: launchFeed.wsUrls ?? rpcUrls.map(webSocketUrl) },
  );
  const feed = await openLaunchFeed({ chain, source, programs, deskUrl, pads });
  return { feed, looksPerSecond: budget.looks };
}

/** Asked once: a cluster without it costs no further call. Throws CHAIN_UNREACHABLE. */
export async function hasProgram(chain: Pick<Chain, 'accounts'>, program: Address): Promise<boolean> {
  const { accounts } = await chain.accounts([program]);
  return accounts[0]?.executable === true;
}

/** Ours, and where a pinning service is configured its too; then links name the content and need no address of ours. */
export function openMetadata(
  db: PrismaDatabase,
  { publicUrl, picturesMaxBytes: maxBytes, ipfs }: MetadataOptions,
): MetadataStore {
  const own = createMetadataFileStore(
    { query: db.query },
    { publicUrl: ipfs === null ? publicUrl : () => '', maxBytes },
  );
  return ipfs === null ? own : createIpfsMetadataStore(own, ipfs);
}
