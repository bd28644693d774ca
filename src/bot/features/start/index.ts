import { isAddress } from '../../../core/address/address.ts';
import { parseStartPayload } from '../../../core/referrals/start-payload.ts';
import { changePaper } from '../../../services/paper/change-paper.ts';
import { openDepositWallet } from '../../../services/wallets/open-deposit-wallet.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature, TapState } from '../../feature.ts';
import { percentText } from '../../ui/amounts.ts';
import { optionalField } from '../../ui/payload.ts';
import { walletReadyView, welcomeView } from './view.ts';

/** /start and the button that unlocks everything else. */
export function startFeature(deps: FeatureDeps): Feature {
  const feePercent = (): string => percentText(deps.options.fees(deps.clock.now()).tradeBps);

  async function start(ctx: BotContext, text: string): Promise<void> {
    const { turn } = ctx;
    const { mint } = parseStartPayload(text);
    if (turn.user.activeWalletId === null) {
      // The token of the link waits behind the button: the card needs a wallet.
      const stateId =
        mint === null
          ? null
          : await deps.states.issue({ userId: turn.user.id, feature: 'start', payload: { mint } });
      await turn.screen.fresh(
        welcomeView(turn.words, deps.options.name, turn.arrived?.attachedCode ?? null, stateId, feePercent()),
      );
      return;
    }
    await (mint === null ? turn.go('home', 'open') : turn.go('trade', 'paste', { text: mint }));
  }

  async function create(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const { wallet, created, count } = await openDepositWallet(
      { ...deps, maxWallets: deps.options.maxWallets },
      { userId: turn.user.id, expectedCount: 0 },
    );
    if (turn.user.activeWalletId === null) turn.change({ activeWalletId: wallet.id });
    if (turn.user.settings.paper?.on === true) {
      // Whoever makes a wallet wants to trade with it.
      const settings = await changePaper(deps, turn.user.id, (book) => ({ ...book, on: false }));
      if (settings !== null) turn.change({ settings });
    }
    const mint = optionalField(state, 'mint');
    if (mint !== null && isAddress(mint)) {
      await turn.toast(turn.words.text(created ? 'toast.wallet_ready' : 'toast.wallet_exists'));
      await turn.go('trade', 'paste', { text: mint });
      return;
    }
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
        run: ({ turn }) =>
          turn.screen.show(welcomeView(turn.words, deps.options.name, null, null, feePercent())),
      },
    },
    forms: [],
  };
}
