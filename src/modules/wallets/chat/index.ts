import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { pageOf } from '../../../platform/telegram/ui/pages.ts';
import { payloadOf, textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { utcDay } from '../../../platform/telegram/ui/time.ts';
import { tokensText } from '../../../platform/telegram/ui/tokens-text.ts';
import { payoutWallet } from '../rules/receiving-wallet.ts';
import type { Wallet } from '../rules/wallet.ts';
import { WALLET_GRACE_DAYS } from '../rules/wallet.ts';
import { nameRefusal } from '../rules/wallet-name.ts';
import { activeWallet } from '../use/active-wallet.ts';
import { listDeletedWallets, listWallets, walletFunds } from '../use/list-wallets.ts';
import { openDepositWallet } from '../use/open-deposit-wallet.ts';
import { ownWallet } from '../use/own-wallet.ts';
import { reservedNames } from '../use/reserved-names.ts';
import { restoreWallet } from '../use/restore-wallet.ts';
import { walletLimit } from '../use/wallet-limit.ts';
import { deleteForm, renameForm } from './flow.ts';
import { byWorth, tokenWorths } from './home-tokens-worth.ts';
import { receiveSteps } from './receive.ts';
import { deletedView, deleteView, tokensView, walletListView, walletView } from './view.ts';

const FEATURE = 'wallets';
/** As many as a message has room for. Those that hold something come first. */
const DELETED_SHOWN = 30;

/** Wallets (x/y): create, switch, rename, delete, restore, tokens held. */
export function walletsFeature(deps: FeatureDeps): Feature {
  const { maxWallets } = deps.options;
  const wallets = deps.db.wallets;
  const issue = (userId: string, payload: unknown): Promise<string> =>
    deps.states.issue({ userId, feature: [FEATURE, 'backup'], payload });

  async function open({ turn }: BotContext): Promise<void> {
    const [rows, deleted, microUsdPerSol, max] = await Promise.all([
      listWallets({ wallets, fundsOf: deps.funds.ofAll }, turn.user),
      listDeletedWallets({ wallets, chain: deps.chain, clock: deps.clock }, turn.user.id),
      deps.solPrice(),
      walletLimit(deps.db.shop, maxWallets, turn.user.id),
    ]);
    const stateId = await issue(turn.user.id, { walletIds: rows.map(({ wallet }) => wallet.id) });
    await turn.screen.show(
      walletListView(turn.words, { rows, max, deleted: deleted.length, microUsdPerSol, stateId }),
    );
  }

  async function detail({ turn }: BotContext, wallet: Wallet, note?: Html): Promise<void> {
    const [all, funds, microUsdPerSol, stateId] = await Promise.all([
      wallets.listByUser(turn.user.id),
      deps.funds.of(wallet).catch(() => null),
      deps.solPrice(),
      issue(turn.user.id, { walletId: wallet.id }),
    ]);
    const now = deps.clock.now();
    await turn.screen.show(
      walletView(turn.words, {
        wallet,
        active: wallet.id === turn.user.activeWalletId,
        now,
        payoutId: payoutWallet(all, now)?.id ?? null,
        count: all.length,
        funds,
        microUsdPerSol,
        stateId,
        ...(note === undefined ? {} : { note }),
      }),
    );
  }

  /** The wallet of a detail screen's buttons. */
  const named = ({ turn }: BotContext, state: TapState | null): Promise<Wallet> =>
    ownWallet(wallets, { userId: turn.user.id, walletId: textField(state, 'walletId') });

  async function pick(ctx: BotContext, state: TapState | null): Promise<void> {
    const walletId = textList(state, 'walletIds')[state?.index ?? -1];
    if (walletId === undefined) throw new AppError('BUTTON_STALE', {});
    await detail(ctx, await ownWallet(wallets, { userId: ctx.turn.user.id, walletId }));
  }

  async function create(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const { wallet, created } = await openDepositWallet(
      { ...deps, maxWallets },
      { userId: turn.user.id, expectedCount: textList(state, 'walletIds').length },
    );
    await turn.toast(turn.words.text(created ? 'toast.wallet_ready' : 'toast.wallet_exists'));
    await detail(ctx, wallet);
  }

  const switchQuestion = ({ turn }: BotContext, request: Switching): Question => ({
    to: `${FEATURE}:switch`,
    payload: request,
    isProof: true,
    act: 'wallet-switch-imported',
    text: turn.words.html('wallets.switch_pin', { name: request.name }),
  });

  async function makeActive(ctx: BotContext, state: TapState | null): Promise<void> {
    const { id: walletId, name, origin } = await named(ctx, state);
    const { hasPin } = await deps.guard.overview({ userId: ctx.turn.user.id });
    if (origin === 'made' || !hasPin) return switchNow(ctx, walletId, null);
    await deps.guard.assertMaySwitch({ userId: ctx.turn.user.id, walletId });
    await askSecret(deps, ctx, switchQuestion(ctx, { walletId, name }));
  }

  async function switchWithPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const request = payloadOf(SWITCHING, payload);
    await withPin(deps, ctx, switchQuestion(ctx, request), () =>
      switchNow(ctx, request.walletId, pinOf(secret)),
    );
  }

  async function switchNow(ctx: BotContext, walletId: string, pin: string | null): Promise<void> {
    const { turn } = ctx;
    const wallet = await deps.guard.switchWallet({ userId: turn.user.id, walletId, pin });
    turn.change({ activeWalletId: wallet.id });
    await turn.toast(turn.words.text('toast.switched', { name: wallet.name }));
    await open(ctx);
  }

  async function askName(ctx: BotContext, state: TapState | null): Promise<void> {
    const wallet = await named(ctx, state);
    await enterForm(ctx, rename, { walletId: wallet.id, name: wallet.name });
  }

  /** So that the question is asked again; the service decides when it is done. */
  async function checkName({ turn }: BotContext, walletId: string, name: string): Promise<void> {
    const wallet = await ownWallet(wallets, { userId: turn.user.id, walletId });
    const now = deps.clock.now();
    const refusal = nameRefusal(name, wallet, await reservedNames(deps.db, turn.user.id, now), now);
    if (refusal !== null) throw refusal;
  }

  const rename = renameForm(checkName, async (ctx, { walletId, newName: name }) => {
    const wallet = await deps.guard.renameWallet({ userId: ctx.turn.user.id, walletId, name });
    await detail(ctx, wallet, ctx.turn.words.html('wallets.renamed', { name: wallet.name }));
  });

  async function askDelete(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const wallet = await named(ctx, state);
    const mine = await wallets.listByUser(turn.user.id);
    if (wallet.id === turn.user.activeWalletId && mine.length > 1) {
      throw new AppError('WALLET_IN_USE', { name: wallet.name, openIntents: 0 });
    }
    const funds = await walletFunds(deps.chain, wallet);
    if (funds.lamports === 0n && funds.tokens.length === 0) {
      await turn.screen.show(
        deleteView(turn.words, {
          wallet,
          until: graceEnd(),
          stateId: await issue(turn.user.id, { walletId: wallet.id }),
        }),
      );
      return;
    }
    const { hasPin } = await deps.guard.overview({ userId: turn.user.id });
    if (!hasPin) throw new AppError('PIN_REQUIRED', {});
    await enterForm(ctx, remove, {
      walletId: wallet.id,
      name: wallet.name,
      address: wallet.address,
      sol: solText(turn.words, funds.lamports),
      tokens: tokensText(turn.words, funds.tokens.length),
      until: utcDay(graceEnd()),
    });
  }

  /** The last day on which a wallet that is deleted now comes back though it is empty. */
  const graceEnd = (): number => deps.clock.now() + WALLET_GRACE_DAYS * 86_400_000;

  const remove = deleteForm(async (ctx, { walletId, name, typedName }) => {
    await askSecret(deps, ctx, pinQuestion(ctx, { walletId, name, typedName }));
  });

  const pinQuestion = ({ turn }: BotContext, request: Deletion): Question => ({
    to: `${FEATURE}:delete`,
    payload: request,
    isProof: true,
    act: 'wallet-delete-holding',
    text: turn.words.html('wallets.delete_pin', { name: request.name }),
  });

  async function deleteWithPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const request = payloadOf(DELETION, payload);
    await withPin(deps, ctx, pinQuestion(ctx, request), () =>
      deleteNow(ctx, { ...request, pin: pinOf(secret) }),
    );
  }

  async function deleteEmpty(ctx: BotContext, state: TapState | null): Promise<void> {
    await deleteNow(ctx, { walletId: textField(state, 'walletId'), typedName: null, pin: null });
  }

  async function deleteNow(
    { turn }: BotContext,
    request: { readonly walletId: string; readonly typedName: string | null; readonly pin: string | null },
  ): Promise<void> {
    const { walletId, typedName, pin } = request;
    const wallet = await deps.guard.deleteWallet({ userId: turn.user.id, walletId, typedName, pin });
    if (turn.user.activeWalletId === wallet.id) turn.change({ activeWalletId: null });
    await turn.screen.show({
      text: turn.words.html('wallets.gone', { name: wallet.name, until: utcDay(graceEnd()) }),
      keyboard: keyboard([
        turn.user.activeWalletId === null
          ? nav(turn.words.text('btn.create_wallet'), 'start', 'create')
          : nav(turn.words.text('btn.back'), FEATURE, 'open'),
        nav(turn.words.text('btn.deleted', { count: 1 }), FEATURE, 'deleted'),
      ]),
    });
  }

  async function deleted({ turn }: BotContext): Promise<void> {
    const list = await listDeletedWallets({ wallets, chain: deps.chain, clock: deps.clock }, turn.user.id);
    const shown = list.slice(0, DELETED_SHOWN);
    const stateId = await issue(turn.user.id, { walletIds: shown.map(({ wallet }) => wallet.id) });
    await turn.screen.show(deletedView(turn.words, shown, stateId));
  }

  async function restore(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const walletId = textList(state, 'walletIds')[state?.index ?? -1];
    if (walletId === undefined) throw new AppError('BUTTON_STALE', {});
    const wallet = await restoreWallet({ ...deps, maxWallets }, { userId: turn.user.id, walletId });
    if (turn.user.activeWalletId === null) turn.change({ activeWalletId: wallet.id });
    await turn.toast(turn.words.text('toast.restored', { name: wallet.name }));
    await open(ctx);
  }

  async function tokens({ turn }: BotContext, wallet: Wallet, asked = 0): Promise<void> {
    const { tokens: holdings, inDoubt } = await deps.funds.of(wallet);
    const worths = await tokenWorths(deps.tokens, holdings);
    // Names of this page only: a wallet can be sprayed with thousands of tokens.
    const { rows, page, pages } = pageOf(byWorth(holdings, worths), asked);
    const held = await Promise.all(
      rows.map(async (holding) => ({
        holding,
        token: await deps.chain.token(holding.mint).catch(() => null),
        microUsd: worths?.get(holding.mint) ?? null,
      })),
    );
    const stateId = await issue(turn.user.id, {
      walletId: wallet.id,
      mints: rows.map(({ mint }) => mint),
      page: String(page),
    });
    const count = holdings.length;
    await turn.screen.show(tokensView(turn.words, { wallet, held, count, page, pages, inDoubt, stateId }));
  }

  const turnedBy =
    (by: number) =>
    async (ctx: BotContext, state: TapState | null): Promise<void> =>
      tokens(ctx, await named(ctx, state), Number(textField(state, 'page')) + by);

  async function token({ turn }: BotContext, state: TapState | null): Promise<void> {
    const mint = textList(state, 'mints')[state?.index ?? -1];
    if (mint === undefined) throw new AppError('BUTTON_STALE', {});
    await turn.go('trade', 'paste', { text: mint });
  }

  /** Hands the detail screen's wallet to another feature. */
  const pass =
    (feature: string, action: string) =>
    async (ctx: BotContext, state: TapState | null): Promise<void> => {
      const wallet = await named(ctx, state);
      await ctx.turn.go(feature, action, { walletId: wallet.id });
    };

  const receive = receiveSteps(deps, detail);

  return {
    name: FEATURE,
    commands: [],
    taps: {
      ...receive.taps,
      open: { act: 'reads', run: open },
      pick: { act: 'reads', run: pick },
      create: { act: 'wallet-make', toasts: true, run: create },
      switch: { act: ['wallet-switch', 'wallet-switch-imported'], toasts: true, run: makeActive },
      rename: { act: 'wallet-rename', run: askName },
      delete: { act: ['wallet-delete', 'wallet-delete-holding'], run: askDelete },
      delete_yes: { act: 'wallet-delete', run: deleteEmpty },
      deleted: { act: 'reads', unlocked: true, run: deleted },
      restore: { act: 'wallet-restore', unlocked: true, toasts: true, run: restore },
      held: { act: 'reads', run: async (ctx, state) => tokens(ctx, await named(ctx, state)) },
      tokens: { act: 'reads', run: async (ctx) => tokens(ctx, await activeWallet(wallets, ctx.turn.user)) },
      previous: { act: 'reads', run: turnedBy(-1) },
      here: { act: 'reads', run: turnedBy(0) },
      next: { act: 'reads', run: turnedBy(1) },
      token: { act: 'reads', run: token },
      deposit: { act: 'reads', run: pass('deposit', 'open') },
      withdraw: { act: 'withdraw', run: pass('withdraw', 'sol') },
      withdraw_token: { act: 'withdraw', run: pass('withdraw', 'tokens') },
    },
    forms: [rename, remove],
    hidden: [{ name: 'wallets', act: 'reads', run: ({ turn }) => turn.go(FEATURE, 'open') }],
    secrets: {
      ...receive.secrets,
      switch: { act: 'wallet-switch-imported', run: switchWithPin },
      delete: { act: 'wallet-delete-holding', run: deleteWithPin },
    },
  };
}

const SWITCHING = z.object({ walletId: text, name: text });
type Switching = z.infer<typeof SWITCHING>;

/** A wallet with money in it whose name was typed; the PIN is the last question. */
const DELETION = z.object({ walletId: text, name: text, typedName: text });
type Deletion = z.infer<typeof DELETION>;
