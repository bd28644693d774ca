import type { CreatedIntent, FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';
import { unlockFirst } from '../../../platform/telegram/secret/unlock-first.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { type RunDeps, runConfirmed } from './run-confirmed.ts';

/** The request behind a confirm button whose parameters were agreed on the screen. */
export type Agreed<P> = { readonly idemKey: string; readonly walletId: string; readonly params: P };

/**
 * A confirm tap carried out, see `runConfirmed`. A row's payload is ours and of this release (the state's version says so);
 * the key proves that it is a confirmation. Throws BUTTON_STALE for a tap without a row of its own.
 */
export async function confirmTap<P>(
  deps: RunDeps & Pick<FeatureDeps, 'secrets' | 'guard' | 'states'>,
  ctx: BotContext,
  state: TapState | null,
  confirm: (
    input: Agreed<P> & {
      readonly userId: string;
      readonly buttonId: string;
      readonly progress: { readonly chatId: bigint; readonly messageId: number };
    },
  ) => Promise<CreatedIntent>,
  /**
   * The feature whose secret `unlock` takes the PIN when this spends more than the chat may without it; absent for an act that spends
   * nothing.
   */
  feature?: string,
): Promise<void> {
  if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
  const { buttonId } = state;
  textField(state, 'idemKey');
  const agreed = state.payload as Agreed<P>;
  const work = (): Promise<void> =>
    runConfirmed(deps, ctx, (progress) =>
      confirm({ ...agreed, userId: ctx.turn.user.id, buttonId, progress }),
    );
  if (feature === undefined) await work();
  else await unlockFirst(deps, ctx, { feature, stateId: async () => buttonId }, work);
}
