import type { RecentEntry, WalletFeed } from '../../core/ports/wallet-feed.ts';
import type { WatchedAccount } from './watched-accounts.ts';

const PAGE = 100;
/** More than this at once is a flood, of which the newest are read. */
const MOST = 500;

/** What happened to an account since it was last read, oldest first. Throws CHAIN_UNREACHABLE. */
export async function readUnread(
  feed: Pick<WalletFeed, 'recent'>,
  { account, signature }: Pick<WatchedAccount, 'account' | 'signature'>,
): Promise<readonly RecentEntry[]> {
  const found: RecentEntry[] = [];
  let before: string | null = null;
  while (found.length < MOST) {
    const page: readonly RecentEntry[] = await feed.recent(account, {
      until: signature,
      before,
      limit: PAGE,
    });
    found.push(...page);
    before = page.at(-1)?.signature ?? null;
    if (page.length < PAGE) break;
  }
  return found.toReversed();
}
