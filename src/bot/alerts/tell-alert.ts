import type { Api } from 'grammy';
import { decodeAlertEnded, decodeAlertNotice } from '../../core/alerts/alert-notice.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { NoticeToTell } from '../../core/ports/notice-store.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { wordsFor } from '../locales/words.ts';
import { sendView } from '../ui/screen.ts';
import type { ButtonStates } from '../ui/state.ts';
import { alertEndedView, alertNoticeView } from './notice-view.ts';

type AlertTellDeps = {
  readonly api: Api;
  readonly db: Pick<Stores, 'alerts'>;
  readonly chain: Pick<Chain, 'token'>;
  readonly states: ButtonStates;
};

/** Also where it was removed meanwhile: the price was crossed while it stood. */
export async function tellAlert(
  deps: AlertTellDeps,
  { notice: { payload }, user }: NoticeToTell,
): Promise<void> {
  const notice = decodeAlertNotice(payload);
  const alert = await deps.db.alerts.find(notice.alertId);
  const token = alert === null ? null : await deps.chain.token(alert.mint);
  if (alert === null || token === null) return;
  const buys = user.activeWalletId !== null && user.settings.paper?.on !== true;
  const stateId = await deps.states.issue({
    userId: user.id,
    feature: 'trade chart alerts',
    payload: { mint: alert.mint, walletId: user.activeWalletId ?? '', alertId: alert.id },
  });
  const { settings } = user;
  const view = alertNoticeView(wordsFor(user), { notice, alert, token, settings, buys, stateId });
  await sendView(deps.api, Number(user.telegramId), view);
}

/** Says nothing where it was set again meanwhile. */
export async function tellAlertEnded(deps: AlertTellDeps, { notice, user }: NoticeToTell): Promise<void> {
  const alert = await deps.db.alerts.find(decodeAlertEnded(notice.payload));
  const token = alert?.status === 'EXPIRED' ? await deps.chain.token(alert.mint) : null;
  if (alert === null || token === null) return;
  const stateId = await deps.states.issue({
    userId: user.id,
    feature: 'alerts',
    payload: { alertId: alert.id },
  });
  const view = alertEndedView(wordsFor(user), { alert, token, stateId });
  await sendView(deps.api, Number(user.telegramId), view);
}
