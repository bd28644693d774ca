import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { readSpan, readWallets } from '../rules/read-signal.ts';
import { signalForm } from './flow.ts';
import { signalView } from './signal-view.ts';

/** The screen of the signal: a message when several followed wallets buy the same token. */
export function signalScreen({ follows }: Pick<FeatureDeps, 'follows'>): {
  readonly form: NonNullable<Feature['forms']>[number];
  readonly taps: Feature['taps'];
} {
  const show = async ({ turn }: BotContext): Promise<void> => {
    await turn.screen.show(signalView(turn.words, await follows.ownSignal(turn.user.id)));
  };
  const form = signalForm(
    async ({ turn }, { wallets, span }) => {
      await follows.checkSignal({ userId: turn.user.id, wallets: readWallets(wallets) });
      if (span !== undefined) readSpan(span);
    },
    async (ctx, { wallets, span }) => {
      const userId = ctx.turn.user.id;
      await follows.setSignal({ userId, wallets: readWallets(wallets), spanMs: readSpan(span) });
      await show(ctx);
    },
  );
  return {
    form,
    taps: {
      signal: { act: 'reads', run: show },
      signal_set: { act: 'display', run: (ctx) => enterForm(ctx, form, {}) },
      signal_off: {
        act: 'display',
        run: async (ctx) => {
          await follows.endSignal(ctx.turn.user.id);
          await show(ctx);
        },
      },
    },
  };
}
