import { SOL_DECIMALS } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { plainText } from '../../../platform/telegram/ui/amounts.ts';
import { bold } from '../../../platform/telegram/ui/html.ts';
import { freshAct, freshNav, inRows, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { tokenPriceText } from '../../orders/chat/order-text.ts';
import type { Settings } from '../../settings/rules/settings.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Alert } from '../rules/alert.ts';
import type { AlertNotice } from '../rules/alert-notice.ts';

/**
 * A price was crossed. `stateId` carries the token, the active wallet and the alert; without a wallet, or with pretend money,
 * nothing here buys.
 */
export function alertNoticeView(
  words: Words,
  told: {
    readonly notice: AlertNotice;
    readonly alert: Alert;
    readonly token: Token;
    readonly settings: Settings;
    readonly buys: boolean;
    readonly stateId: string;
  },
): View {
  const { notice, alert, token, settings, buys, stateId } = told;
  const text = (rate: AlertNotice['seen']): string => tokenPriceText(words, rate, alert.unit, token.decimals);
  const presets = settings.buyPresets.map((lamports, index) => {
    const label = words.text('btn.buy_sol', { sol: plainText(words, lamports, SOL_DECIMALS) });
    return freshAct(label, 'trade', `buy-${index}`, stateId);
  });
  return {
    text: words.html(`alert.told_${alert.direction}`, {
      symbol: bold(displaySymbol(token)),
      seen: text(notice.seen),
      price: text(alert.price),
      request: alert.request,
    }),
    keyboard: keyboard(...(buys ? inRows(presets, 2) : []), [
      buys && freshAct(words.text('btn.chart'), 'chart', 'open', stateId),
      !alert.repeats && freshAct(words.text('btn.alert_again'), 'alerts', 'again', stateId),
      freshNav(words.text('btn.alerts'), 'alerts', 'open'),
    ]),
  };
}

/** The time of an alert is over. `stateId` carries the alert. */
export function alertEndedView(
  words: Words,
  { alert, token, stateId }: { readonly alert: Alert; readonly token: Token; readonly stateId: string },
): View {
  return {
    text: words.html('alert.ended', {
      symbol: bold(displaySymbol(token)),
      price: tokenPriceText(words, alert.price, alert.unit, token.decimals),
      request: alert.request,
    }),
    keyboard: keyboard([
      freshAct(words.text('btn.alert_again'), 'alerts', 'again', stateId),
      freshNav(words.text('btn.alerts'), 'alerts', 'open'),
    ]),
  };
}
