import type { Words } from '../../../compose/texts/words.ts';
import { percentText, solShort } from '../../../platform/telegram/ui/amounts.ts';
import { bold, html, lines } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { AUTO_BUY_IMPACTS_BPS, type AutoBuy } from '../rules.ts';

export const AUTO_BUY = 'autobuy';
export const AMOUNTS = [50_000_000n, 100_000_000n, 250_000_000n, 500_000_000n] as const;
export const DAYS = [500_000_000n, 1_000_000_000n, 2_000_000_000n, 5_000_000_000n] as const;

/** Its effect, its limits, and its choices. */
export function autoBuyView(
  words: Words,
  { setting, isPaper }: { readonly setting: AutoBuy; readonly isPaper: boolean },
): View {
  const { on, lamports, dayLamports, maxImpactBps } = setting;
  const terms = {
    sol: solShort(words, lamports),
    day: solShort(words, dayLamports),
    impact: percentText(words, maxImpactBps),
  };
  return {
    text: lines(
      bold(words.text(on ? 'autobuy.title_on' : 'autobuy.title_off')),
      words.html('autobuy.what', terms),
      html``,
      words.html('autobuy.never'),
      words.html('autobuy.rules'),
      isPaper && words.html('autobuy.paper'),
    ),
    keyboard: keyboard(
      AMOUNTS.map((amount, index) =>
        nav(ticked(solShort(words, amount), amount === lamports), AUTO_BUY, `amount${index}`),
      ),
      [nav(words.text('btn.autobuy_amount'), AUTO_BUY, 'type')],
      DAYS.map((amount, index) =>
        nav(
          ticked(words.text('btn.autobuy_day', { sol: solShort(words, amount) }), amount === dayLamports),
          AUTO_BUY,
          `day${index}`,
        ),
      ),
      AUTO_BUY_IMPACTS_BPS.map((bps, index) =>
        nav(
          ticked(
            words.text('btn.autobuy_impact', { percent: percentText(words, bps) }),
            bps === maxImpactBps,
          ),
          AUTO_BUY,
          `impact${index}`,
        ),
      ),
      [nav(words.text(on ? 'btn.autobuy_off' : 'btn.autobuy_on'), AUTO_BUY, on ? 'off' : 'sure')],
      [nav(words.text('btn.back'), 'setting', 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** Read once more before pasting may cost money. */
export function sureAutoBuyView(words: Words, { lamports, dayLamports }: AutoBuy): View {
  return {
    text: words.html('autobuy.sure', { sol: solShort(words, lamports), day: solShort(words, dayLamports) }),
    keyboard: keyboard([
      nav(words.text('btn.autobuy_yes'), AUTO_BUY, 'on'),
      nav(words.text('btn.back'), AUTO_BUY, 'open'),
    ]),
  };
}
