import type { CreatedIntent, FeatureDeps } from '../../../compose/bot-deps.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { freshNav, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import { loadResult } from './load-result.ts';
import { resultView } from './result-view.ts';
import { standingOf } from './standing.ts';

export type RunDeps = Pick<
  FeatureDeps,
  'db' | 'chain' | 'clock' | 'states' | 'options' | 'passportUrl' | 'solPrice' | 'trade'
>;

/**
 * The moment after a confirm tap or a right PIN: the intent is written first, with the message that will show it, and only then does that
 * message say that it is prepared. So a process that dies in between leaves the question on the screen, or an intent whose notices find
 * their message. It never leaves a "Preparing…" without an intent. A fast worker may edit the message before this does, so the rows are
 * read once more afterwards and the message brought up to them. A refused intent leaves an ordinary screen, and the error is worded as
 * everywhere else. A repeat of a request that is under way says so, unless it came from the message that shows it.
 */
export async function runConfirmed(
  deps: RunDeps,
  ctx: BotContext,
  confirm: (progress: { readonly chatId: bigint; readonly messageId: number }) => Promise<CreatedIntent>,
): Promise<void> {
  const { turn } = ctx;
  if (ctx.chatId === undefined) return;
  const chatId = BigInt(ctx.chatId);
  // True also when nothing follows. Shown only where no message of ours is below the person's words.
  const messageId =
    turn.screen.adopt(ctx.message !== undefined) ??
    (await turn.screen.show({ text: turn.words.html('result.one_moment'), keyboard: keyboard() }));
  let written: CreatedIntent;
  try {
    written = await confirm({ chatId, messageId });
  } catch (error) {
    // A double tap met the first one's button; the first one's message stays.
    if (isAppError(error) && error.code === 'BUTTON_STALE') {
      await turn.screen.keep();
      await turn.toast(turn.words.text('toast.confirm_stale'));
      return;
    }
    throw error;
  }
  const { intent, created } = written;
  const shown = created ? messageId : (await deps.db.notices.progressMessage(intent.id))?.messageId;
  if (shown !== messageId) {
    // Another message shows that intent, and nothing would ever come to this one.
    await turn.screen.show({
      text: turn.words.html('result.elsewhere'),
      keyboard: keyboard([freshNav(turn.words.text('btn.home'), 'home', 'open')]),
    });
  } else {
    if (created) turn.screen.handedOver();
    const standing = await turn.screen.show({
      text: turn.words.html('result.preparing'),
      keyboard: keyboard(),
    });
    // The message could not be edited any more: another one took its place.
    if (standing !== messageId) {
      await deps.db.notices.setProgressMessage({ intentId: intent.id, chatId, messageId: standing });
    }
    await catchUp(deps, ctx, intent.id);
  }
  // From here on the message belongs to the result.
  await turn.screen.keep();
}

/** Commits from before this read are shown; a later commit edits the message later. */
async function catchUp(deps: RunDeps, { turn, me }: BotContext, intentId: string): Promise<void> {
  const intent = await deps.db.intents.find(intentId);
  if (intent === null) return;
  // Written and not begun, as most are at this moment: one read and no more.
  const attempts = intent.status === 'CREATED' ? [] : await deps.db.intents.attempts(intent.id);
  if (standingOf(intent, attempts, null).kind === 'preparing') return;
  const facts = await loadResult(deps, { intent, attempts }, turn.user.id, null, async () => me.username);
  await turn.screen.show(resultView(turn.words, facts));
}
