import type { Words } from '../../../compose/texts/words.ts';
import { amountText } from '../../../platform/telegram/ui/amounts.ts';
import { type Html, html, plain } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import type { KeyGrant, KeyRequest } from '../rules/key-request.ts';

/** Feature part of the buttons under a card. */
export const KEY_REVIEW = 'key_review';
/** A review may wait for its operator's holidays. */
export const CARD_TTL_MS = 30 * 86_400_000;

/** A request for an API key as an operator reviews it. All of its words are a stranger's and stay text. */
export function keyCard(
  words: Words,
  facts: {
    readonly request: KeyRequest;
    readonly earlier: readonly KeyRequest[];
    readonly proposed: KeyGrant;
    readonly stateId: string;
  },
): View {
  const { request, earlier, proposed, stateId } = facts;
  const parts: Html[] = [
    words.html('keys.card', {
      project: request.project,
      email: request.email,
      per_day: amountText(words, BigInt(request.perDay), 0),
      peak: amountText(words, BigInt(request.peakPerSecond), 0),
      scopes: request.scopes.join(', '),
      limits: keyLimits(words, proposed),
      use: request.use,
    }),
  ];
  if (request.question !== null) parts.push(words.html('keys.asked', { question: request.question }));
  if (request.answer !== null) parts.push(words.html('keys.answer', { answer: request.answer }));
  if (earlier.length > 0) {
    const list = earlier.map(({ status }) => words.text(`keys.status.${status}`)).join(', ');
    parts.push(words.html('keys.earlier', { list }));
  }
  return {
    text: parts.reduce((text, part) => html`${text}\n\n${part}`),
    keyboard: keyboard(
      [act(words.text('btn.key_grant'), KEY_REVIEW, 'grant', stateId)],
      [act(words.text('btn.key_other'), KEY_REVIEW, 'other', stateId)],
      [
        act(words.text('btn.key_ask'), KEY_REVIEW, 'ask', stateId),
        act(words.text('btn.key_refuse'), KEY_REVIEW, 'refuse', stateId),
      ],
    ),
  };
}

export function keyLimits(words: Words, grant: Pick<KeyGrant, 'ratePerSecond' | 'burst' | 'dayQuota'>): Html {
  const quota =
    grant.dayQuota === null ? words.text('keys.no_quota') : amountText(words, BigInt(grant.dayQuota), 0);
  return plain(words.text('keys.limits', { rate: grant.ratePerSecond, burst: grant.burst, quota }));
}
