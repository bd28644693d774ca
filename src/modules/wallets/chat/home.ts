import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import { isFrozen } from '../../guard/rules/freeze.ts';
import { mayReceive } from '../rules/receiving-wallet.ts';
import { activeWallet } from '../use/active-wallet.ts';
import { walletLimit } from '../use/wallet-limit.ts';
import { tokensWorth } from './home-tokens-worth.ts';
import { createMenu, earnMenu, homeView, moreMenu } from './home-view.ts';

/** The main menu, and the three menus behind it. */
export function homeFeature(deps: FeatureDeps): Feature {
  async function open({ turn }: BotContext): Promise<void> {
    const wallets = await deps.db.wallets.listByUser(turn.user.id);
    const wallet =
      wallets.find(({ id }) => id === turn.user.activeWalletId) ??
      (await activeWallet(deps.db.wallets, turn.user));
    const read = deps.funds.of(wallet).catch(() => null);
    const [funds, worth, orders, microUsdPerSol, points, max, pauses, guard] = await Promise.all([
      read,
      read.then((found) => (found === null ? null : tokensWorth(deps.tokens, found.tokens))),
      deps.db.orders.listOpen(turn.user.id),
      deps.solPrice(),
      deps.db.ledger.balance({ kind: 'points', owner: turn.user.id }),
      walletLimit(deps.db.shop, deps.options.maxWallets, turn.user.id),
      deps.db.flags.pauses(),
      deps.db.guards.find(turn.user.id),
    ]);
    const now = deps.clock.now();
    await turn.screen.show(
      homeView(turn.words, {
        bot: deps.options.name,
        wallet,
        receives: mayReceive(wallet, now),
        count: wallets.length,
        max,
        funds,
        worth,
        openOrders: orders.length,
        microUsdPerSol,
        points,
        pauses,
        paper: turn.user.settings.paper?.on === true,
        frozen: isFrozen(guard, now) ? { until: guard.unfreezeAt } : null,
      }),
    );
  }
  const sharePercent = (words: Words): string =>
    percentText(words, deps.options.fees(deps.clock.now()).referralShareBps);
  return {
    name: 'home',
    commands: [{ name: 'home', act: 'reads', run: open }],
    taps: {
      open: { act: 'reads', run: open },
      create: {
        act: 'reads',
        run: ({ turn }) => turn.screen.show(createMenu(turn.words, deps.launch.launchpads.length > 0)),
      },
      earn: {
        act: 'reads',
        run: ({ turn }) => turn.screen.show(earnMenu(turn.words, sharePercent(turn.words))),
      },
      more: {
        act: 'reads',
        run: ({ turn }) => turn.screen.show(moreMenu(turn.words, turn.user.settings.paper?.on === true)),
      },
    },
    forms: [],
  };
}
