import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { type Agreed, confirmTap } from '../../../engine/intents/chat/confirm-tap.ts';
import type { CloseAccountsParams } from '../../../engine/intents/kinds/close-accounts/params.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { solText, usdNote } from '../../../platform/telegram/ui/amounts.ts';
import { lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { CleanUpQuote } from '../use/clean-up.ts';
import { POSITIONS } from './view.ts';

const CONFIRM_TTL_MS = 15 * 60_000;

/** Cleaning up a wallet's token accounts: the deposits that come back, and the confirm button. */
export function cleanUpTaps(deps: FeatureDeps): Pick<Feature['taps'], string> {
  async function ask({ turn }: BotContext, state: TapState | null): Promise<void> {
    const walletId = textField(state, 'walletId');
    const userId = turn.user.id;
    const [wallet, quote, microUsdPerSol] = await Promise.all([
      ownWallet(deps.db.wallets, { userId, walletId }),
      deps.emptyAccounts.quote({ userId, walletId, tier: turn.user.settings.tier }),
      deps.solPrice(),
    ]);
    const payload: Agreed<CloseAccountsParams> = {
      idemKey: deps.ids.token(),
      walletId,
      params: quote.params,
    };
    const confirmId = await deps.states.issue({
      userId,
      feature: POSITIONS,
      payload,
      ttlMs: CONFIRM_TTL_MS,
    });
    const wanted = { quote, wallet: wallet.name, microUsdPerSol, confirmId };
    await turn.screen.show(cleanUpView(turn.words, wanted));
  }

  return {
    cleanup: { act: 'close-accounts', run: ask },
    close: {
      act: 'close-accounts',
      run: (ctx, state) => confirmTap(deps, ctx, state, deps.emptyAccounts.confirm),
      stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
    },
  };
}

function cleanUpView(
  words: Words,
  facts: {
    readonly quote: CleanUpQuote;
    readonly wallet: string;
    readonly microUsdPerSol: bigint | null;
    readonly confirmId: string;
  },
): View {
  const { quote, wallet, microUsdPerSol, confirmId } = facts;
  const { accounts, excess, rentLamports, kept, later } = quote;
  const count = accounts.length;
  const sol = solText(words, rentLamports);
  return {
    text: lines(
      words.html(count === 0 ? 'cleanup.ask_excess' : 'cleanup.ask', {
        wallet,
        count,
        sol,
        usd: usdNote(words, rentLamports, microUsdPerSol),
        fee: solText(words, quote.networkFeeLamports),
      }),
      excess.length > 0 && words.html('cleanup.excess', { count: excess.length }),
      later > 0 && words.html('cleanup.more', { count: later }),
      kept > 0 && words.html('cleanup.kept', { count: kept }),
    ),
    keyboard: keyboard(
      [
        act(
          words.text(count === 0 ? 'btn.take_excess' : 'btn.clean_up_yes', { count, sol }),
          POSITIONS,
          'close',
          confirmId,
        ),
      ],
      [nav(words.text('btn.back'), POSITIONS, 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}
