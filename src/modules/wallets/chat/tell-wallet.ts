import { wordsFor } from '../../../compose/texts/words.ts';
import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { NotifierDeps } from '../../../platform/telegram/notifier.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { freshNav, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import { sendView } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { decodeWalletNotice } from '../rules/wallet-notice.ts';

/** The notice of an event of the person's wallet, with a button that freezes and takes back waiting changes. */
export async function tellWallet(
  deps: Pick<NotifierDeps, 'api' | 'db'>,
  { notice, user }: NoticeToTell,
): Promise<void> {
  const { walletId, event, was } = decodeWalletNotice(notice.payload);
  const wallet = await deps.db.wallets.find(walletId);
  if (wallet === null || wallet.userId !== user.id) return;
  // A stopped change waits for nothing.
  const waits = event === 'wallet-confirm-asked' || event === 'payout-wallet-asked';
  const at = event === 'wallet-confirm-asked' ? wallet.confirmedAt : wallet.payoutFrom;
  if (waits && at === null) return;
  const words = wordsFor(user);
  await sendView(deps.api, Number(user.telegramId), {
    text: words.html(`notice.wallet_${event}`, {
      wallet: wallet.name,
      address: code(wallet.address),
      was: was ?? '',
      at: at === null ? '' : utcText(at),
    }),
    keyboard: keyboard(
      [
        waits
          ? freshNav(words.text('btn.import_stop'), 'security', 'stop')
          : freshNav(words.text('btn.import_stop'), 'panic', 'now'),
      ],
      [freshNav(words.text('btn.security'), 'security', 'open')],
    ),
  });
}
