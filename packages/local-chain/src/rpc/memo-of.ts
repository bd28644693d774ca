import type { WireMessage } from '../wire.ts';

const MEMO_PROGRAMS = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]);

/** `[5] hello; [3] you` for the memos of a message, null without any. Source of truth: agave `extract_memos`. */
export function memoOf(message: WireMessage): string | null {
  const memos: string[] = [];
  for (const one of message.instructions) {
    if (!MEMO_PROGRAMS.has(message.staticKeys[one.programIndex] ?? '')) continue;
    memos.push(`[${one.data.length}] ${Buffer.from(one.data).toString('utf8')}`);
  }
  return memos.length === 0 ? null : memos.join('; ');
}
