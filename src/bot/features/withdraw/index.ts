import { shortAddress } from '../../../core/address/address.ts';
import { SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { displaySymbol } from '../../../core/tokens/display-name.ts';
import type { Wallet } from '../../../core/wallets/wallet.ts';
import { activeWallet } from '../../../services/wallets/active-wallet.ts';
import { walletFunds } from '../../../services/wallets/list-wallets.ts';
import { ownWallet } from '../../../services/wallets/own-wallet.ts';
import type { WithdrawalQuote } from '../../../services/withdrawals/withdrawal-quote.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { enterForm } from '../../dialog/enter-form.ts';
import type { Answers } from '../../dialog/form.ts';
import type { Feature, TapState } from '../../feature.ts';
import { runConfirmed } from '../../intents/run-confirmed.ts';
import { amountText, solText } from '../../ui/amounts.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';
import { optionalField, textField, textList } from '../../ui/payload.ts';
import { readAmount } from '../../ui/read-amount.ts';
import { solForm, tokenForm } from './flow.ts';
import { confirmWithdrawalView, nothingToWithdrawView, pickTokenView, WITHDRAW } from './view.ts';

/** Buttons for at most this many tokens: a wallet can be sprayed with thousands. */
const TOKENS_SHOWN = 20;
const CONFIRM_TTL_MS = 15 * 60_000;

type Confirmable = {
  readonly idemKey: string;
  readonly walletId: string;
  readonly params: WithdrawalQuote['params'];
};

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
    const lamports = await deps.chain.balance(wallet.address);
    if (lamports === 0n) {
      await ctx.turn.screen.show(nothingToWithdrawView(ctx.turn.words, wallet));
      return;
    }
    await enterForm(ctx, sendSol, {
      walletId: wallet.id,
      wallet: wallet.name,
      sender: wallet.address,
      available: solText(lamports),
    });
  }

  async function tokens(ctx: BotContext, state: TapState | null = null): Promise<void> {
    const { turn } = ctx;
    const wallet = await wanted(ctx, state);
    const funds = await walletFunds(deps.chain, wallet);
    const held = await Promise.all(
      funds.tokens
        .slice(0, TOKENS_SHOWN)
        .map(async (holding) => ({ holding, token: await deps.chain.token(holding.mint).catch(() => null) })),
    );
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: WITHDRAW,
      payload: { walletId: wallet.id, mints: held.map(({ holding }) => holding.mint) },
    });
    await turn.screen.show(pickTokenView(turn.words, wallet, held, stateId));
  }

  async function token(ctx: BotContext, state: TapState | null): Promise<void> {
    const mint = textList(state, 'mints')[state?.index ?? -1];
    if (mint === undefined) throw new AppError('BUTTON_STALE', {});
    const wallet = await wanted(ctx, state);
    const holding = (await deps.chain.holdings(wallet.address)).find((item) => item.mint === mint);
    if (holding === undefined || holding.amount === 0n) {
      throw new AppError('INSUFFICIENT_TOKENS', {
        needed: 1n,
        available: 0n,
        decimals: holding?.decimals ?? 0,
      });
    }
    const found = await deps.chain.token(holding.mint);
    await enterForm(ctx, sendToken, {
      walletId: wallet.id,
      wallet: wallet.name,
      sender: wallet.address,
      mint,
      symbol: found === null ? shortAddress(mint) : displaySymbol(found),
      decimals: String(holding.decimals),
      available: amountText(holding.amount, holding.decimals),
    });
  }

  function prepare({ turn }: BotContext, answers: Answers): Promise<WithdrawalQuote> {
    const mint = answers['mint'];
    const decimals = mint === undefined ? SOL_DECIMALS : Number(answers['decimals'] ?? 0);
    return deps.withdrawals.prepareWithdrawal({
      userId: turn.user.id,
      walletId: answers['walletId'] ?? '',
      destination: answers['destination'] ?? '',
      amount: readAmount(answers['amount'] ?? '', decimals),
      tier: turn.user.settings.tier,
      asset: mint === undefined ? { kind: 'sol' } : { kind: 'token', mint },
    });
  }

  async function showConfirm(ctx: BotContext, answers: Answers): Promise<void> {
    const { turn } = ctx;
    const [quote, wallet, microUsdPerSol] = await Promise.all([
      prepare(ctx, answers),
      ownWallet(wallets, { userId: turn.user.id, walletId: answers['walletId'] ?? '' }),
      deps.solPrice(),
    ]);
    const payload: Confirmable = { idemKey: deps.ids.token(), walletId: wallet.id, params: quote.params };
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: WITHDRAW,
      payload,
      ttlMs: CONFIRM_TTL_MS,
    });
    await turn.screen.show(confirmWithdrawalView(turn.words, { quote, wallet, microUsdPerSol, stateId }));
  }

  const ask = { checkRecipient: deps.withdrawals.checkRecipient, check: prepare, finish: showConfirm };
  const sendSol = solForm(ask);
  const sendToken = tokenForm(ask);

  async function confirm(ctx: BotContext, state: TapState | null): Promise<void> {
    if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
    textField(state, 'idemKey');
    const { buttonId } = state;
    const agreed = state.payload as Confirmable;
    await runConfirmed(ctx, (progress) =>
      deps.withdrawals.confirmWithdrawal({ ...agreed, userId: ctx.turn.user.id, buttonId, progress }),
    );
  }

  return {
    name: WITHDRAW,
    commands: [
      { name: 'withdraw_sol', run: (ctx) => sol(ctx) },
      { name: 'withdraw_spl', run: (ctx) => tokens(ctx) },
    ],
    taps: {
      sol: { run: sol },
      tokens: { run: tokens },
      token: { run: token },
      confirm: {
        run: confirm,
        stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
      },
      cancel: {
        run: ({ turn }) =>
          turn.screen.show({
            text: turn.words.html('trade.cancelled'),
            keyboard: keyboard([nav(turn.words.text('btn.home'), 'home', 'open')]),
          }),
      },
    },
    forms: [sendSol, sendToken],
  };
}
