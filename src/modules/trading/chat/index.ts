import { type Address, SOL_DECIMALS } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { isYoung } from '../../../core/time/age.ts';
import { runConfirmed } from '../../../engine/intents/chat/run-confirmed.ts';
import type { TipTerms } from '../../../engine/intents/rules/tip-terms.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Answers } from '../../../platform/telegram/dialog/plain-form.ts';
import { errorSentence } from '../../../platform/telegram/errors.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { resumeTap, unlockFirst, unlockHandler } from '../../../platform/telegram/secret/unlock-first.ts';
import { typableSol } from '../../../platform/telegram/ui/amounts.ts';
import { holdsAddress } from '../../../platform/telegram/ui/holds-address.ts';
import { keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import { optionalField, textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { readSol, type TypedAmount } from '../../../platform/telegram/ui/read-amount.ts';
import { readTokenAmount, scaleMark, typableTokenText } from '../../../platform/telegram/ui/token-amounts.ts';
import { BUYS, SALES, TRADES } from '../../guard/rules/acts.ts';
import { type ExitSet, hasExits, NO_EXITS } from '../../settings/rules/exit-set.ts';
import { pastedMint } from '../../tokens/chat/pasted-mint.ts';
import { pinReasonText } from '../../tokens/chat/pin-reason-text.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import { readVerb } from '../../tokens/rules/typed-verb.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import type { WalletStore } from '../../wallets/store/wallet-store-port.ts';
import { activeWallet } from '../../wallets/use/active-wallet.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { percentThatPasses } from '../rules/allowed-slippage.ts';
import { confirmable, type TradeQuote, tradeParams } from '../use/trade-quote.ts';
import {
  again,
  agreedOf,
  amountField,
  type Confirmable,
  exitsField,
  plainReasons,
  updateKey,
} from './agreed.ts';
import { allowHandler, allowTap } from './allow.ts';
import { tryAutoBuy } from './auto-buy.ts';
import { buyWithExits } from './buy-with-exits.ts';
import { tradeCards } from './card.ts';
import { TRADE } from './card-view.ts';
import {
  cancelledView,
  confirmTradeView,
  exitsRefusedView,
  movedView,
  sendingDownView,
  sureView,
} from './confirm-view.ts';
import { type ExitChoice, nextExits } from './exits.ts';
import { buyQuestion, sellQuestion, tokenQuestion } from './flow.ts';
import { tradeRequest } from './requests.ts';
import { answersToken, meantBy, whichTokenView } from './typed.ts';

const CONFIRM_TTL_MS = 15 * 60_000;
/** The same order again within this time is asked about, for all settings. */
const DUPLICATE_MS = 30_000;

type Offered = {
  /** The exits of a purchase; null: those of the person's settings. */
  readonly exits?: ExitSet | null;
  readonly asks?: 'usual' | 'anew' | 'always';
  /** By the nodes for this once; absent: as the person's settings say. */
  readonly plainly?: true;
  /** The slippage that was allowed for this trade alone; absent: that of the person's settings. */
  readonly allowedBps?: Bps;
};

type Order = {
  readonly side: 'buy' | 'sell';
  readonly wallet: Wallet;
  readonly mint: Address;
  readonly amount: TypedAmount;
};

/** /trade, and every button that leads to a purchase or a sale. */
export function tradeFeature(deps: FeatureDeps): Feature {
  const { wallets } = deps.db;

  function wanted({ turn }: BotContext, walletId: string | null): Promise<Wallet> {
    const read: Pick<WalletStore, 'find'> = {
      find: async (id) => (turn.wallet?.id === id ? turn.wallet : wallets.find(id)),
    };
    return walletId === null
      ? activeWallet(read, turn.user)
      : ownWallet(read, { userId: turn.user.id, walletId });
  }

  const cards = tradeCards(deps, wanted);
  const card = cards.show;

  async function open(ctx: BotContext, text = ''): Promise<void> {
    if (ctx.turn.user.settings.paper?.on === true) {
      await (text.trim() === '' ? ctx.turn.go('paper', 'open') : ctx.turn.go('paper', 'said', { text }));
      return;
    }
    if (text.trim() === '') await ask(ctx);
    else await paste(ctx, text);
  }

  /** Asks for an address and offers the wallet's tokens and those traded here. */
  async function ask(ctx: BotContext): Promise<void> {
    const wallet = await wanted(ctx, null);
    const tokens = await deps.trade.suggestTokens(wallet.address);
    if (tokens.length === 0) {
      await enterForm(ctx, whichToken, {});
      return;
    }
    const stateId = await deps.states.issue({
      userId: ctx.turn.user.id,
      feature: TRADE,
      payload: { walletId: wallet.id, mints: tokens.map(({ mint }) => mint) },
    });
    await enterForm(ctx, whichToken, { stateId, labels: tokens.map(displaySymbol).join('\n') });
  }

  async function picked(ctx: BotContext, state: TapState | null): Promise<void> {
    const mint = textList(state, 'mints')[state?.index ?? -1];
    if (mint === undefined) throw new AppError('BUTTON_STALE', {});
    await card(ctx, address(mint), await wanted(ctx, textField(state, 'walletId')));
  }

  /** A pasted address, link or ticker, in any state of the chat. */
  async function paste(ctx: BotContext, text: string): Promise<void> {
    if (!holdsAddress(text)) {
      await ctx.turn.go('search', 'find', { text });
      return;
    }
    await ctx.turn.screen.show({ text: ctx.turn.words.html('trade.looking'), keyboard: keyboard() });
    const [mint, wallet] = await Promise.all([pastedMint(deps, text), wanted(ctx, null)]);
    const tried = await tryAutoBuy(deps, ctx, { mint, wallet });
    if (tried?.bought !== true) await card(ctx, mint, wallet, tried?.why ?? null);
  }

  /** Words that were typed at any screen. The confirm screen is the most that they open. */
  async function typed(ctx: BotContext, text: string): Promise<void> {
    const { turn } = ctx;
    const verb = readVerb(text);
    if (verb === null) throw new AppError('BUTTON_STALE', {});
    if (verb.kind === 'home' || verb.kind === 'positions' || verb.kind === 'launches')
      await turn.go(verb.kind, 'open');
    else if (verb.kind === 'amount-alone') await turn.screen.show(whichTokenView(turn.words, verb.amount));
    else if (verb.token !== null) await typedTrade(ctx, { ...verb, token: verb.token });
    else if (verb.amount === null) await ask(ctx);
    else await turn.screen.show(whichTokenView(turn.words, verb.amount));
  }

  /** Without an amount the card of the token; where the name means several tokens, or none, the list to choose from. */
  async function typedTrade(
    ctx: BotContext,
    {
      side,
      amount,
      token,
    }: { readonly side: 'buy' | 'sell'; readonly amount: string | null; readonly token: string },
  ): Promise<void> {
    const wallet = await wanted(ctx, null);
    const mint = await meantBy(deps, wallet, token);
    if (mint === null) {
      await ctx.turn.go('search', 'said', { text: token });
    } else if (amount === null) {
      await card(ctx, mint, wallet);
    } else {
      const read =
        side === 'buy' ? readSol(amount) : readTokenAmount(amount, await deps.trade.lookUpToken(mint));
      await offer(ctx, { side, wallet, mint, amount: read }, { asks: 'always' });
    }
  }

  async function buyPreset(ctx: BotContext, state: TapState | null): Promise<void> {
    const lamports = ctx.turn.user.settings.buyPresets[state?.index ?? -1];
    if (lamports === undefined) throw new AppError('BUTTON_STALE', {});
    await buy(ctx, state, lamports);
  }

  async function buy(ctx: BotContext, state: TapState | null, lamports: bigint | null): Promise<void> {
    const wallet = await wanted(ctx, textField(state, 'walletId'));
    const mint = address(textField(state, 'mint'));
    const reasons = optionalField(state, 'reasons');
    if (lamports !== null && reasons === null) {
      await offer(ctx, { side: 'buy', wallet, mint, amount: { kind: 'exact', units: lamports } });
      return;
    }
    const [token, balance] = await Promise.all([
      deps.trade.lookUpToken(mint),
      deps.chain.balance(wallet.address),
    ]);
    await enterForm(ctx, howMuchToBuy, {
      mint,
      symbol: displaySymbol(token),
      walletId: wallet.id,
      wallet: wallet.name,
      available: typableSol(ctx.turn.words, balance),
      ...(lamports === null ? {} : { amount: formatUnits(lamports, SOL_DECIMALS) }),
      ...(reasons === null ? {} : { risky: '1', reasons: plainReasons(reasons) }),
    });
  }

  async function sellPart(
    ctx: BotContext,
    state: TapState | null,
    shareBps: number | undefined,
  ): Promise<void> {
    if (shareBps === undefined) throw new AppError('BUTTON_STALE', {});
    await offer(ctx, {
      side: 'sell',
      wallet: await wanted(ctx, textField(state, 'walletId')),
      mint: address(textField(state, 'mint')),
      amount: { kind: 'share', bps: bps(shareBps) },
    });
  }

  async function sellOther(ctx: BotContext, state: TapState | null): Promise<void> {
    const wallet = await wanted(ctx, textField(state, 'walletId'));
    const token = await deps.trade.lookUpToken(textField(state, 'mint'));
    const held = await deps.chain.holding(wallet.address, token.mint);
    await enterForm(ctx, howMuchToSell, {
      mint: token.mint,
      symbol: displaySymbol(token),
      decimals: String(token.decimals),
      walletId: wallet.id,
      wallet: wallet.name,
      available: `${typableTokenText(ctx.turn.words, held.amount, token)}${scaleMark(ctx.turn.words, token)}`,
    });
  }

  async function orderOf(ctx: BotContext, side: 'buy' | 'sell', answers: Answers): Promise<Order> {
    const mint = address(answers['mint'] ?? '');
    const typed = answers['amount'] ?? '';
    return {
      side,
      wallet: await wanted(ctx, answers['walletId'] ?? ''),
      mint,
      amount: side === 'buy' ? readSol(typed) : readTokenAmount(typed, await deps.trade.lookUpToken(mint)),
    };
  }

  async function quote(
    { turn }: BotContext,
    order: Order,
    tip?: TipTerms,
    allowedBps?: Bps,
  ): Promise<TradeQuote> {
    const share = order.side === 'buy' && order.amount.kind === 'share';
    const request = tradeRequest({
      ...order,
      wallet: order.wallet.address,
      walletLamports: share ? await deps.chain.balance(order.wallet.address) : 0n,
      settings: turn.user.settings,
      ...(tip === undefined ? {} : { tip }),
    });
    return deps.trade.quoteTrade(
      allowedBps === undefined ? request : { ...request, slippageBps: allowedBps, autoCapBps: null },
    );
  }

  /** Nothing that protects answers: neither the quote nor the order is kept anywhere but behind the buttons. */
  async function sendingDown(
    { turn }: BotContext,
    { mint, wallet, side }: Order,
    { amountIn, exits }: { readonly amountIn: bigint; readonly exits: ExitSet },
  ): Promise<void> {
    const payload = { mint, walletId: wallet.id, side, amountIn, ...(side === 'buy' ? { exits } : {}) };
    const stateId = await deps.states.issue({ userId: turn.user.id, feature: TRADE, payload });
    await turn.screen.show(sendingDownView(turn.words, stateId));
  }

  /** Quotes, then asks; or trades at once when the person switched confirming off and nothing speaks against it. */
  async function offer(
    ctx: BotContext,
    order: Order,
    /** `anew`: a confirm screen was on show already, so its confirmation is not skipped. */
    { exits: chosen = null, asks = 'usual', plainly, allowedBps }: Offered = {},
  ): Promise<void> {
    const { turn } = ctx;
    const exits = order.side === 'buy' ? (chosen ?? turn.user.settings.exits) : NO_EXITS;
    const way = await deps.trade.offerTip(plainly === true ? 'normal' : turn.user.settings.sending);
    const found = await quote(ctx, order, way.kind === 'tip' ? way.tip : undefined, allowedBps);
    if (way.kind === 'down') {
      await sendingDown(ctx, order, { amountIn: found.amountIn, exits });
      return;
    }
    // The card asks for its word before such a purchase.
    if (asks === 'always' && order.side === 'buy' && found.safety.level === 'BLOCK') {
      await card(ctx, order.mint, order.wallet);
      return;
    }
    const repeated = await isRepeated(turn.user.id, found);
    const calm = found.safety.level === 'OK' && found.warnings.length === 0 && !repeated;
    const wantsDirect = asks === 'usual' && !turn.user.settings.confirmTrades && calm;
    const late = wantsDirect && (await turn.isLate());
    const direct = wantsDirect && !late;
    const payload: Confirmable = {
      // Direct trades take their key from the tap or message itself: the same update delivered again is the same trade.
      idemKey: direct ? updateKey(ctx) : deps.ids.token(),
      walletId: order.wallet.id,
      mint: order.mint,
      side: order.side,
      amountIn: found.amountIn,
      trade: confirmable(found),
      ...(order.side === 'buy' ? { exits } : {}),
    };
    if (direct) return carryOut(ctx, payload, null);
    const [stateId, microUsdPerSol, why] = await Promise.all([
      deps.states.issue({ userId: turn.user.id, feature: TRADE, payload, ttlMs: CONFIRM_TTL_MS }),
      deps.solPrice(),
      deps.guard.whyPin({
        userId: turn.user.id,
        walletId: order.wallet.id,
        address: order.wallet.address,
        params: tradeParams(payload.trade),
      }),
    ]);
    await turn.screen.show(
      confirmTradeView(turn.words, {
        quote: found,
        wallet: order.wallet,
        microUsdPerSol,
        stateId,
        note: repeated ? turn.words.html('trade.again') : late ? turn.words.html('trade.late') : null,
        why: why.reasons.length === 0 ? null : pinReasonText(turn.words, why),
        exits,
        own: turn.user.settings.exits,
      }),
    );
  }

  /** The row behind the old screen is used up first: two purchases never wait for a confirmation of one request. */
  async function exitsChosen(ctx: BotContext, state: TapState | null, which: ExitChoice): Promise<void> {
    if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
    const { side, walletId, mint, amountIn, trade, exits = NO_EXITS } = agreedOf(state);
    if (!(await deps.states.use({ id: state.buttonId, userId: ctx.turn.user.id })))
      throw new AppError('BUTTON_STALE', {});
    const order: Order = {
      side,
      wallet: await wanted(ctx, walletId),
      mint,
      amount: { kind: 'exact', units: amountIn },
    };
    const own = ctx.turn.user.settings.exits;
    // A purchase that the person sends by the nodes for this once stays one.
    const plainly = trade.tip === undefined ? ({ plainly: true } as const) : {};
    await offer(ctx, order, { exits: nextExits(exits, which, own), asks: 'anew', ...plainly });
  }

  async function isRepeated(userId: string, found: TradeQuote): Promise<boolean> {
    const recent = await deps.db.intents.listByUser(userId, { limit: 5, kinds: [found.side] });
    return recent.some(
      ({ params, createdAt }) =>
        isYoung(createdAt, DUPLICATE_MS, deps.clock) &&
        'terms' in params &&
        params.mint === found.token.mint &&
        params.terms.amountIn === found.amountIn,
    );
  }

  async function confirm(ctx: BotContext, state: TapState | null): Promise<void> {
    if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
    await carryOut(ctx, agreedOf(state), state.buttonId, state.pinTyped);
  }

  async function carryOut(
    ctx: BotContext,
    agreed: Confirmable,
    buttonId: string | null,
    pinTyped = false,
  ): Promise<void> {
    const { turn } = ctx;
    const confirmNow = (): Promise<void> =>
      runConfirmed(deps, ctx, (progress) =>
        buyWithExits(
          deps,
          {
            exits: agreed.exits ?? NO_EXITS,
            settings: turn.user.settings,
            pin: pinTyped ? 'typed' : 'window',
          },
          {
            userId: turn.user.id,
            walletId: agreed.walletId,
            ...(turn.wallet?.id === agreed.walletId ? { address: turn.wallet.address } : {}),
            idemKey: agreed.idemKey,
            trade: agreed.trade,
            progress,
            ...(buttonId === null ? {} : { buttonId }),
          },
        ),
      );
    try {
      // A trade without a button gets one when it has to wait for a PIN.
      const stateId = async (): Promise<string> =>
        buttonId ??
        deps.states.issue({ userId: turn.user.id, feature: TRADE, payload: agreed, ttlMs: CONFIRM_TTL_MS });
      await unlockFirst(deps, ctx, { feature: TRADE, stateId }, confirmNow);
    } catch (error) {
      const issue = (payload: object): Promise<string> =>
        deps.states.issue({ userId: turn.user.id, feature: TRADE, payload });
      if (hasCode(error, 'PRICE_MOVED')) {
        const { minOut, got } = error.details;
        // An amount that was compared with another minimum is of a part of the way.
        const passes =
          minOut === agreed.trade.terms.minOut ? percentThatPasses(agreed.trade.terms, got) : null;
        await turn.screen.show(movedView(turn.words, await issue(again(agreed)), passes));
      } else if (hasCode(error, 'ORDER_REFUSED') && hasExits(agreed.exits ?? NO_EXITS)) {
        const stateId = await issue(again({ ...agreed, exits: NO_EXITS }));
        await turn.screen.show(exitsRefusedView(turn.words, errorSentence(error, turn.words), stateId));
      } else throw error;
    }
  }

  async function repeat(ctx: BotContext, state: TapState | null, how: Offered = {}): Promise<void> {
    const side = textField(state, 'side');
    const amountIn = amountField(state);
    if ((side !== 'buy' && side !== 'sell') || amountIn === null) throw new AppError('BUTTON_STALE', {});
    const order: Order = {
      side,
      wallet: await wanted(ctx, textField(state, 'walletId')),
      mint: address(textField(state, 'mint')),
      amount: { kind: 'exact', units: amountIn },
    };
    await offer(ctx, order, { ...how, exits: exitsField(state) });
  }

  /** On a confirm screen its row is used up first: two purchases never wait for a confirmation of one request. */
  async function allowed(ctx: BotContext, state: TapState, allowedBps: Bps): Promise<void> {
    const used = { id: state.buttonId ?? '', userId: ctx.turn.user.id };
    if (optionalField(state, 'idemKey') !== null && !(await deps.states.use(used)))
      throw new AppError('BUTTON_STALE', {});
    await repeat(ctx, state, { asks: 'anew', allowedBps });
  }

  async function sure({ turn }: BotContext, state: TapState | null): Promise<void> {
    if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
    const { trade } = agreedOf(state);
    await turn.screen.show(sureView(turn.words, trade.side, trade.terms.priceImpactBps, state.buttonId));
  }

  async function cancelled({ turn }: BotContext, state: TapState | null): Promise<void> {
    // Using the row up makes the confirm button of this very screen dead, wherever it may still be shown.
    if (state?.buttonId != null) await deps.states.use({ id: state.buttonId, userId: turn.user.id });
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: TRADE,
      payload: { mint: textField(state, 'mint'), walletId: textField(state, 'walletId') },
    });
    await turn.screen.show(cancelledView(turn.words, stateId));
  }

  const whichToken = tokenQuestion(
    async (_ctx, text) => void (await answersToken(deps, text)),
    async (ctx, { text = '' }) =>
      (await answersToken(deps, text)) === 'token' ? paste(ctx, text) : typed(ctx, text),
  );
  const howMuchToBuy = buyQuestion(
    async (ctx, answers) => quote(ctx, await orderOf(ctx, 'buy', answers)),
    async (ctx, answers) => offer(ctx, await orderOf(ctx, 'buy', answers)),
  );
  const howMuchToSell = sellQuestion(
    async (ctx, answers) => quote(ctx, await orderOf(ctx, 'sell', answers)),
    async (ctx, answers) => offer(ctx, await orderOf(ctx, 'sell', answers)),
  );

  const PARTS = [2_500, 5_000, 10_000];
  return {
    name: TRADE,
    commands: [{ name: 'trade', act: 'reads', run: open }],
    taps: {
      open: { act: 'reads', run: (ctx) => open(ctx) },
      take: { act: BUYS, run: (ctx, tap) => exitsChosen(ctx, tap, 'takes') },
      stop: { act: BUYS, run: (ctx, tap) => exitsChosen(ctx, tap, 'stop') },
      dev: { act: BUYS, run: (ctx, tap) => exitsChosen(ctx, tap, 'dev') },
      fall: { act: BUYS, run: (ctx, tap) => exitsChosen(ctx, tap, 'liquidity') },
      paste: { act: BUYS, run: (ctx, state) => paste(ctx, textField(state, 'text')) },
      typed: { act: TRADES, run: (ctx, state) => typed(ctx, textField(state, 'text')) },
      pick: { act: 'reads', run: picked },
      ...cards.taps,
      buy: { act: BUYS, back: 'card', run: buyPreset },
      buyx: { act: BUYS, back: 'card', run: (ctx, state) => buy(ctx, state, null) },
      sell: {
        act: SALES,
        back: 'card',
        run: (ctx, state) => sellPart(ctx, state, ctx.turn.user.settings.sellPresetsBps[state?.index ?? -1]),
      },
      sellx: { act: SALES, back: 'card', run: sellOther },
      sellpart: {
        act: SALES,
        back: 'card',
        run: (ctx, state) => sellPart(ctx, state, PARTS[state?.index ?? -1]),
      },
      again: { act: TRADES, back: 'card', run: (ctx, tap) => repeat(ctx, tap) },
      plainly: {
        act: TRADES,
        back: 'card',
        run: (ctx, tap) => repeat(ctx, tap, { asks: 'anew', plainly: true }),
      },
      allow: { act: [...TRADES, 'slippage-high'], back: 'card', run: allowTap(deps, allowed) },
      sure: { act: TRADES, back: 'card', run: sure },
      confirm: {
        act: TRADES,
        back: 'card',
        run: confirm,
        stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
      },
      cancelled: { act: 'reads', run: cancelled },
      resume: { act: TRADES, run: resumeTap(deps, { feature: TRADE, run: confirm }) },
    },
    forms: [whichToken, howMuchToBuy, howMuchToSell],
    secrets: {
      unlock: { act: 'unlock', run: unlockHandler(deps, { feature: TRADE, run: confirm }) },
      allow: { act: 'slippage-high', run: allowHandler(deps, allowed) },
    },
  };
}
