import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError, isAppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Tap, TapState } from '../../../platform/telegram/feature.ts';
import { type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { capUsd } from '../../market/use/token-figures.ts';
import type { TokenProfile } from '../../market/use/token-profile.ts';
import type { ShownPosition } from '../../positions/use/list-positions.ts';
import { warningLines } from '../../tokens/chat/safety-text.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { judged } from '../use/judge-card.ts';
import type { TradeCard } from '../use/trade-card.ts';
import { moreView, safetyView } from './card-pages.ts';
import { cardView, TRADE, walletChoiceView } from './card-view.ts';

/** As many wallets as the two digits of a callback name. */
const MOST_WALLETS = 20;

type Wanted = (ctx: BotContext, walletId: string | null) => Promise<Wallet>;

/** The card of a token, and the screens that come back to it. `wanted` answers a wallet of the person's own. */
export function tradeCards(deps: FeatureDeps, wanted: Wanted) {
  const read = (wallet: Wallet, mint: Address): Promise<TradeCard> =>
    deps.trade.tradeCard({ wallet: wallet.address, mint });

  async function show(
    { turn }: BotContext,
    mint: Address,
    wallet: Wallet,
    note: Html | null = null,
  ): Promise<void> {
    const [found, known] = await Promise.all([
      read(wallet, mint),
      // Figures of the markets: a card without them is a card all the same.
      deps.tokens.profile(mint).catch(() => null),
    ]);
    const profile = await priced(deps, found, known).catch(() => known);
    const card = judged(found, profile);
    const holds = card.holdingUnits > 0n;
    const [position, guarded] = await Promise.all([
      holds ? positionOf(deps, turn, wallet, mint) : null,
      holds && isGuarded(deps, turn.user.id, wallet.id, mint),
    ]);
    // A token that is held was accepted before; only the first purchase asks for the word.
    const risky = card.safety.level === 'BLOCK' && card.holdingUnits === 0n;
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: `${TRADE} chart orders alerts setting launches`,
      payload: {
        mint,
        walletId: wallet.id,
        ...(risky ? { reasons: lines(...warningLines(turn.words, card.safety.warnings)).markup } : {}),
      },
    });
    const { settings } = turn.user;
    const readAt = deps.clock.now();
    await turn.screen.show(
      cardView(turn.words, { card, profile, position, guarded, wallet, settings, stateId, readAt, note }),
    );
  }

  const again = async (ctx: BotContext, state: TapState | null): Promise<void> =>
    show(ctx, address(textField(state, 'mint')), await wanted(ctx, textField(state, 'walletId')));

  async function safety(ctx: BotContext, state: TapState | null): Promise<void> {
    const wallet = await wanted(ctx, textField(state, 'walletId'));
    const mint = address(textField(state, 'mint'));
    const [found, profile] = await Promise.all([
      read(wallet, mint),
      deps.tokens.profile(mint).catch(() => null),
    ]);
    const stateId = ownButton(state);
    const shown = await priced(deps, found, profile).catch(() => profile);
    await ctx.turn.screen.show(safetyView(ctx.turn.words, { card: judged(found, shown), stateId }));
  }

  async function from(ctx: BotContext, state: TapState | null): Promise<void> {
    const walletId = textList(state, 'walletIds')[state?.index ?? -1];
    if (walletId === undefined) throw new AppError('BUTTON_STALE', {});
    await show(ctx, address(textField(state, 'mint')), await wanted(ctx, walletId));
  }

  const taps: Readonly<Record<string, Tap>> = {
    card: { act: 'reads', run: again },
    safety: { act: 'reads', back: 'card', run: safety },
    more: { act: 'reads', back: 'card', run: (ctx, state) => showMore(deps, ctx, state) },
    wallets: { act: 'reads', back: 'card', run: (ctx, state) => showWallets(deps, ctx, state) },
    from: { act: 'reads', back: 'card', run: from },
  };
  return { show, taps };
}

/** A token that no market is known of is read now, so that lists show the price of its card from then on. */
async function priced(
  { tokens }: FeatureDeps,
  { token, price: trades }: TradeCard,
  profile: TokenProfile | null,
): Promise<TokenProfile | null> {
  if (profile === null || profile.price !== null || trades === null) return profile;
  await tokens.lookNow(token, { unfollowed: true });
  const price = (await tokens.prices([token.mint])).get(token.mint) ?? null;
  if (price === null) return profile;
  const { priceSol, liquidityUsd } = price;
  return { ...profile, price, priceSol, liquidityUsd, marketCapUsd: capUsd(price, token) };
}

/** Null where nothing of it is recorded: an airdrop of this minute. */
async function positionOf(
  deps: FeatureDeps,
  { user }: BotContext['turn'],
  wallet: Wallet,
  mint: Address,
): Promise<ShownPosition | null> {
  const asked = { userId: user.id, walletId: wallet.id, mint, tier: user.settings.tier };
  try {
    return (await deps.positions.find(asked)).one;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

async function isGuarded(
  deps: FeatureDeps,
  userId: string,
  walletId: string,
  mint: Address,
): Promise<boolean> {
  const groups = await deps.db.orders.listOpen(userId);
  return groups.some(({ orders }) =>
    orders.some(
      (one) => one.mint === mint && one.walletId === walletId && one.side === 'sell' && one.type !== 'DCA',
    ),
  );
}

/** The wallets that can trade this token: each with its funds for it. */
async function showWallets(deps: FeatureDeps, { turn }: BotContext, state: TapState | null): Promise<void> {
  const mint = address(textField(state, 'mint'));
  const chosenId = textField(state, 'walletId');
  const own = (await deps.db.wallets.listByUser(turn.user.id)).slice(0, MOST_WALLETS);
  const [token, choices, stateId] = await Promise.all([
    deps.trade.lookUpToken(mint),
    Promise.all(
      own.map(async (wallet) => ({
        wallet,
        lamports: await deps.chain.balance(wallet.address),
        units: (await deps.chain.holding(wallet.address, mint)).amount,
      })),
    ),
    deps.states.issue({
      userId: turn.user.id,
      feature: TRADE,
      payload: { mint, walletId: chosenId, walletIds: own.map(({ id }) => id) },
    }),
  ]);
  await turn.screen.show(walletChoiceView(turn.words, { token, wallets: choices, chosenId, stateId }));
}

async function showMore(deps: FeatureDeps, { turn }: BotContext, state: TapState | null): Promise<void> {
  const token = await deps.trade.lookUpToken(textField(state, 'mint'));
  const { tier } = turn.user.settings;
  await turn.screen.show(moreView(turn.words, { token, tier, stateId: ownButton(state) }));
}

/** The row behind the card, which its pages lead back to. */
function ownButton(state: TapState | null): string {
  if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
  return state.buttonId;
}
