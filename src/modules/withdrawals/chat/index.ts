import { type Address, shortAddress } from '@tradepost/solana';
import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { runConfirmed } from '../../../engine/intents/chat/run-confirmed.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import { typableSol } from '../../../platform/telegram/ui/amounts.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { pageOf } from '../../../platform/telegram/ui/pages.ts';
import { optionalField, textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { scaleMark, typableTokenText } from '../../../platform/telegram/ui/token-amounts.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import { byWorth, tokenWorths } from '../../wallets/chat/home-tokens-worth.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { activeWallet } from '../../wallets/use/active-wallet.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { WithdrawalQuote } from '../use/withdrawal-quote.ts';
import { solForm, tokenForm, WITHDRAWAL, type Withdrawal } from './flow.ts';
import {
  askPinAgain,
  confirmWithdrawalView,
  leavingText,
  nothingToWithdrawView,
  pickTokenView,
  WITHDRAW,
} from './view.ts';

const CONFIRM_TTL_MS = 15 * 60_000;
/** Saved addresses that are offered as buttons: the newest. */
const SAVED_SHOWN = 6;

type Confirmable = {
  readonly idemKey: string;
  readonly walletId: string;
  readonly params: WithdrawalQuote['params'];
};

/** The request that waits for the PIN: after a wrong one it is asked again beside the same words. */
const ASKED_PIN = z.object({ stateId: text, amount: text, destination: text, waits: z.boolean() });
type AskedPin = z.infer<typeof ASKED_PIN>;

/** /withdraw_sol and /withdraw_spl. */
export function withdrawFeature(deps: FeatureDeps): Feature {
  const { wallets } = deps.db;

  /** The wallet another screen named, else the active one. */
  function wanted({ turn }: BotContext, state: TapState | null): Promise<Wallet> {
    const walletId = optionalField(state, 'walletId');
    return walletId === null
      ? activeWallet(wallets, turn.user)
      : ownWallet(wallets, { userId: turn.user.id, walletId });
  }

  async function sol(ctx: BotContext, state: TapState | null = null): Promise<void> {
    const wallet = await wanted(ctx, state);
    const { lamports, inDoubt } = await deps.funds.of(wallet);
    if (lamports === 0n && !inDoubt) {
      await ctx.turn.screen.show(nothingToWithdrawView(ctx.turn.words, wallet));
      return;
    }
    await enterForm(ctx, sendSol, {
      walletId: wallet.id,
      wallet: wallet.name,
      sender: wallet.address,
      available: typableSol(ctx.turn.words, lamports),
      inDoubt,
      saved: await savedAddresses(ctx, wallet),
      asset: 'sol',
    });
  }

  async function tokens(ctx: BotContext, state: TapState | null = null, asked = 0): Promise<void> {
    const { turn } = ctx;
    const wallet = await wanted(ctx, state);
    const funds = await deps.funds.of(wallet);
    // Names of this page only: a wallet can be sprayed with thousands of tokens.
    const turned = pageOf(byWorth(funds.tokens, await tokenWorths(deps.tokens, funds.tokens)), asked);
    const held = await Promise.all(
      turned.rows.map(async (holding) => ({
        holding,
        token: await deps.chain.token(holding.mint).catch(() => null),
      })),
    );
    const { page, pages } = turned;
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: WITHDRAW,
      payload: { walletId: wallet.id, mints: held.map(({ holding }) => holding.mint), page: String(page) },
    });
    const { inDoubt } = funds;
    await turn.screen.show(pickTokenView(turn.words, { wallet, held, page, pages, inDoubt, stateId }));
  }

  const turnedBy =
    (by: number) =>
    (ctx: BotContext, state: TapState | null): Promise<void> =>
      tokens(ctx, state, Number(textField(state, 'page')) + by);

  async function token(ctx: BotContext, state: TapState | null): Promise<void> {
    const picked = textList(state, 'mints')[state?.index ?? -1];
    if (picked === undefined) throw new AppError('BUTTON_STALE', {});
    const mint = address(picked);
    const wallet = await wanted(ctx, state);
    const [{ tokens: held, inDoubt }, found] = await Promise.all([
      deps.funds.of(wallet),
      deps.chain.token(mint),
    ]);
    const decimals = found?.decimals ?? 0;
    const units = held.find((one) => one.mint === mint)?.amount ?? 0n;
    // One node alone must not keep anybody from a withdrawal.
    if (units === 0n && !inDoubt)
      throw new AppError('INSUFFICIENT_TOKENS', { needed: 1n, available: 0n, decimals });
    await enterForm(ctx, sendToken, {
      walletId: wallet.id,
      wallet: wallet.name,
      sender: wallet.address,
      asset: 'token',
      mint,
      symbol: found === null ? shortAddress(mint) : displaySymbol(found),
      decimals,
      inDoubt,
      available: `${typableTokenText(ctx.turn.words, units, { decimals, uiScale: found?.uiScale ?? null })}${scaleMark(ctx.turn.words, found)}`,
      saved: await savedAddresses(ctx, wallet),
    });
  }

  function prepare({ turn }: BotContext, request: Withdrawal): Promise<WithdrawalQuote> {
    const { walletId, destination, amount } = request;
    return deps.withdrawals.prepareWithdrawal({
      userId: turn.user.id,
      walletId,
      destination,
      amount,
      tier: turn.user.settings.tier,
      asset: request.asset === 'sol' ? { kind: 'sol' } : { kind: 'token', mint: request.mint },
    });
  }

  async function savedAddresses({ turn }: BotContext, wallet: Wallet): Promise<Withdrawal['saved']> {
    const rows = await deps.guard.listAddresses({ userId: turn.user.id, walletId: wallet.id });
    return rows.slice(-SAVED_SHOWN).map(({ entry: { name, address } }) => ({ name, address }));
  }

  /** The last screen: every number, and the question for the PIN that sends it. */
  async function showConfirm(ctx: BotContext, request: Withdrawal): Promise<void> {
    const { turn } = ctx;
    const of = { userId: turn.user.id, walletId: request.walletId };
    const [quote, wallet, microUsdPerSol, guard, book] = await Promise.all([
      prepare(ctx, request),
      ownWallet(wallets, of),
      deps.solPrice(),
      deps.guard.overview(of),
      deps.guard.listAddresses(of),
    ]);
    // Every refusal is raised here, before anything secret is asked for.
    await deps.withdrawals.mayWithdraw({ ...of, params: quote.params });
    const row = book.find(({ entry }) => entry.address === quote.destination);
    const now = deps.clock.now();
    const due = row === undefined ? now + guard.delayMs : row.usableAt;
    const payload: Confirmable = { idemKey: deps.ids.token(), walletId: wallet.id, params: quote.params };
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: guard.hasPin ? WITHDRAW : [WITHDRAW, 'security'],
      payload: guard.hasPin ? payload : { request },
      ttlMs: CONFIRM_TTL_MS,
    });
    const waitsUntil = due > now ? due : null;
    await turn.screen.show(
      confirmWithdrawalView(turn.words, { quote, wallet, microUsdPerSol, guard, waitsUntil, stateId }),
    );
    if (!guard.hasPin) return;
    const asked: AskedPin = {
      stateId,
      amount: leavingText(turn.words, { quote, microUsdPerSol }),
      destination: quote.destination,
      waits: waitsUntil !== null,
    };
    await deps.secrets.ask(ctx, `${WITHDRAW}:pin`, asked, CONFIRM_TTL_MS);
  }

  /** After the first PIN was set: the same withdrawal, with fresh numbers. */
  async function resume(ctx: BotContext, state: TapState | null): Promise<void> {
    const request = WITHDRAWAL.safeParse(state?.payload);
    if (!request.success || state?.buttonId !== null) throw new AppError('BUTTON_STALE', {});
    await showConfirm(ctx, request.data);
  }

  const ask = { checkRecipient: deps.withdrawals.checkRecipient, check: prepare, finish: showConfirm };
  const tokenAsk = {
    ...ask,
    scaleOf: async (mint: Address) => (await deps.chain.token(mint))?.uiScale ?? null,
  };
  const sendSol = solForm(ask);
  const sendToken = tokenForm(tokenAsk);

  async function confirm(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { turn } = ctx;
    const asked = ASKED_PIN.safeParse(payload).data;
    if (asked === undefined) throw new AppError('BUTTON_STALE', {});
    const { stateId } = asked;
    const agreed = await deps.states.read({ id: stateId, userId: turn.user.id, feature: WITHDRAW });
    if (!isConfirmable(agreed)) throw new AppError('BUTTON_STALE', {});
    const again: Question = {
      to: `${WITHDRAW}:pin`,
      payload,
      isProof: true,
      act: 'withdraw',
      text: askPinAgain(turn.words, asked),
    };
    await withPin(deps, ctx, again, () =>
      runConfirmed(deps, ctx, (progress) =>
        deps.withdrawals.confirmWithdrawal({
          ...agreed,
          userId: turn.user.id,
          pin: pinOf(secret),
          buttonId: stateId,
          progress,
        }),
      ),
    );
  }

  /** Cancels a withdrawal that waits. Its message is rewritten by the notice of the cancellation. */
  async function stop({ turn }: BotContext, state: TapState | null): Promise<void> {
    const intentId = textField(state, 'intentId');
    const { cancelled, forgotten } = await deps.withdrawals.cancelIntent({ intentId, userId: turn.user.id });
    const stopped = forgotten ? 'toast.stopped_forgotten' : 'toast.stopped';
    await turn.toast(turn.words.text(cancelled ? stopped : 'toast.running'));
  }

  return {
    name: WITHDRAW,
    commands: [
      { name: 'withdraw_sol', act: 'withdraw', run: (ctx) => sol(ctx) },
      { name: 'withdraw_spl', act: 'withdraw', run: (ctx) => tokens(ctx) },
    ],
    taps: {
      sol: { act: 'withdraw', run: sol },
      previous: { act: 'withdraw', run: turnedBy(-1) },
      here: { act: 'withdraw', run: turnedBy(0) },
      next: { act: 'withdraw', run: turnedBy(1) },
      tokens: { act: 'withdraw', run: tokens },
      token: { act: 'withdraw', run: token },
      resume: { act: 'withdraw', run: resume },
      stop: { act: 'withdrawal-stop', unlocked: true, toasts: true, run: stop },
      cancel: {
        act: 'reads',
        run: ({ turn }) =>
          turn.screen.show({
            text: turn.words.html('trade.cancelled'),
            keyboard: keyboard([nav(turn.words.text('btn.home'), 'home', 'open')]),
          }),
      },
    },
    forms: [sendSol, sendToken],
    secrets: { pin: { act: 'withdraw', run: confirm } },
  };
}

function isConfirmable(payload: unknown): payload is Confirmable {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'idemKey' in payload &&
    'walletId' in payload &&
    'params' in payload
  );
}
