import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { SecretHandler } from '../../../platform/telegram/secret/prompts.ts';
import { payloadOf } from '../../../platform/telegram/ui/payload.ts';
import { ALLOWED_PERCENT, ALLOWED_WITHOUT_PIN } from '../rules/allowed-slippage.ts';
import { TRADE } from './card-view.ts';

type Deps = Pick<FeatureDeps, 'guard' | 'secrets' | 'states'>;
/** A new quote of the order behind a button, with this slippage, and its confirm screen. */
type Repeat = (ctx: BotContext, state: TapState, allowedBps: Bps) => Promise<void>;

const WAITING = z.object({ percent: z.int(), stateId: text });

const question = ({ turn }: BotContext, payload: z.infer<typeof WAITING>): Question => ({
  to: `${TRADE}:allow`,
  payload,
  isProof: true,
  act: 'slippage-high',
  text: turn.words.html('setting.slippage_pin'),
});

/**
 * The tap on a slippage that is allowed for one trade: it leads to a new quote and its confirm screen, and stores nothing. Above 15 % the
 * PIN of those who have one comes first, as with a setting of that size.
 */
export function allowTap(deps: Deps, repeat: Repeat) {
  return async (ctx: BotContext, state: TapState | null): Promise<void> => {
    const percent = state?.index ?? 0;
    const stateId = state?.buttonId ?? null;
    if (state === null || stateId === null || !isAllowed(percent)) throw new AppError('BUTTON_STALE', {});
    const { hasPin } = await deps.guard.overview({ userId: ctx.turn.user.id });
    if (percent > ALLOWED_WITHOUT_PIN && hasPin)
      await askSecret(deps, ctx, question(ctx, { percent, stateId }));
    else await repeat(ctx, state, bps(100 * percent));
  };
}

/** The secret `allow`: with the right PIN the tap goes on. */
export function allowHandler(deps: Deps, repeat: Repeat): SecretHandler {
  return async (ctx, secret, payload) => {
    const waiting = payloadOf(WAITING, payload);
    const userId = ctx.turn.user.id;
    await withPin(deps, ctx, question(ctx, waiting), async () => {
      await deps.guard.givePermit({ userId, pin: pinOf(secret), act: 'slippage-high' });
      const { stateId, percent } = waiting;
      const again = await deps.states.read({ id: stateId, userId, feature: TRADE });
      if (again === null || !isAllowed(percent)) throw new AppError('BUTTON_STALE', {});
      await repeat(ctx, { buttonId: stateId, payload: again, index: percent }, bps(100 * percent));
    });
  };
}

const isAllowed = (percent: number): boolean =>
  Number.isInteger(percent) && percent >= ALLOWED_PERCENT.least && percent <= ALLOWED_PERCENT.most;
