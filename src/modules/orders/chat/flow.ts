import type { TypedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';

export const PRICE_QUESTION = {
  id: 'order_price',
  version: 1,
  act: 'reads',
  text: 'order.ask_price',
} as const satisfies TypedQuestion;

export const EDIT_PRICE_QUESTION = {
  id: 'order_edit_price',
  version: 1,
  act: 'reads',
  text: 'order.ask_price',
} as const satisfies TypedQuestion;

export const EDIT_AMOUNT_QUESTION = {
  id: 'order_edit_amount',
  version: 1,
  act: 'reads',
  text: 'order.ask_amount',
} as const satisfies TypedQuestion;

export const EDIT_FLOOR_QUESTION = {
  id: 'order_edit_floor',
  version: 1,
  act: 'reads',
  text: 'order.ask_floor',
} as const satisfies TypedQuestion;

export const AMOUNT_QUESTION = {
  id: 'order_amount',
  version: 1,
  act: 'reads',
  text: 'order.ask_amount',
} as const satisfies TypedQuestion;

export const PART_QUESTION = {
  id: 'order_part',
  version: 1,
  act: 'reads',
  text: 'order.ask_part',
} as const satisfies TypedQuestion;

export const RHYTHM_QUESTION = {
  id: 'order_rhythm',
  version: 1,
  act: 'reads',
  text: 'order.ask_rhythm',
} as const satisfies TypedQuestion;
