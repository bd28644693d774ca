import type { TypedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';

export const AUTO_BUY_QUESTION = {
  id: 'auto_buy_amount',
  version: 1,
  act: 'auto-buy-on',
  text: 'autobuy.ask_amount',
  isSol: true,
} as const satisfies TypedQuestion;
