import type { User } from '@grammyjs/types';

/**
 * The people of the chat page. No bot code knows them. Alice invites; Bob joins through her link; Chidi's Telegram speaks another language;
 * Mallory's name carries markup and a right-to-left override, and she taps other people's buttons.
 */
export const PERSONAS: readonly User[] = [
  { id: 101, is_bot: false, first_name: 'Alice', username: 'alice', language_code: 'en' },
  { id: 102, is_bot: false, first_name: 'Bob', username: 'bob', language_code: 'en' },
  { id: 103, is_bot: false, first_name: 'Chidi', username: 'chidi', language_code: 'es' },
  {
    id: 104,
    is_bot: false,
    first_name: 'Mallory',
    last_name: '<b>&"\u202Enimda',
    username: 'mallory',
    language_code: 'en',
  },
];
