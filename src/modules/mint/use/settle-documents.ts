import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { AwaitedMint, MetadataStore } from '../../../platform/ports/metadata-store.ts';
import type { Programs } from '../../../platform/ports/programs.ts';

/** A transaction lives for about a minute. A mint that is not on chain by then hardly comes, and is checked once more at the end. */
const FIRST_LOOK_MS = 5 * 60_000;
/** As long as anything waits in the metadata store. */
const END_MS = 24 * 3_600_000;
const AT_ONCE = 100;
/** Pages of one round, so that it ends within seconds. */
const PAGES = 10;

export type SettleDocumentsDeps = {
  readonly metadata: Pick<MetadataStore, 'awaitedMints' | 'settleMint' | 'keep'>;
  readonly chain: Pick<Chain, 'accounts'>;
  readonly programs: Pick<Programs, 'metadataRecordAddress'>;
  readonly clock: Clock;
};

/**
 * Looks for the mints of built tokens: a document whose mint is on chain and points at it stays for good, one whose mint did
 * not come within a day is left to the sweep. Throws CHAIN_UNREACHABLE; nothing is concluded then.
 */
export async function settleDocuments(deps: SettleDocumentsDeps): Promise<void> {
  const now = deps.clock.now();
  for (let page = 0; page < PAGES; page += 1) if ((await settlePage(deps, now)) < AT_ONCE) return;
}

/** Returns how many mints were looked for: none of them is looked for again at this moment. */
async function settlePage({ metadata, chain, programs }: SettleDocumentsDeps, now: number): Promise<number> {
  const waits = await metadata.awaitedMints({
    lookedBefore: now - FIRST_LOOK_MS,
    endBefore: now - END_MS,
    limit: AT_ONCE,
  });
  if (waits.length === 0) return 0;
  // The link is in the mint itself or in its Metaplex record.
  const places = waits.flatMap(({ mint }) => [mint, programs.metadataRecordAddress(mint)]);
  const { accounts } = await chain.accounts(places);
  for (const [index, wait] of waits.entries()) {
    const [mint, record] = accounts.slice(2 * index, 2 * index + 2);
    if (pointsAt(wait, mint?.data) || pointsAt(wait, record?.data)) {
      await metadata.keep(wait.sha256);
      await metadata.settleMint(wait, null);
    } else {
      await metadata.settleMint(wait, wait.since < now - END_MS ? null : now);
    }
  }
  return waits.length;
}

/** A mint alone proves nothing: a caller with their own key could name it for any number of documents. */
function pointsAt({ uri }: AwaitedMint, data: Uint8Array | undefined): boolean {
  return data !== undefined && Buffer.from(data).includes(uri, 0, 'utf8');
}
