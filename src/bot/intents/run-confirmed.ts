import { isAppError } from '../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import type { CreatedIntent } from '../deps.ts';
import { freshNav, keyboard } from '../ui/keyboard.ts';

/**
 * The moment after a confirm tap: the screen becomes the progress message and loses its buttons, then the intent is
 * written. In this order, because a fast worker edits the same message within milliseconds of the commit. When the intent
 * is refused the message becomes an ordinary screen again and the error is worded as everywhere else. A repeat of what is
 * under way says so, unless it came from the message that shows it.
 */
export async function runConfirmed(
  { turn, chatId }: BotContext,
  confirm: (progress: { readonly chatId: bigint; readonly messageId: number }) => Promise<CreatedIntent>,
): Promise<void> {
  if (chatId === undefined) return;
  const tapped = turn.screen.messageId;
  const messageId = await turn.screen.show({
    text: turn.words.html('result.preparing'),
    keyboard: keyboard(),
  });
  let isNew: boolean;
  try {
    ({ created: isNew } = await confirm({ chatId: BigInt(chatId), messageId }));
  } catch (error) {
    // A double tap met the first one's button; the first one's message stands.
    if (isAppError(error) && error.code === 'BUTTON_STALE') {
      await turn.screen.keep();
      await turn.toast(turn.words.text('toast.confirm_stale'));
      return;
    }
    throw error;
  }
  if (!isNew && messageId !== tapped) {
    // Another message shows that intent, and nothing would ever come to this one.
    await turn.screen.show({
      text: turn.words.html('result.elsewhere'),
      keyboard: keyboard([freshNav(turn.words.text('btn.home'), 'home', 'open')]),
    });
  }
  // From here on the message belongs to the result.
  await turn.screen.keep();
}
