import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { TypedReader } from '../../../platform/telegram/feature.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { isWordsAtAnyScreen } from '../../tokens/rules/typed-verb.ts';
import type { OrderType } from '../rules/order.ts';
import { isAmbiguousIn, type PriceRequest, readPrice } from '../rules/placement.ts';
import { compareRates } from '../rules/rate.ts';
import { readRhythm } from '../rules/schedule.ts';
import { rateIn } from '../rules/trigger.ts';
import type { draftAnswers } from './draft-answers.ts';
import { unitsTyped, withRhythm } from './draft-answers.ts';
import { type DraftState, decodeDraft, draftGroup, withPart } from './draft-state.ts';

/** The forms of orders for a typed text, beside their buttons. */
export type TypedForms = {
  readonly show: (ctx: BotContext, state: DraftState, why?: Html) => Promise<void>;
  readonly setPrice: (ctx: BotContext, state: DraftState, text: string, type: OrderType) => Promise<void>;
  readonly answers: ReturnType<typeof draftAnswers>;
};

/** Reads a typed text as the form means it: a price of a limit order or an exit; an amount, the worst price or the rhythm of rounds. */
export function typedOrders(deps: FeatureDeps, { show, setPrice, answers }: TypedForms): TypedReader {
  async function ofRounds(ctx: BotContext, state: DraftState, text: string): Promise<void> {
    if (readRhythm(text) !== null) return show(ctx, withRhythm(state, text));
    const request = priceIn(text);
    // A number alone is what each round of a purchase gives, and all that is sold; the price of a round is said by what the price is now.
    if (request.kind === 'SOL') {
      const units = await unitsTyped(deps, state, text.replace(/\s*sol\s*$/iu, ''));
      return show(ctx, state.side === 'buy' ? withPart(state, units) : { ...state, amount: String(units) });
    }
    return show(ctx, await answers.bandAt(ctx.turn.user.id, state, text));
  }

  return {
    takes: (text) => !isWordsAtAnyScreen(text),
    run: async (ctx, tap, text) => {
      const state = decodeDraft(tap);
      assertOneMeaning(ctx, text);
      switch (state.tab) {
        case 'dca':
          return ofRounds(ctx, state, text);
        case 'limit':
          return setPrice(ctx, state, text, state.legs[0]?.type ?? 'LIMIT');
        case 'tpsl':
          return setPrice(ctx, state, text, await exitTypeOf(deps, ctx, state, { text, answers }));
      }
    },
    again: (ctx, tap, why) => show(ctx, decodeDraft(tap), why),
    back: { action: 'form', label: (tap) => `btn.back_to_${decodeDraft(tap).tab}` },
  };
}

/** Throws ORDER_REFUSED for a number that means two things in the person's language. */
export function assertOneMeaning({ turn }: BotContext, text: string): void {
  if (isAmbiguousIn(turn.words.language, text))
    throw new AppError('ORDER_REFUSED', { kind: 'price-ambiguous' });
}

/** Throws ORDER_REFUSED where the text is no price. */
function priceIn(text: string): PriceRequest {
  const request = readPrice(text);
  if (!('digits' in request)) throw new AppError('ORDER_REFUSED', request);
  return request;
}

/**
 * Whether a typed price of a sale takes a profit or stops a loss. A percentage and a multiple say it themselves. Any other price is
 * compared with the present proceeds of the sale; a price equal to them is a stop. Throws ORDER_REFUSED where they are not known.
 */
async function exitTypeOf(
  { orders, clock }: Pick<FeatureDeps, 'orders' | 'clock'>,
  { turn }: BotContext,
  state: DraftState,
  { text, answers }: { readonly text: string; readonly answers: TypedForms['answers'] },
): Promise<'TAKE_PROFIT' | 'STOP_LOSS'> {
  const request = priceIn(text);
  if (request.kind === 'percent') return request.digits > 0n ? 'TAKE_PROFIT' : 'STOP_LOSS';
  if (request.kind === 'multiple')
    return request.digits > 10n ** BigInt(request.scale) ? 'TAKE_PROFIT' : 'STOP_LOSS';
  const { id } = turn.user;
  const { leg } = await answers.legAt(id, state, text, 'TAKE_PROFIT');
  const { slippageSellBps, tier } = turn.user.settings;
  const settings = { slippageBps: slippageSellBps, tier };
  const now = clock.now();
  const draft = draftGroup({ ...state, legs: [leg] }, turn.user, settings, now);
  const { looks, solUsd } = await orders.viewDraft({ ...draft, units: BigInt(state.amount) });
  const rate = looks[0]?.now?.rate;
  const price = rate === undefined ? null : rateIn(leg.unit, 'sell', rate, solUsd, now);
  if (price === null) throw new AppError('ORDER_REFUSED', { kind: 'no-market' });
  const asked = { got: BigInt(leg.got), given: BigInt(leg.given) };
  return compareRates(asked, price) > 0 ? 'TAKE_PROFIT' : 'STOP_LOSS';
}
