import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import type { ExitSet } from '../../settings/rules/exit-set.ts';
import type { ConfirmableTrade } from '../use/trade-quote.ts';
import { exitsOf } from './exits.ts';

/** The order behind a confirm button. */
export type Confirmable = {
  readonly idemKey: string;
  readonly walletId: string;
  readonly mint: Address;
  readonly side: 'buy' | 'sell';
  readonly amountIn: bigint;
  readonly trade: ConfirmableTrade;
  /** Of a purchase: the exits of its units. Absent: none. */
  readonly exits?: ExitSet;
};

/** A row's payload is ours and of this release (the state's version says so); the key proves that it is a confirmation. */
export function agreedOf(state: TapState): Confirmable {
  textField(state, 'idemKey');
  const payload = state?.payload;
  const isWritten = typeof payload === 'object' && payload !== null && 'exits' in payload;
  // Exits of another release: without them it would be another purchase.
  if (isWritten && exitsOf(payload.exits) === null) throw new AppError('BUTTON_STALE', {});
  return state.payload as Confirmable;
}

/** The fields of a new quote for the same order. */
export const again = ({ mint, walletId, side, amountIn, exits }: Confirmable) => ({
  mint,
  walletId,
  side,
  amountIn,
  ...(exits === undefined ? {} : { exits }),
});

/** The exits of the purchase that a button repeats, as they were chosen for that one; null where the button does not say. */
export function exitsField(state: TapState | null): ExitSet | null {
  const payload = state?.payload;
  return typeof payload === 'object' && payload !== null && 'exits' in payload
    ? exitsOf(payload.exits)
    : null;
}

/** The amount of a button that repeats an order; null when it has none. */
export function amountField(state: TapState | null): bigint | null {
  const payload = state?.payload;
  if (typeof payload !== 'object' || payload === null || !('amountIn' in payload)) return null;
  return typeof payload.amountIn === 'bigint' ? payload.amountIn : null;
}

/** Names the person's own act: the tap's id, or the message. */
export function updateKey(ctx: BotContext): string {
  const tap = ctx.callbackQuery?.id;
  return tap === undefined
    ? `msg-${ctx.me.id}-${ctx.chatId}-${ctx.message?.message_id}`
    : `tap-${ctx.me.id}-${tap}`;
}

/** The reasons travel as text; characters escaped for the card are escaped again where they are shown. */
export function plainReasons(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
