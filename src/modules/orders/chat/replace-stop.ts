import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { hasCode } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { act, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import type { OrderGroup } from '../rules/order.ts';
import type { PlacementRefusal } from '../rules/placement.ts';
import { type DraftState, encodeDraft, ORDERS } from './draft-state.ts';
import { numbersText, refusalText } from './refusal-text.ts';

type StopStands = Extract<PlacementRefusal, { kind: 'stop-stands' }>;

/** The order to place; null where a stop is open already: then the screen asks whether the new one takes its place. */
export async function placedOrAsked(
  deps: Pick<FeatureDeps, 'states'>,
  { turn }: BotContext,
  state: DraftState,
  place: () => Promise<OrderGroup>,
): Promise<OrderGroup | null> {
  try {
    return await place();
  } catch (error) {
    if (!hasCode(error, 'ORDER_REFUSED') || error.details.kind !== 'stop-stands') throw error;
    const { details } = error;
    const issue = (replaces: readonly string[]): Promise<string> => {
      const payload = encodeDraft({ ...state, replaces });
      return deps.states.issue({ userId: turn.user.id, feature: ORDERS, payload });
    };
    const [placeId, backId] = [await issue(details.ids), await issue([])];
    await turn.screen.show(replaceView(turn.words, details, { placeId, backId }));
    return null;
  }
}

/** The question, with the open stops. */
function replaceView(
  words: Words,
  stands: StopStands,
  { placeId, backId }: { readonly placeId: string; readonly backId: string },
): View {
  const numbers = numbersText(stands.numbers);
  return {
    text: refusalText(words, stands),
    keyboard: keyboard([
      act(words.text('btn.replace_stop', { numbers }), ORDERS, 'place', placeId),
      act(words.text('btn.cancel'), ORDERS, 'form', backId),
    ]),
  };
}
