import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, Tap, TypedReader } from '../../../platform/telegram/feature.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { assertOneMeaning } from '../../orders/chat/typed.ts';
import { isWordsAtAnyScreen } from '../../tokens/rules/typed-verb.ts';
import { ALERTS, type AlertDraft, decodeAlertDraft } from './draft.ts';
import { placeDraft, setPrice, showForm } from './form.ts';
import { removeListed, setAgain, showAlerts } from './list.ts';
import { ALERT_STEPS } from './view.ts';

/** Price alerts: made on the trade card, listed under /alerts. They notify and never trade, so paper mode has them too. */
export function alertsFeature(deps: FeatureDeps): Feature {
  const list = (ctx: BotContext): Promise<void> => showAlerts(deps, ctx);
  const edit = (change: (draft: AlertDraft) => AlertDraft): Tap => ({
    act: 'reads',
    run: (ctx, tap) => showForm(deps, ctx, change(decodeAlertDraft(tap))),
  });
  const taps: Feature['taps'] = {
    open: { act: 'reads', run: list },
    new: {
      act: 'reads',
      run: (ctx, tap) => {
        const mint = address(textField(tap, 'mint'));
        return showForm(deps, ctx, { mint, placeKey: deps.ids.token(), repeats: false, chosen: null });
      },
    },
    step: {
      act: 'reads',
      run: async (ctx, tap) => {
        const text = ALERT_STEPS[tap?.index ?? -1];
        if (text === undefined) throw new AppError('BUTTON_STALE', {});
        await setPrice(deps, ctx, decodeAlertDraft(tap), text);
      },
    },
    form: edit((draft) => draft),
    once: edit((draft) => ({ ...draft, repeats: false })),
    every: edit((draft) => ({ ...draft, repeats: true })),
    place: { act: 'display', toasts: true, run: (ctx, tap) => placeDraft(deps, ctx, tap) },
    remove: { act: 'display', toasts: true, run: (ctx, tap) => removeListed(deps, ctx, tap) },
    again: { act: 'display', toasts: true, run: (ctx, tap) => setAgain(deps, ctx, tap) },
  };
  // They take no wallet: paper mode works before there is one.
  const unlocked = Object.entries(taps).map(([name, tap]): [string, Tap] => [
    name,
    { ...tap, unlocked: true },
  ]);
  const hidden: Feature['hidden'] = [{ name: 'alerts', act: 'reads', run: list }];
  return {
    name: ALERTS,
    commands: [],
    taps: Object.fromEntries(unlocked),
    forms: [],
    hidden,
    typed: typedAlert(deps),
  };
}

/** A text that is typed at the form is the price of the alert. */
function typedAlert(deps: FeatureDeps): TypedReader {
  return {
    takes: (text) => !isWordsAtAnyScreen(text),
    run: async (ctx, tap, text) => {
      assertOneMeaning(ctx, text);
      await setPrice(deps, ctx, decodeAlertDraft(tap), text);
    },
    again: (ctx, tap, why) => showForm(deps, ctx, decodeAlertDraft(tap), why),
    back: { action: 'form', label: () => 'btn.back_to_alert' },
  };
}
