import type { TypedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';

export const COPY_QUESTION = {
  id: 'copy_number',
  version: 1,
  act: 'display',
  text: 'copy.ask_amount',
  isSol: true,
} as const satisfies TypedQuestion;
