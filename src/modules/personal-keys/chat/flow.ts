import type { TypedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';

export const KEY_QUESTION = {
  id: 'personal_key',
  version: 1,
  act: 'reads',
  text: 'pkey.ask_key',
  takesAddresses: true,
} as const satisfies TypedQuestion;

export const CAP_QUESTION = {
  id: 'personal_key_cap',
  version: 1,
  act: 'reads',
  text: 'pkey.ask_amount',
} as const satisfies TypedQuestion;

export const LIST_QUESTION = {
  id: 'personal_key_list',
  version: 1,
  act: 'reads',
  text: 'pkey.ask_list',
  takesAddresses: true,
} as const satisfies TypedQuestion;
