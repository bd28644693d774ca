import type { Words } from '../../../compose/texts/words.ts';

/** `no tokens`, `1 token`, `3 tokens`. */
export function tokensText(words: Words, count: number): string {
  if (count === 0) return words.text('home.tokens_none');
  return count === 1 ? words.text('home.tokens_one') : words.text('home.tokens_many', { count });
}
