import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { ErrorDetails } from '../../../core/errors/codes.ts';
import { pinReasonText } from '../../../modules/tokens/chat/pin-reason-text.ts';
import type { BotContext } from '../context.ts';
import type { TapState } from '../feature.ts';
import { askSecret, pinOf, type Question, withPin } from './ask-pin.ts';
import type { Secret, SecretHandler } from './prompts.ts';

type Why = ErrorDetails['TRADE_PIN'];

/** The act that waits for the PIN: the row behind its confirm button, and the reason for the PIN. */
type Waiting = { readonly stateId: string; readonly why: Why };

/** Where a feature takes the request up again once the PIN was right, or was set. */
export type Unlockable = {
  readonly feature: string;
  readonly run: (ctx: BotContext, state: TapState) => Promise<unknown>;
};

type Deps = Pick<FeatureDeps, 'secrets' | 'guard' | 'states'>;

/**
 * Does `work`; where that needs the PIN first, asks for it, and the answer goes to the feature's secret `unlock` (`unlockHandler`). A
 * person without a PIN is asked for a new one at once, and the work runs by itself where that PIN unlocks trades.
 */
export async function unlockFirst(
  deps: Deps,
  ctx: BotContext,
  request: { readonly feature: string; readonly stateId: () => Promise<string> },
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!hasCode(error, 'TRADE_PIN')) throw error;
    await askToUnlock(deps, ctx, request.feature, { stateId: await request.stateId(), why: error.details });
  }
}

async function askToUnlock(deps: Deps, ctx: BotContext, feature: string, waiting: Waiting): Promise<void> {
  const { turn } = ctx;
  const { words, user } = turn;
  const { hasPin } = await deps.guard.overview({ userId: user.id });
  if (!hasPin) {
    await deps.guard.mayAct({ userId: user.id, act: 'pin-set' });
    await askSecret(deps, ctx, {
      to: 'security:first',
      payload: { replaces: null, resume: { feature, stateId: waiting.stateId } },
      text: words.html('trade.pin_first', { why: pinReasonText(words, waiting.why) }),
    });
    return;
  }
  await askSecret(deps, ctx, question(words, feature, waiting));
}

const question = (words: Words, feature: string, waiting: Waiting): Question => ({
  to: `${feature}:unlock`,
  payload: waiting,
  isProof: true,
  act: 'unlock',
  text: words.html('trade.ask_pin', { why: pinReasonText(words, waiting.why) }),
});

/** The secret `unlock` of a feature: with a right PIN trades are unlocked, and the waiting act runs as if it was tapped. */
export function unlockHandler(deps: Deps, { feature, run }: Unlockable): SecretHandler {
  return async (ctx: BotContext, secret: Secret, payload: unknown) => {
    const waiting = waitingOf(payload);
    const { turn } = ctx;
    await withPin(deps, ctx, question(turn.words, feature, waiting), async () => {
      await deps.guard.unlockTrades({ userId: turn.user.id, pin: pinOf(secret) });
      await runWaiting(deps, ctx, { feature, run }, { stateId: waiting.stateId, pinTyped: true });
    });
  };
}

/** The tap `resume` of a feature: the way back from setting the first PIN, which has unlocked trades. The waiting act runs as if it was tapped. */
export function resumeTap(deps: Deps, unlockable: Unlockable) {
  return async (ctx: BotContext, state: TapState | null): Promise<void> => {
    const stateId = state?.payload;
    if (typeof stateId !== 'string' || state?.buttonId !== null) throw new AppError('BUTTON_STALE', {});
    await runWaiting(deps, ctx, unlockable, { stateId, pinTyped: true });
  };
}

async function runWaiting(
  deps: Deps,
  ctx: BotContext,
  { feature, run }: Unlockable,
  { stateId, pinTyped }: { readonly stateId: string; readonly pinTyped: true },
): Promise<void> {
  const payload = await deps.states.read({ id: stateId, userId: ctx.turn.user.id, feature });
  if (payload === null) throw new AppError('BUTTON_STALE', {});
  await run(ctx, { buttonId: stateId, payload, index: null, pinTyped });
}

/** A prompt's payload is ours; its fields are of this release, as prompts live for minutes. */
function waitingOf(payload: unknown): Waiting {
  if (typeof payload !== 'object' || payload === null || !('stateId' in payload) || !('why' in payload)) {
    throw new AppError('BUTTON_STALE', {});
  }
  return payload as Waiting;
}
