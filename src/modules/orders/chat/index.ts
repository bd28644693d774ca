import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { typedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { resumeTap, unlockFirst, unlockHandler } from '../../../platform/telegram/secret/unlock-first.ts';
import { type Html, html } from '../../../platform/telegram/ui/html.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { isStop } from '../rules/join-position.ts';
import type { Order, OrderType } from '../rules/order.ts';
import { readPrice } from '../rules/placement.ts';
import { defaultOf, legsOf } from './default-exits.ts';
import { draftAnswers, unitsTyped, withRhythm } from './draft-answers.ts';
import {
  DAYS,
  type DraftState,
  decodeDraft,
  draftGroup,
  EVERY,
  encodeDraft,
  FIRST_IN,
  HOLDS,
  type Leg,
  newDraft,
  ORDERS,
  PARTS,
  ROUNDS,
  type Tab,
  TOLERANCES,
  withPart,
  withRounds,
} from './draft-state.ts';
import { orderEdits } from './edit.ts';
import { isEdit } from './edit-state.ts';
import { type ExitType, hasExits, resolveExits, toggledExit, withDevLeg, withNextFall } from './exits.ts';
import { AMOUNT_QUESTION, PART_QUESTION, PRICE_QUESTION, RHYTHM_QUESTION } from './flow.ts';
import { formView, LIMIT_STEPS, SL_STEPS, TP_STEPS, TRAIL_STEPS } from './form-view.ts';
import { isKeep, standingOrders } from './manage.ts';
import { chosenOf, nextOf } from './next-of.ts';
import { quickExits } from './quick-exit.ts';
import { placedOrAsked } from './replace-stop.ts';
import { typedOrders } from './typed.ts';

const DEFAULT_LAMPORTS = 500_000_000n;

/** Orders: making them up from the trade card, and all acts on open ones. */
export function ordersFeature(deps: FeatureDeps): Feature {
  const { orders } = deps;
  const stand = standingOrders(deps);
  const edits = orderEdits(deps);
  const answers = draftAnswers(deps);
  const { legAt } = answers;

  async function walletOf({ turn }: BotContext, walletId: string) {
    return ownWallet(deps.db.wallets, { userId: turn.user.id, walletId });
  }

  /** From the trade card: its state names the token and the wallet. */
  async function begin(ctx: BotContext, state: TapState | null, tab: Tab): Promise<void> {
    const wallet = await walletOf(ctx, textField(state, 'walletId'));
    const mint = address(textField(state, 'mint'));
    const card = await deps.trade.tradeCard({ wallet: wallet.address, mint });
    if (tab === 'tpsl' && card.holdingUnits === 0n) {
      throw new AppError('ORDER_REFUSED', { kind: 'legs-invalid', reason: 'none' });
    }
    await show(
      ctx,
      newDraft({
        tab,
        walletId: wallet.id,
        mint,
        placeKey: deps.ids.token(),
        amount: tab === 'tpsl' ? card.holdingUnits : DEFAULT_LAMPORTS,
        // The card that was just shown says them.
        accepted: card.safety.warnings.map(({ code }) => code),
      }),
    );
  }

  /** The form, below the reason why the typed text is refused. Typed texts go to it from here on. */
  async function show(ctx: BotContext, state: DraftState, why?: Html): Promise<void> {
    const { turn } = ctx;
    const { user, words, screen } = turn;
    const payload = encodeDraft(state);
    const { walletId, mint } = state;
    const now = deps.clock.now();
    const [view, entry, stateId, cardId] = await Promise.all([
      orders.viewDraft({ ...draftOf(turn, state, now), units: BigInt(state.amount) }),
      state.side === 'sell' ? orders.entryPrice({ userId: user.id, walletId, mint }) : null,
      deps.states.issue({ userId: user.id, feature: ORDERS, payload }),
      deps.states.issue({
        userId: user.id,
        feature: 'trade',
        payload: { mint, walletId },
      }),
    ]);
    const form = formView(words, { state, view, entry, now, stateId, cardId });
    await screen.show(why === undefined ? form : { ...form, text: html`${why}\n\n${form.text}` });
    await deps.openForms.open(ctx, { feature: ORDERS, id: stateId });
  }

  function draftOf({ user }: BotContext['turn'], state: DraftState, now: number) {
    const { slippageBuyBps, slippageSellBps, tier } = user.settings;
    const slippageBps = state.side === 'buy' ? slippageBuyBps : slippageSellBps;
    return draftGroup(state, user, { slippageBps, tier }, now);
  }

  async function setPrice(ctx: BotContext, state: DraftState, text: string, type: OrderType): Promise<void> {
    const { leg, supply } = await legAt(ctx.turn.user.id, state, text, type);
    if (state.tab === 'limit') {
      // The person's own exits come with the first price; an exit that is removed then stays removed.
      const isFirst = state.legs.length === 0 && state.side === 'buy';
      const exits = isFirst ? legsOf(ctx.turn.user.settings.exits) : state.exits;
      return showWithExits(ctx, { ...state, legs: [leg], exits, supply });
    }
    // One stop; take-profits share the units evenly.
    const others = state.legs.filter((one) => type === 'TAKE_PROFIT' || !isStop(one));
    const legs = [...others, leg];
    const takes = legs.filter((one) => one.type === 'TAKE_PROFIT').length;
    const shared = legs.map((one) =>
      one.type === 'TAKE_PROFIT' ? { ...one, shareBps: Math.floor(10_000 / Math.max(takes, 1)) } : one,
    );
    return show(ctx, { ...state, legs: shared, supply });
  }

  /** Exits that wait for a purchase are priced by it, so they change with it. */
  async function showWithExits(ctx: BotContext, state: DraftState): Promise<void> {
    const { address: wallet } = await walletOf(ctx, state.walletId);
    const exits = hasExits(state) ? await resolveExits(deps, state, wallet) : [];
    await show(ctx, { ...state, exits });
  }

  const exit =
    (type: ExitType) =>
    (ctx: BotContext, tap: TapState | null): Promise<void> => {
      const state = decodeDraft(tap);
      return showWithExits(ctx, { ...state, exits: toggledExit(state.exits, type, tap?.index ?? -1) });
    };

  const edit =
    (change: (state: DraftState, index: number) => DraftState) =>
    (ctx: BotContext, tap: TapState | null): Promise<void> =>
      show(ctx, change(decodeDraft(tap), tap?.index ?? -1));

  const step =
    (texts: (state: DraftState) => readonly string[], type: (state: DraftState) => OrderType) =>
    async (ctx: BotContext, tap: TapState | null): Promise<void> => {
      const state = decodeDraft(tap);
      const text = texts(state)[tap?.index ?? -1];
      if (text === undefined) throw new AppError('BUTTON_STALE', {});
      await setPrice(ctx, state, text, type(state));
    };

  async function trail(ctx: BotContext, tap: TapState | null): Promise<void> {
    const state = decodeDraft(tap);
    const trailBps = TRAIL_STEPS[tap?.index ?? -1];
    if (trailBps === undefined) throw new AppError('BUTTON_STALE', {});
    const leg: Leg = {
      type: 'TRAILING_STOP',
      request: '',
      unit: 'SOL',
      got: '0',
      given: '1',
      shareBps: 0,
      trailBps,
    };
    await show(ctx, { ...state, legs: [...state.legs.filter((one) => !isStop(one)), leg] });
  }

  async function ask(ctx: BotContext, tap: TapState | null, what: string): Promise<void> {
    decodeDraft(tap);
    await enterForm(ctx, questions[what] ?? priceQuestion, { stateId: tap?.buttonId ?? '', what });
  }

  /** The draft that a question was asked for, read anew: nothing typed is trusted to carry it. */
  async function asked({ turn }: BotContext, stateId: string): Promise<DraftState> {
    const payload = await deps.states.read({ id: stateId, userId: turn.user.id, feature: ORDERS });
    if (payload === null) throw new AppError('BUTTON_STALE', {});
    return decodeDraft({ buttonId: stateId, payload, index: null });
  }

  const TYPED: Readonly<Record<string, OrderType>> = {
    price: 'LIMIT',
    breakout: 'STOP_BUY',
    tpprice: 'TAKE_PROFIT',
    slprice: 'STOP_LOSS',
  };
  /** Prices that are no leg of their own. */
  const WHOLE: Readonly<Record<string, (typeof answers)['bandAt']>> = {
    band: answers.bandAt,
    trailfrom: answers.trailFrom,
  };
  const priceQuestion = typedQuestion(
    PRICE_QUESTION,
    async (ctx, text, { stateId, what }) => {
      const request = readPrice(text);
      if (!('digits' in request)) throw new AppError('ORDER_REFUSED', request);
      const state = await asked(ctx, stateId ?? '');
      await (WHOLE[what ?? '']?.(ctx.turn.user.id, state, text) ??
        legAt(ctx.turn.user.id, state, text, TYPED[what ?? ''] ?? 'LIMIT'));
    },
    async (ctx, text, { stateId, what }) => {
      const state = await asked(ctx, stateId ?? '');
      const changed = WHOLE[what ?? '']?.(ctx.turn.user.id, state, text);
      if (changed !== undefined) await show(ctx, await changed);
      else await setPrice(ctx, state, text, TYPED[what ?? ''] ?? 'LIMIT');
    },
  );
  const amountQuestion = typedQuestion(
    AMOUNT_QUESTION,
    async (ctx, text, answers) => {
      await unitsTyped(deps, await asked(ctx, answers['stateId'] ?? ''), text);
    },
    async (ctx, text, answers) => {
      const state = await asked(ctx, answers['stateId'] ?? '');
      const amount = (await unitsTyped(deps, state, text)).toString();
      // A percentage was of another size: it is resolved anew.
      const [leg] = state.tab === 'limit' ? state.legs : [];
      if (leg === undefined) return show(ctx, { ...state, amount });
      return setPrice(ctx, { ...state, amount }, leg.request, leg.type);
    },
  );

  const partQuestion = typedQuestion(
    PART_QUESTION,
    async (ctx, text, answers) => {
      await unitsTyped(deps, await asked(ctx, answers['stateId'] ?? ''), text);
    },
    async (ctx, text, answers) => {
      const state = await asked(ctx, answers['stateId'] ?? '');
      await show(ctx, withPart(state, await unitsTyped(deps, state, text)));
    },
  );

  const rhythmQuestion = typedQuestion(
    RHYTHM_QUESTION,
    async (ctx, text, answers) => withRhythm(await asked(ctx, answers['stateId'] ?? ''), text),
    async (ctx, text, answers) => show(ctx, withRhythm(await asked(ctx, answers['stateId'] ?? ''), text)),
  );

  /** The questions for answers other than a price. */
  const questions: Readonly<Record<string, typeof amountQuestion>> = {
    amount: amountQuestion,
    part: partQuestion,
    rhythm: rhythmQuestion,
  };

  async function flipped(ctx: BotContext, tap: TapState | null): Promise<void> {
    const state = decodeDraft(tap);
    const wallet = await walletOf(ctx, state.walletId);
    const side = state.side === 'buy' ? 'sell' : 'buy';
    const held = side === 'sell' ? await heldUnits(wallet.address, state.mint) : 0n;
    if (side === 'sell' && held === 0n)
      throw new AppError('ORDER_REFUSED', { kind: 'legs-invalid', reason: 'none' });
    await show(ctx, {
      ...state,
      side,
      amount: String(side === 'sell' ? held : DEFAULT_LAMPORTS),
      legs: [],
      exits: [],
      band: null,
    });
  }

  /** The exits of the form go with each purchase from here on. */
  async function asDefault(ctx: BotContext, tap: TapState | null): Promise<void> {
    const state = decodeDraft(tap);
    const { turn } = ctx;
    const change = { exits: defaultOf(state.legs) };
    turn.change({ settings: await deps.guard.changeSettings({ userId: turn.user.id, change }) });
    await turn.toast(turn.words.text('toast.exits_default'));
    await show(ctx, state);
  }

  async function heldUnits(wallet: Order['mint'], mint: Order['mint']): Promise<bigint> {
    return (await deps.chain.holding(wallet, mint)).amount;
  }

  async function place(ctx: BotContext, tap: TapState | null): Promise<void> {
    if (tap?.buttonId == null) throw new AppError('BUTTON_STALE', {});
    const { buttonId } = tap;
    const state = decodeDraft(tap);
    const { turn } = ctx;
    await unlockFirst(deps, ctx, { feature: ORDERS, stateId: async () => buttonId }, async () => {
      const pin = tap.pinTyped === true ? 'typed' : 'window';
      const { replaces } = state;
      const group = await placedOrAsked(deps, ctx, state, () =>
        orders.place({ ...draftOf(turn, state, deps.clock.now()), buttonId, pin, replaces }),
      );
      if (group === null) return;
      await turn.toast(turn.words.text('toast.order_placed'));
      const [first] = group.orders;
      if (first !== undefined && group.orders.length === 1) await stand.page(ctx, first.id);
      else await stand.open(ctx);
    });
  }

  /** The act that waited for the PIN: a placing, the change of an order, or keeping it. */
  const carryOut = (ctx: BotContext, tap: TapState | null): Promise<void> => {
    if (isKeep(tap)) return stand.keep(ctx, tap);
    return isEdit(tap) ? edits.save(ctx, tap) : place(ctx, tap);
  };

  return {
    name: ORDERS,
    commands: [],
    taps: {
      ...stand.taps,
      ...edits.taps,
      ...quickExits(deps, { answers, show }),
      limit: { act: 'reads', run: (ctx, tap) => begin(ctx, tap, 'limit') },
      tpsl: { act: 'reads', run: (ctx, tap) => begin(ctx, tap, 'tpsl') },
      dca: { act: 'reads', run: (ctx, tap) => begin(ctx, tap, 'dca') },
      step: {
        act: 'reads',
        run: step(
          (state) => LIMIT_STEPS[state.side],
          () => 'LIMIT',
        ),
      },
      tp: {
        act: 'reads',
        run: step(
          () => TP_STEPS,
          () => 'TAKE_PROFIT',
        ),
      },
      sl: {
        act: 'reads',
        run: step(
          () => SL_STEPS,
          () => 'STOP_LOSS',
        ),
      },
      trail: { act: 'reads', run: trail },
      devsells: { act: 'reads', run: edit(withDevLeg) },
      liquidity: { act: 'reads', run: edit(withNextFall) },
      price: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'price') },
      breakout: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'breakout') },
      tpprice: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'tpprice') },
      slprice: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'slprice') },
      amount: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'amount') },
      exittp: { act: 'reads', run: exit('TAKE_PROFIT') },
      exitsl: { act: 'reads', run: exit('STOP_LOSS') },
      band: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'band') },
      trailfrom: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'trailfrom') },
      anyprice: { act: 'reads', run: edit((state) => ({ ...state, anyPrice: !state.anyPrice })) },
      tolerance: {
        act: 'reads',
        run: edit((state) => ({ ...state, toleranceBps: nextOf<number>(TOLERANCES, state.toleranceBps) })),
      },
      noband: { act: 'reads', run: edit((state) => ({ ...state, band: null })) },
      advanced: { act: 'reads', run: edit((state) => ({ ...state, advanced: true })) },
      plain: { act: 'reads', run: edit((state) => ({ ...state, advanced: false })) },
      atend: { act: 'reads', run: edit((state) => ({ ...state, sellsAtEnd: !state.sellsAtEnd })) },
      clear: { act: 'reads', run: edit((state) => ({ ...state, legs: [] })) },
      partial: { act: 'reads', run: edit((state) => ({ ...state, partial: !state.partial })) },
      days: { act: 'reads', run: edit((state) => ({ ...state, days: nextOf<number>(DAYS, state.days) })) },
      hold: { act: 'reads', run: edit((state) => ({ ...state, hold: nextOf(HOLDS, state.hold) })) },
      rounds: {
        act: 'reads',
        run: edit((state, index) => withRounds(state, chosenOf(ROUNDS, index))),
      },
      every: {
        act: 'reads',
        run: edit((state, index) => ({ ...state, everyMinutes: chosenOf(EVERY, index) })),
      },
      part: { act: 'reads', run: edit((state, index) => withPart(state, chosenOf(PARTS, index))) },
      part_typed: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'part') },
      first: {
        act: 'reads',
        run: edit((state) => ({ ...state, firstInMinutes: nextOf<number>(FIRST_IN, state.firstInMinutes) })),
      },
      rhythm: { act: 'reads', run: (ctx, tap) => ask(ctx, tap, 'rhythm') },
      side: { act: 'reads', run: flipped },
      form: { act: 'reads', run: edit((state) => state) },
      asdefault: { act: 'settings', toasts: true, run: asDefault },
      place: {
        act: 'order-place',
        run: place,
        stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
      },
      resume: {
        act: ['order-place', 'order-edit', 'order-resume'],
        run: resumeTap(deps, { feature: ORDERS, run: carryOut }),
      },
    },
    forms: [priceQuestion, amountQuestion, partQuestion, rhythmQuestion, ...edits.forms],
    typed: typedOrders(deps, { show, setPrice, answers }),
    hidden: [{ name: 'orders', act: 'reads', run: stand.open }],
    secrets: { unlock: { act: 'unlock', run: unlockHandler(deps, { feature: ORDERS, run: carryOut }) } },
  };
}
