import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { exitDrafts } from '../../orders/use/exit-drafts.ts';
import { type ExitSet, hasExits } from '../../settings/rules/exit-set.ts';
import type { Settings } from '../../settings/rules/settings.ts';
import type { ConfirmTradeInput } from '../use/confirm-trade.ts';

/** How long the sales beside a purchase stay open. */
const EXITS_MS = 7 * 86_400_000;

/**
 * Confirms a trade. A purchase with sales beside it is one commit with them, so nothing is bought where one of them is refused. Throws the
 * errors of `confirmTrade`, and ORDER_REFUSED.
 */
export function buyWithExits(
  deps: Pick<FeatureDeps, 'trade' | 'orders' | 'clock'>,
  how: {
    readonly exits: ExitSet;
    readonly settings: Pick<Settings, 'slippageSellBps'>;
    readonly pin: 'typed' | 'window';
  },
  input: ConfirmTradeInput,
): ReturnType<FeatureDeps['trade']['confirmTrade']> {
  const { trade } = input;
  if (!hasExits(how.exits) || trade.side !== 'buy') return deps.trade.confirmTrade(input);
  const price = { got: trade.terms.amountIn, given: trade.terms.quotedOut };
  return deps.orders.buyWithLegs({
    ...input,
    pin: how.pin,
    legs: {
      drafts: exitDrafts(how.exits, price),
      expiresAt: deps.clock.now() + EXITS_MS,
      slippageBps: how.settings.slippageSellBps,
      accepted: [],
    },
  });
}
