import type { TippedSender } from '../../../platform/ports/sender.ts';

const NAMES: Readonly<Record<TippedSender, string>> = { jito: 'Jito', sender: 'Sender' };

/** As people know it; a proper name in all languages. */
export const senderName = (sender: TippedSender | undefined): string =>
  sender === undefined ? 'n/a' : NAMES[sender];
