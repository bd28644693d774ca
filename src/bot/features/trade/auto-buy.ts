import type { Address } from '../../../core/address/address.ts';
import { type AutoBuyRefusal, autoBuyKey, exactMint, judgeAutoBuy } from '../../../core/auto-buy/auto-buy.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { Wallet } from '../../../core/wallets/wallet.ts';
import { confirmable, tradeParams } from '../../../services/trading/trade-quote.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { errorSentence } from '../../errors.ts';
import { runConfirmed } from '../../intents/run-confirmed.ts';
import type { Words } from '../../locales/words.ts';
import { percentText, solShort } from '../../ui/amounts.ts';
import type { Html } from '../../ui/html.ts';
import { updateKey } from './agreed.ts';
import { tradeRequest } from './requests.ts';

/**
 * Buys a pasted token at once where its owner switched that on and nothing speaks against it. Null: nothing was tried, the card
 * is shown as ever. Else whether it bought, or why not, for the card. It takes the same way as a confirmed trade: switches, freeze,
 * caps and the PIN are judged once more where the intent is written, and the message is its key, so that it buys once.
 */
export async function tryAutoBuy(
  deps: FeatureDeps,
  ctx: BotContext,
  { text, mint, wallet }: { readonly text: string; readonly mint: Address; readonly wallet: Wallet },
): Promise<{ readonly bought: boolean; readonly why: Html | null } | null> {
  const { turn, message } = ctx;
  const { settings, id: userId } = turn.user;
  if (!settings.autoBuy.on || message === undefined) return null;
  try {
    const refusal = await judged(deps, ctx, { text, mint, wallet });
    if ('quote' in refusal) {
      const { quote } = refusal;
      await runConfirmed(deps, ctx, (progress) =>
        deps.trade.confirmTrade({
          userId,
          walletId: wallet.id,
          idemKey: autoBuyKey(updateKey(ctx)),
          trade: confirmable(quote),
          progress,
        }),
      );
      return { bought: true, why: null };
    }
    return { bought: false, why: refusalLine(turn.words, turn.user.settings.autoBuy, refusal.why) };
  } catch (error) {
    // Nothing was written, or another message shows it: the card says why, with its buttons.
    if (!isAppError(error)) throw error;
    return { bought: false, why: turn.words.html('autobuy.not', { why: errorSentence(error, turn.words) }) };
  }
}

async function judged(
  deps: FeatureDeps,
  ctx: BotContext,
  { text, mint, wallet }: { readonly text: string; readonly mint: Address; readonly wallet: Wallet },
) {
  const { turn, message } = ctx;
  const { settings, id: userId } = turn.user;
  const { autoBuy } = settings;
  const isExact = exactMint(text) === mint;
  const isForwarded = message?.forward_origin !== undefined;
  if (!isExact || isForwarded) return { why: isForwarded ? 'forwarded' : 'not-exact' } as const;
  const [quote, lately] = await Promise.all([
    deps.trade.quoteTrade(
      tradeRequest({
        side: 'buy',
        wallet: wallet.address,
        mint,
        amount: { kind: 'exact', units: autoBuy.lamports },
        walletLamports: 0n,
        settings,
      }),
    ),
    deps.autoBuy.lately({ userId, mint }),
  ]);
  const params = tradeParams(confirmable(quote));
  const { reasons } = await deps.guard.whyPin({
    userId,
    walletId: wallet.id,
    address: wallet.address,
    params,
  });
  const why = judgeAutoBuy({
    ...lately,
    setting: autoBuy,
    isExact,
    isForwarded,
    isLate: await turn.isLate(),
    safety: quote.safety.level,
    impactBps: quote.terms.priceImpactBps,
    needsPin: reasons.length > 0,
  });
  return why === null ? { quote } : { why };
}

function refusalLine(
  words: Words,
  setting: { readonly maxImpactBps: number; readonly dayLamports: bigint },
  why: AutoBuyRefusal,
): Html {
  return words.html('autobuy.not', {
    why:
      why === 'impact'
        ? words.html('autobuy.why.impact', { max: percentText(setting.maxImpactBps) })
        : why === 'day'
          ? words.html('autobuy.why.day', { sol: solShort(setting.dayLamports) })
          : words.html(`autobuy.why.${why}`),
  });
}
