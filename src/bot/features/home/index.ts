import { activeWallet } from '../../../services/wallets/active-wallet.ts';
import { walletFunds } from '../../../services/wallets/list-wallets.ts';
import { walletLimit } from '../../../services/wallets/wallet-limit.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature } from '../../feature.ts';
import { homeView } from './view.ts';

/** The main menu. */
export function homeFeature(deps: FeatureDeps): Feature {
  async function open({ turn }: BotContext): Promise<void> {
    const wallets = await deps.db.wallets.listByUser(turn.user.id);
    const wallet =
      wallets.find(({ id }) => id === turn.user.activeWalletId) ??
      (await activeWallet(deps.db.wallets, turn.user));
    const [funds, microUsdPerSol, points, max, pauses] = await Promise.all([
      walletFunds(deps.chain, wallet).catch(() => null),
      deps.solPrice(),
      deps.db.ledger.balance({ kind: 'points', owner: turn.user.id }),
      walletLimit(deps.db.shop, deps.options.maxWallets, turn.user.id),
      deps.db.flags.pauses(),
    ]);
    await turn.screen.show(
      homeView(turn.words, {
        bot: deps.options.name,
        wallet,
        count: wallets.length,
        max,
        funds,
        microUsdPerSol,
        points,
        pauses,
        canLaunch: deps.launch.launchpads.length > 0,
      }),
    );
  }
  return {
    name: 'home',
    commands: [{ name: 'home', run: open }],
    taps: { open: { run: open } },
    forms: [],
  };
}
