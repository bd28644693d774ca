import type { Api } from 'grammy';
import { wordsFor } from '../../../compose/texts/words.ts';
import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { sendView } from '../../../platform/telegram/ui/screen.ts';
import type { ButtonStates } from '../../../platform/telegram/ui/state.ts';
import { loadToken } from '../../trading/use/load-token.ts';
import { decodeAlertEnded, decodeAlertNotice } from '../rules/alert-notice.ts';
import { alertEndedView, alertNoticeView } from './notice-view.ts';

type AlertTellDeps = {
  readonly api: Api;
  readonly db: Pick<Stores, 'alerts'>;
  readonly chain: Pick<Chain, 'token'>;
  readonly states: ButtonStates;
};

/**
 * Sent also where the alert was removed meanwhile: the price was crossed before that. Throws TOKEN_NOT_FOUND, so that it is sent later: a
 * node that lags or is wrong may not know the mint for a moment.
 */
export async function tellAlert(
  deps: AlertTellDeps,
  { notice: { payload }, user }: NoticeToTell,
): Promise<void> {
  const notice = decodeAlertNotice(payload);
  const alert = await deps.db.alerts.find(notice.alertId);
  if (alert === null) return;
  const token = await loadToken(deps.chain, alert.mint);
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

/** Says nothing where it was set again meanwhile. Throws TOKEN_NOT_FOUND. */
export async function tellAlertEnded(deps: AlertTellDeps, { notice, user }: NoticeToTell): Promise<void> {
  const alert = await deps.db.alerts.find(decodeAlertEnded(notice.payload));
  if (alert?.status !== 'EXPIRED') return;
  const token = await loadToken(deps.chain, alert.mint);
  const stateId = await deps.states.issue({
    userId: user.id,
    feature: 'alerts',
    payload: { alertId: alert.id },
  });
  const view = alertEndedView(wordsFor(user), { alert, token, stateId });
  await sendView(deps.api, Number(user.telegramId), view);
}
