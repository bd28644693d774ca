import { parseStartPayload } from '../../../core/referrals/start-payload.ts';
import { openDepositWallet } from '../../../services/wallets/open-deposit-wallet.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature } from '../../feature.ts';
import { walletReadyView, welcomeView } from './view.ts';

/** /start and the button that unlocks everything else. */
export function startFeature(deps: FeatureDeps): Feature {
  async function start(ctx: BotContext, text: string): Promise<void> {
    const { turn } = ctx;
    if (turn.user.activeWalletId === null) {
      await turn.screen.fresh(welcomeView(turn.words, deps.options.name, turn.arrived?.attachedCode ?? null));
      return;
    }
    const { mint } = parseStartPayload(text);
    await (mint === null ? turn.go('home', 'open') : turn.go('trade', 'paste', { text: mint }));
  }

  async function create(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const { wallet, created, count } = await openDepositWallet(
      { ...deps, maxWallets: deps.options.maxWallets },
      { userId: turn.user.id, expectedCount: 0 },
    );
    if (turn.user.activeWalletId === null) turn.change({ activeWalletId: wallet.id });
    await Promise.all([
      turn.toast(turn.words.text(created ? 'toast.wallet_ready' : 'toast.wallet_exists')),
      created
        ? turn.screen.show(walletReadyView(turn.words, wallet, count, deps.options.maxWallets))
        : turn.go('home', 'open'),
    ]);
  }

  return {
    name: 'start',
    commands: [{ name: 'start', unlocked: true, run: start }],
    taps: {
      create: { unlocked: true, toasts: true, run: create },
      open: {
        unlocked: true,
        run: ({ turn }) => turn.screen.show(welcomeView(turn.words, deps.options.name, null)),
      },
    },
    forms: [],
  };
}
