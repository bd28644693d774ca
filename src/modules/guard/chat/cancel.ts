import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { freshAct, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';

/**
 * /cancel: ends a question, and calls off the newest order that is written down and not signed yet. A signed one may be on its way: the
 * command never claims to undo that.
 */
export function cancelFeature(deps: FeatureDeps): Feature {
  async function cancel({ turn }: BotContext): Promise<void> {
    const { words } = turn;
    const stopped = turn.leftDialogue;
    const [open] = await deps.db.intents.listOpen(turn.user.id);
    const home = nav(words.text('btn.home'), 'home', 'open');
    if (open === undefined) {
      await turn.screen.fresh({
        text: words.html(stopped ? 'cancel.stopped' : 'cancel.nothing'),
        keyboard: keyboard([home]),
      });
      return;
    }
    const { cancelled, forgotten } =
      open.status === 'CREATED'
        ? await deps.withdrawals.cancelIntent({ intentId: open.id, userId: turn.user.id })
        : { cancelled: false, forgotten: false };
    if (cancelled) {
      await turn.screen.fresh({
        text: words.html(forgotten ? 'cancel.withdrawn_forgotten' : 'cancel.withdrawn', {
          receipt: code(open.receipt),
        }),
        keyboard: keyboard([home]),
      });
      return;
    }
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: 'receipt',
      payload: { intentId: open.id },
    });
    await turn.screen.fresh({
      text: words.html(stopped ? 'cancel.stopped_but_open' : 'cancel.open', { receipt: code(open.receipt) }),
      keyboard: keyboard([
        freshAct(words.text('btn.show', { receipt: open.receipt }), 'receipt', 'show', stateId),
        home,
      ]),
    });
  }
  return {
    name: 'cancel',
    commands: [{ name: 'cancel', act: 'withdrawal-stop', unlocked: true, run: cancel }],
    // The offer under a forwarded /cancel.
    taps: { now: { act: 'withdrawal-stop', unlocked: true, run: cancel } },
    forms: [],
  };
}
