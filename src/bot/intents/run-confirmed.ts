import { isAppError } from '../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import type { CreatedIntent } from '../deps.ts';
import { keyboard } from '../ui/keyboard.ts';

/**
 * The moment after a confirm tap: the screen becomes the progress message and loses its buttons, then the intent is
 * written. In this order, because a fast worker edits the same message within milliseconds of the commit. When the intent
 * is refused the message becomes an ordinary screen again and the error is worded as everywhere else.
 */
export async function runConfirmed(
  { turn, chatId }: BotContext,
  confirm: (progress: { readonly chatId: bigint; readonly messageId: number }) => Promise<CreatedIntent>,
): Promise<void> {
  if (chatId === undefined) return;
  const messageId = await turn.screen.show({
    text: turn.words.html('result.preparing'),
    keyboard: keyboard(),
  });
  try {
    await confirm({ chatId: BigInt(chatId), messageId });
  } catch (error) {
    // A double tap met the first one's button; the first one's message stands.
    if (isAppError(error) && error.code === 'BUTTON_STALE') {
      await turn.screen.keep();
      await turn.toast(turn.words.text('toast.confirm_stale'));
      return;
    }
    throw error;
  }
  // From here on the message belongs to the result.
  await turn.screen.keep();
}
