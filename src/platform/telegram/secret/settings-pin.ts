import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { hasCode } from '../../../core/errors/app-error.ts';
import type { Settings } from '../../../modules/settings/rules/settings.ts';
import type { BotContext } from '../context.ts';
import { text, units } from '../dialog/fields.ts';
import { payloadOf } from '../ui/payload.ts';
import { askSecret, pinOf, type Question, withPin } from './ask-pin.ts';
import type { SecretHandler } from './prompts.ts';

const share = z.int().transform((value): Bps => bps(value));

/** A change of settings that waits for the PIN, and the screen that comes after it. */
const WAITING = z.object({
  change: z.object({
    slippageBuyBps: share.exactOptional(),
    slippageSellBps: share.exactOptional(),
    autoSlipBuyBps: share.nullable().exactOptional(),
    autoSlipSellBps: share.nullable().exactOptional(),
    autoBuy: z
      .object({ on: z.boolean(), lamports: units, dayLamports: units, maxImpactBps: z.int() })
      .exactOptional(),
  }),
  after: text,
  action: text.exactOptional(),
  payload: z.record(z.string(), z.string()).exactOptional(),
});
type Waiting = {
  readonly change: Partial<Settings>;
  /** The feature of that screen. */
  readonly after: string;
  /** Its tap; absent: `open`. */
  readonly action?: string;
  readonly payload?: Readonly<Record<string, string>>;
};

type Deps = Pick<FeatureDeps, 'secrets' | 'guard'>;

const question = ({ turn }: BotContext, waiting: Waiting): Question => ({
  to: 'setting:pin',
  payload: waiting,
  isProof: true,
  act: waiting.change.autoBuy === undefined ? 'slippage-high' : 'auto-buy-on',
  text: turn.words.html(waiting.change.autoBuy === undefined ? 'setting.slippage_pin' : 'autobuy.pin'),
});

/** Does `work`; where a change of settings takes the PIN, asks for it, and `settingsWithPin` takes the answer. */
export async function pinForSettings(
  deps: Deps,
  ctx: BotContext,
  waiting: Waiting,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!hasCode(error, 'PIN_REQUIRED')) throw error;
    await askSecret(deps, ctx, question(ctx, waiting));
  }
}

/** The secret `setting:pin`: the change with the PIN, and the screen that it was made on. */
export function settingsWithPin(deps: Deps): SecretHandler {
  return async (ctx, secret, payload) => {
    const waiting = payloadOf(WAITING, payload);
    const { turn } = ctx;
    await withPin(deps, ctx, question(ctx, waiting), async () => {
      const asked = { userId: turn.user.id, change: waiting.change, pin: pinOf(secret) };
      turn.change({ settings: await deps.guard.changeSettings(asked) });
      await turn.go(waiting.after, waiting.action ?? 'open', waiting.payload);
    });
  };
}
