import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Key } from '../../../compose/texts/catalogue.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { payloadOf, textField } from '../../../platform/telegram/ui/payload.ts';
import { leftText } from '../../../platform/telegram/ui/time.ts';
import { mayBeAsked, type Receiving } from '../rules/receiving-wallet.ts';
import type { Wallet } from '../rules/wallet.ts';
import { ownWallet } from '../use/own-wallet.ts';

const ASKED = z.object({ walletId: text, act: z.enum(['wallet-confirm', 'payout-wallet']) });

/** The question with a wait, and without one. */
const TEXTS = {
  'wallet-confirm': ['wallets.confirm_pin', 'wallets.confirm_pin_now'],
  'payout-wallet': ['wallets.payout_pin', 'wallets.payout_pin_now'],
} as const satisfies Record<Receiving, readonly [Key, Key]>;

/** Lets an imported wallet receive, and directs payouts to a wallet: each with a ripe PIN and a wait that Stop ends. */
export function receiveSteps(
  deps: FeatureDeps,
  show: (ctx: BotContext, wallet: Wallet) => Promise<void>,
): { readonly taps: Feature['taps']; readonly secrets: NonNullable<Feature['secrets']> } {
  async function question({ turn }: BotContext, { walletId, act }: z.infer<typeof ASKED>): Promise<Question> {
    const userId = turn.user.id;
    const wallet = await ownWallet(deps.db.wallets, { userId, walletId });
    if (!mayBeAsked(act, wallet, deps.clock.now())) throw new AppError('BUTTON_STALE', {});
    const { longDelayMs } = await deps.guard.overview({ userId });
    const { name } = wallet;
    const facts = { name, address: code(wallet.address), time: leftText(longDelayMs) };
    const [later, now] = TEXTS[act];
    return {
      to: 'wallets:receive',
      payload: { walletId, act },
      isProof: true,
      act,
      text: turn.words.html(longDelayMs > 0 ? later : now, facts),
    };
  }

  const ask =
    (act: Receiving) =>
    async (ctx: BotContext, state: TapState | null): Promise<void> =>
      askSecret(deps, ctx, await question(ctx, { walletId: textField(state, 'walletId'), act }));

  async function withRightPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { turn } = ctx;
    const { walletId, act } = payloadOf(ASKED, payload);
    await withPin(deps, ctx, await question(ctx, { walletId, act }), async () => {
      const pin = pinOf(secret);
      const { wallet } = await deps.guard.letReceive({ userId: turn.user.id, walletId, act, pin });
      await show(ctx, wallet);
    });
  }

  return {
    taps: {
      confirm: { act: 'wallet-confirm', run: ask('wallet-confirm') },
      payouts: { act: 'payout-wallet', run: ask('payout-wallet') },
    },
    secrets: { receive: { act: ['wallet-confirm', 'payout-wallet'], run: withRightPin } },
  };
}
