import type { TypedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';

export const ALERT_QUESTION = {
  id: 'alert_price',
  version: 1,
  act: 'display',
  text: 'alert.ask_price',
} as const satisfies TypedQuestion;
