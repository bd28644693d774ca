import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import { runConfirmed } from '../../../engine/intents/chat/run-confirmed.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { errorSentence } from '../../../platform/telegram/errors.ts';
import { authored } from '../../../platform/telegram/reading/authored.ts';
import { commandOf } from '../../../platform/telegram/reading/command-of.ts';
import { linkBehind } from '../../../platform/telegram/reading/said.ts';
import { percentText, solShort } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { type AutoBuyRefusal, autoBuyKey, exactMint, judgeAutoBuy } from '../../auto-buy/rules.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { confirmable, tradeParams } from '../use/trade-quote.ts';
import { updateKey } from './agreed.ts';
import { buyWithExits } from './buy-with-exits.ts';
import { tradeRequest } from './requests.ts';

/**
 * Buys a pasted token at once where its owner switched that on and nothing speaks against it. Null: nothing was tried, the card
 * is shown as ever. Else whether it bought, or why not, for the card. It takes the same way as a confirmed trade: switches, freeze,
 * caps and the PIN are judged once more where the intent is written, and the message is its key, so that it buys once.
 */
export async function tryAutoBuy(
  deps: FeatureDeps,
  ctx: BotContext,
  { mint, wallet }: { readonly mint: Address; readonly wallet: Wallet },
): Promise<{ readonly bought: boolean; readonly why: Html | null } | null> {
  const { turn, message } = ctx;
  const { settings, id: userId } = turn.user;
  if (!settings.autoBuy.on || message === undefined) return null;
  try {
    const refusal = await judged(deps, ctx, { mint, wallet });
    if ('quote' in refusal) {
      const { quote } = refusal;
      await runConfirmed(deps, ctx, (progress) =>
        buyWithExits(
          deps,
          { exits: settings.exits, settings, pin: 'window' },
          {
            userId,
            walletId: wallet.id,
            idemKey: autoBuyKey(updateKey(ctx)),
            trade: confirmable(quote),
            progress,
          },
        ),
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
  { mint, wallet }: { readonly mint: Address; readonly wallet: Wallet },
) {
  const { turn, message } = ctx;
  const { settings, id: userId } = turn.user;
  const { autoBuy } = settings;
  const isExact = exactMint(typedAlone(message)) === mint;
  const isBorrowed = message === undefined || !authored(message);
  if (!isExact || isBorrowed) return { why: isBorrowed ? 'borrowed' : 'not-exact' } as const;
  const way = await deps.trade.offerTip(settings.sending);
  if (way.kind === 'down') return { why: 'sending-down' } as const;
  const [quote, lately] = await Promise.all([
    deps.trade.quoteTrade(
      tradeRequest({
        side: 'buy',
        wallet: wallet.address,
        mint,
        amount: { kind: 'exact', units: autoBuy.lamports },
        walletLamports: 0n,
        settings,
        ...(way.kind === 'tip' ? { tip: way.tip } : {}),
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
    isBorrowed,
    isLate: await turn.isLate(),
    safety: quote.safety.level,
    impactBps: quote.terms.priceImpactBps,
    needsPin: reasons.length > 0,
  });
  return why === null ? { quote } : { why };
}

/**
 * The address as the person typed it, alone or behind /trade. Words under a picture, the target of a link, and the results of a search or a
 * start link do not count.
 */
function typedAlone(message: BotContext['message']): string {
  if (message?.text === undefined || linkBehind(message) !== null) return '';
  const command = commandOf(message);
  if (command === null) return message.text;
  return command.name === 'trade' ? command.rest : '';
}

function refusalLine(
  words: Words,
  setting: { readonly maxImpactBps: number; readonly dayLamports: bigint },
  why: AutoBuyRefusal,
): Html {
  return words.html('autobuy.not', {
    why:
      why === 'impact'
        ? words.html('autobuy.why.impact', { max: percentText(words, setting.maxImpactBps) })
        : why === 'day'
          ? words.html('autobuy.why.day', { sol: solShort(words, setting.dayLamports) })
          : words.html(`autobuy.why.${why}`),
  });
}
