import type { MessageEntity } from '@grammyjs/types';

type Found = MessageEntity.CommonMessageEntity;

/** Longest kinds first: an address inside an e-mail is not a mention. Every pattern captures the text that becomes the entity. */
const PATTERNS: readonly (readonly [Found['type'], RegExp])[] = [
  ['email', /(?<![\w.+-])([\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})(?![\w-])/giu],
  ['url', /(?<![\w@.])((?:https?|tg):\/\/[^\s<>"']*[^\s<>"'.,!?;:)\]])/giu],
  [
    'url',
    /(?<![\w@./-])((?:[a-z0-9-]+\.)+(?:com|org|net|io|me|dev|app|xyz|fun)(?:\/[^\s<>"']*[^\s<>"'.,!?;:)\]])?)(?![\w@-])/giu,
  ],
  ['bot_command', /(?<![\w/<>])(\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?)(?![\w/])/giu],
  ['mention', /(?<!\w)(@[a-z0-9_]{3,32})(?!\w)/giu],
  ['hashtag', /(?<![\w#/])(#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*)/gu],
  ['cashtag', /(?<![\w$])(\$[A-Z]{1,8})(?![\w$])/gu],
];

/**
 * The entities that Telegram marks up by itself: commands, mentions, links, e-mails, tags. Nothing is found inside `taken` code, pre or
 * link entities; that is why hostile names belong into `<code>`. Domains without a scheme count for a short list of endings, where Telegram
 * knows them all.
 */
export function findAutoEntities(text: string, taken: readonly MessageEntity[]): readonly MessageEntity[] {
  const blocked = taken.filter((e) => e.type === 'code' || e.type === 'pre' || e.type === 'text_link');
  const found: Found[] = [];
  for (const [type, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const candidate: Found = { type, offset: match.index, length: match[0].length };
      if (![...blocked, ...found].some((other) => overlaps(candidate, other))) found.push(candidate);
    }
  }
  return found;
}

function overlaps(a: MessageEntity, b: MessageEntity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}
