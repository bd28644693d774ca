import { isAddress } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import { optionalField } from '../../../platform/telegram/ui/payload.ts';
import { changePaper } from '../../paper/use/change-paper.ts';
import { parseStartPayload } from '../../referrals/rules/start-payload.ts';
import { openDepositWallet } from '../../wallets/use/open-deposit-wallet.ts';
import { walletReadyView, welcomeView } from './start-view.ts';

/** /start and the button that unlocks everything else. */
export function startFeature(deps: FeatureDeps): Feature {
  const feePercent = (words: Words): string =>
    percentText(words, deps.options.fees(deps.clock.now()).tradeBps);

  async function start(ctx: BotContext, text: string): Promise<void> {
    const { turn } = ctx;
    const { mint, group } = parseStartPayload(text);
    if (group !== null) {
      await turn.go('groups', 'open', { groupId: String(group) });
      return;
    }
    if (turn.user.activeWalletId === null) {
      // The token of the link waits behind the button: the card needs a wallet.
      const stateId =
        mint === null
          ? null
          : await deps.states.issue({ userId: turn.user.id, feature: 'start', payload: { mint } });
      await turn.screen.fresh(
        welcomeView(
          turn.words,
          deps.options.name,
          turn.arrived?.attachedCode ?? null,
          stateId,
          feePercent(turn.words),
        ),
      );
      return;
    }
    await (mint === null ? turn.go('home', 'open') : turn.go('trade', 'paste', { text: mint }));
  }

  return {
    name: 'start',
    commands: [{ name: 'start', act: 'reads', unlocked: true, run: start }],
    taps: {
      create: {
        act: 'wallet-make',
        unlocked: true,
        toasts: true,
        run: (ctx, state) => createWallet(deps, ctx, state),
      },
      open: {
        act: 'reads',
        unlocked: true,
        run: ({ turn }) =>
          turn.screen.show(welcomeView(turn.words, deps.options.name, null, null, feePercent(turn.words))),
      },
    },
    forms: [],
  };
}

/** The first wallet, and then the token of the link that brought the person here, or the wallet itself. */
async function createWallet(deps: FeatureDeps, ctx: BotContext, state: TapState | null): Promise<void> {
  const { turn } = ctx;
  const { wallet, created, count } = await openDepositWallet(
    { ...deps, maxWallets: deps.options.maxWallets },
    { userId: turn.user.id, expectedCount: 0 },
  );
  if (turn.user.activeWalletId === null) turn.change({ activeWalletId: wallet.id });
  if (turn.user.settings.paper?.on === true) {
    // The person wants to trade with the wallet they made.
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
