import { RENT_EXEMPT_MINIMUM } from '../../../core/amounts/lamports.ts';
import type { Wallet } from '../../../core/wallets/wallet.ts';
import { activeWallet } from '../../../services/wallets/active-wallet.ts';
import { ownWallet } from '../../../services/wallets/own-wallet.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature, TapState } from '../../feature.ts';
import { solText } from '../../ui/amounts.ts';
import { code, lines } from '../../ui/html.ts';
import { act, copy, keyboard, nav } from '../../ui/keyboard.ts';
import type { PhotoView } from '../../ui/screen.ts';

const FEATURE = 'deposit';
/** A little above the rent-exempt minimum: less would be refused by the network. */
const MINIMUM_LAMPORTS = 1_000_000n;
const PLAY_LAMPORTS = 2_000_000_000n;
const FILE_ID_TTL_SECONDS = 30 * 86_400;

if (MINIMUM_LAMPORTS < RENT_EXEMPT_MINIMUM)
  throw new Error('the deposit minimum is below what an account may hold');

/** /deposit: the active wallet's address as text, copy button and QR code. */
export function depositFeature(deps: FeatureDeps): Feature {
  async function open(ctx: BotContext, state: TapState | null = null): Promise<void> {
    const { turn } = ctx;
    const wallet = await wantedWallet(turn.user, state);
    // A picture once uploaded is reused; a lost entry costs one upload.
    const key = `qr:${ctx.me.id}:${wallet.address}`;
    const known = await deps.dialogs.read(key);
    const { fileId } = await turn.screen.photo({
      ...(await caption(deps, ctx, wallet)),
      fileId: known?.value ?? null,
      bytes: () => deps.qr.png(`solana:${wallet.address}`),
    });
    if (fileId !== null && fileId !== known?.value) {
      await deps.dialogs.write(key, known?.revision ?? 0, fileId, FILE_ID_TTL_SECONDS);
    }
  }

  async function wantedWallet(user: BotContext['turn']['user'], state: TapState | null): Promise<Wallet> {
    const payload = state?.payload;
    if (typeof payload === 'object' && payload !== null && 'walletId' in payload) {
      return ownWallet(deps.db.wallets, { userId: user.id, walletId: String(payload.walletId) });
    }
    return activeWallet(deps.db.wallets, user);
  }

  async function check({ turn }: BotContext, state: TapState | null): Promise<void> {
    const wallet = await wantedWallet(turn.user, state);
    const lamports = await deps.chain.balance(wallet.address);
    await turn.toast(`${wallet.name}: ${solText(lamports)}`);
  }

  async function faucet({ turn }: BotContext, state: TapState | null): Promise<void> {
    if (deps.faucet === undefined) return;
    const wallet = await wantedWallet(turn.user, state);
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
    commands: [{ name: 'deposit', run: (ctx) => open(ctx) }],
    taps: {
      open: { run: open },
      check: { toasts: true, run: check },
      faucet: { toasts: true, run: faucet },
    },
    forms: [],
  };
}

async function caption(
  deps: FeatureDeps,
  { turn }: BotContext,
  wallet: Wallet,
): Promise<Pick<PhotoView, 'caption' | 'keyboard'>> {
  const { words } = turn;
  const stateId = await deps.states.issue({
    userId: turn.user.id,
    feature: FEATURE,
    payload: { walletId: wallet.id },
  });
  return {
    caption: lines(
      words.html('deposit.caption', {
        name: wallet.name,
        address: code(wallet.address),
        minimum: solText(MINIMUM_LAMPORTS),
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
