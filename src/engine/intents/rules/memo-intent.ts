/** A ULID as the service writes it into the memo of everything it signs. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * The intent's id out of a node's memo text (`[26] 01J…`, several joined by `; `), or null when there is none. Everyone can write such a
 * memo: it names a request of this service only when one of its wallets paid for the transaction.
 */
export function intentIdOfMemo(memo: string | null): string | null {
  if (memo === null) return null;
  for (const part of memo.split('; ')) {
    const text = /^\[26\] (.{26})$/.exec(part)?.[1];
    if (text !== undefined && ULID.test(text)) return text;
  }
  return null;
}

/** The same out of a transaction's memos themselves. */
export function intentIdOfMemos(memos: readonly string[]): string | null {
  return memos.find((memo) => ULID.test(memo)) ?? null;
}
