import type { TypedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';

export const FILTER_QUESTION = {
  id: 'launch_filter',
  version: 1,
  act: 'display',
  text: 'feed.ask_filter',
} as const satisfies TypedQuestion;
