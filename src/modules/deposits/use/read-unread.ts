import type { RecentEntry, WalletFeed } from '../../../platform/ports/wallet-feed.ts';
import type { WatchedAccount } from './watched-accounts.ts';

/** A node serves no longer page, and one look takes no more. */
const PAGE = 1_000;

export type Unread = {
  /** Oldest first. */
  readonly entries: readonly RecentEntry[];
  /** Newer ones follow them: the list is longer than one look. */
  readonly more: boolean;
};

/**
 * The oldest transactions of an account since it was last read, at most as many as one read takes. A history lists the newest first. So a
 * flood of small payments is read after earlier transactions, and hides nothing. Transactions older than `since`, in epoch milliseconds,
 * are not requested. Throws CHAIN_UNREACHABLE.
 */
export async function readUnread(
  feed: Pick<WalletFeed, 'recent'>,
  { account, signature }: Pick<WatchedAccount, 'account' | 'signature'>,
  since: number,
): Promise<Unread> {
  let found: readonly RecentEntry[] = [];
  let more = false;
  let before: string | null = null;
  for (;;) {
    const page: readonly RecentEntry[] = await feed.recent(account, {
      until: signature,
      before,
      limit: PAGE,
    });
    more ||= found.length + page.length > PAGE;
    found = [...found, ...page].slice(-PAGE);
    const last = page.at(-1);
    const isEnd = last === undefined || page.length < PAGE || (last.at !== null && last.at <= since);
    if (isEnd) return { entries: found.toReversed(), more };
    if (last.signature === before) throw new Error(`a node lists one page of ${account} again and again`);
    before = last.signature;
  }
}
