import { maxBigint } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import { bold, code, lines } from '../../../platform/telegram/ui/html.ts';
import { act, copy, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { PhotoView, View } from '../../../platform/telegram/ui/screen.ts';
import { receivingWallet } from '../../wallets/rules/receiving-wallet.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { activeWallet } from '../../wallets/use/active-wallet.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';

const FEATURE = 'deposit';
/** Asked for where the network would take less: a little above its own minimum as it long was. */
const MINIMUM_LAMPORTS = 1_000_000n;
const PLAY_LAMPORTS = 2_000_000_000n;
const FILE_ID_TTL_SECONDS = 30 * 86_400;

/** /deposit: the address of the wallet that may receive, as text, copy button and QR code; the active one where it may. */
export function depositFeature(deps: FeatureDeps): Feature {
  async function open(ctx: BotContext, state: TapState | null = null): Promise<void> {
    const { turn } = ctx;
    const { wanted, wallet } = await receiver(turn.user, state);
    if (wallet === null) {
      await turn.screen.show(await noReceiverView(deps, ctx, wanted));
      return;
    }
    // A picture once uploaded is reused; a lost entry costs one upload.
    const key = `qr:${ctx.me.id}:${wallet.address}`;
    const known = await deps.dialogs.read(key);
    const { fileId } = await turn.screen.photo({
      ...(await caption(deps, ctx, wallet, wanted)),
      fileId: known?.value ?? null,
      bytes: () => deps.qr.png(`solana:${wallet.address}`),
    });
    if (fileId !== null && fileId !== known?.value) {
      await deps.dialogs.write(key, known?.revision ?? 0, fileId, FILE_ID_TTL_SECONDS);
    }
  }

  /** The wallet that was asked for, and the one whose address may be shown instead; null = none of theirs. */
  async function receiver(
    user: BotContext['turn']['user'],
    state: TapState | null,
  ): Promise<{ readonly wanted: Wallet; readonly wallet: Wallet | null }> {
    const payload = state?.payload;
    const wanted =
      typeof payload === 'object' && payload !== null && 'walletId' in payload
        ? await ownWallet(deps.db.wallets, { userId: user.id, walletId: String(payload.walletId) })
        : await activeWallet(deps.db.wallets, user);
    const mine = await deps.db.wallets.listByUser(user.id);
    return { wanted, wallet: receivingWallet(mine, wanted.id, deps.clock.now()) };
  }

  async function check({ turn }: BotContext, state: TapState | null): Promise<void> {
    const { wanted, wallet } = await receiver(turn.user, state);
    const shown = wallet ?? wanted;
    const lamports = await deps.chain.balance(shown.address);
    await turn.toast(`${shown.name}: ${solText(turn.words, lamports)}`);
  }

  async function faucet({ turn }: BotContext, state: TapState | null): Promise<void> {
    if (deps.faucet === undefined) return;
    const { wallet } = await receiver(turn.user, state);
    if (wallet === null) throw new AppError('WALLET_REQUIRED', {});
    try {
      await deps.faucet(wallet.address, PLAY_LAMPORTS);
    } catch (error) {
      deps.log.warn({ err: error }, 'the faucet refused');
      await turn.toast(turn.words.text('toast.faucet_failed'));
      return;
    }
    await turn.toast(turn.words.text('toast.faucet', { sol: 2 }));
  }

  return {
    name: FEATURE,
    commands: [{ name: 'deposit', act: 'reads', run: (ctx) => open(ctx) }],
    taps: {
      open: { act: 'reads', run: open },
      check: { act: 'reads', toasts: true, run: check },
      faucet: { act: 'service', toasts: true, run: faucet },
    },
    forms: [],
  };
}

async function caption(
  deps: FeatureDeps,
  { turn }: BotContext,
  wallet: Wallet,
  wanted: Wallet,
): Promise<Pick<PhotoView, 'caption' | 'keyboard'>> {
  const { words } = turn;
  const stateId = await deps.states.issue({
    userId: turn.user.id,
    feature: FEATURE,
    payload: { walletId: wallet.id },
  });
  return {
    caption: lines(
      wallet.id !== wanted.id &&
        words.html('deposit.instead', { wanted: bold(wanted.name), name: bold(wallet.name) }),
      words.html('deposit.caption', {
        name: wallet.name,
        address: code(wallet.address),
        minimum: solText(words, maxBigint(MINIMUM_LAMPORTS, await deps.chain.rentExemption(0))),
      }),
      deps.faucet !== undefined && words.html('deposit.play'),
    ),
    keyboard: keyboard(
      [
        copy(words.text('btn.copy_address'), wallet.address),
        act(words.text('btn.check_balance'), FEATURE, 'check', stateId),
      ],
      [deps.faucet !== undefined && act(words.text('btn.faucet', { sol: 2 }), FEATURE, 'faucet', stateId)],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** Every wallet of theirs is imported: a wallet of their own is one tap away. */
async function noReceiverView(deps: FeatureDeps, { turn }: BotContext, wanted: Wallet): Promise<View> {
  const { words, user } = turn;
  const mine = await deps.db.wallets.listByUser(user.id);
  const stateId = await deps.states.issue({
    userId: user.id,
    feature: 'wallets',
    payload: { walletIds: mine.map(({ id }) => id) },
  });
  return {
    text: words.html('deposit.imported_only', { name: bold(wanted.name) }),
    keyboard: keyboard(
      [act(words.text('btn.create_wallet'), 'wallets', 'create', stateId)],
      [nav(words.text('btn.wallets_plain'), 'wallets', 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}
