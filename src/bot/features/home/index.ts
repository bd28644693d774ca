import { isFrozen } from '../../../core/guard/freeze.ts';
import { activeWallet } from '../../../services/wallets/active-wallet.ts';
import { walletFunds } from '../../../services/wallets/list-wallets.ts';
import { walletLimit } from '../../../services/wallets/wallet-limit.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature } from '../../feature.ts';
import { percentText } from '../../ui/amounts.ts';
import { tokensWorth } from './tokens-worth.ts';
import { createMenu, earnMenu, homeView, moreMenu } from './view.ts';

/** The main menu, and the three menus behind it. */
export function homeFeature(deps: FeatureDeps): Feature {
  async function open({ turn }: BotContext): Promise<void> {
    const wallets = await deps.db.wallets.listByUser(turn.user.id);
    const wallet =
      wallets.find(({ id }) => id === turn.user.activeWalletId) ??
      (await activeWallet(deps.db.wallets, turn.user));
    const read = walletFunds(deps.chain, wallet).catch(() => null);
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
    await turn.screen.show(
      homeView(turn.words, {
        bot: deps.options.name,
        wallet,
        count: wallets.length,
        max,
        funds,
        worth,
        openOrders: orders.length,
        microUsdPerSol,
        points,
        pauses,
        paper: turn.user.settings.paper?.on === true,
        frozen: isFrozen(guard, deps.clock.now()) ? { until: guard.unfreezeAt } : null,
      }),
    );
  }
  const sharePercent = (): string => percentText(deps.options.fees(deps.clock.now()).referralShareBps);
  return {
    name: 'home',
    commands: [{ name: 'home', run: open }],
    taps: {
      open: { run: open },
      create: {
        run: ({ turn }) => turn.screen.show(createMenu(turn.words, deps.launch.launchpads.length > 0)),
      },
      earn: { run: ({ turn }) => turn.screen.show(earnMenu(turn.words, sharePercent())) },
      more: {
        run: ({ turn }) => turn.screen.show(moreMenu(turn.words, turn.user.settings.paper?.on === true)),
      },
    },
    forms: [],
  };
}
