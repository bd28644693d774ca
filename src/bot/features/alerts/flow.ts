import type { TypedQuestion } from '../../dialog/typed-question.ts';

export const ALERT_QUESTION = {
  id: 'alert_price',
  version: 1,
  text: 'alert.ask_price',
} as const satisfies TypedQuestion;
