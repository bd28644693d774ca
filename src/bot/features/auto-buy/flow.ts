import type { TypedQuestion } from '../../dialog/typed-question.ts';

export const AUTO_BUY_QUESTION = {
  id: 'auto_buy_amount',
  version: 1,
  text: 'autobuy.ask_amount',
} as const satisfies TypedQuestion;
