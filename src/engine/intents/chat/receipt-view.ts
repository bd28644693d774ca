import type { Words } from '../../../compose/texts/words.ts';
import type { Sandwich } from '../../../modules/trading/rules/sandwich.ts';
import { percentText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, link, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { tipOf } from '../kinds/rules.ts';
import { viewOf } from '../kinds/views.ts';
import type { Intent } from '../rules/intent.ts';
import type { ReceiptFacts } from './kind-view.ts';
import { profitLine, type ShownProfit } from './profit-line.ts';
import { senderName } from './sender-name.ts';

/** Every lamport of a landed transaction. Numbers come from the chain's record; quoted ones are named as such. */
export function receiptView(
  words: Words,
  facts: ReceiptFacts & {
    readonly intent: Intent;
    readonly explorerUrl: string;
    /** Leads back to the result; null where the receipt was not opened from there. */
    readonly stateId: string | null;
    /** A sale's profit; null for an act that is no sale, and where it is not known. */
    readonly profit: ShownProfit | null;
    /** What the tape shows around it, a minute after it landed; null where that is nothing. */
    readonly sandwich: Sandwich | null;
  },
): View {
  const { intent, receipt } = facts;
  return {
    text: lines(
      words.html('receipt.title', {
        receipt: code(intent.receipt),
        at: utcText(receipt.landedAt ?? intent.updatedAt),
      }),
      ...viewOf(intent.params.kind).receipt(words, intent.params, facts),
      facts.profit !== null && profitLine(words, facts.profit),
      facts.sandwich !== null && sandwichLine(words, facts.sandwich),
      words.html('receipt.fees', {
        base: solText(words, receipt.baseFeeLamports),
        priority: solText(words, receipt.priorityFeeLamports),
      }),
      receipt.tipLamports !== undefined &&
        words.html('receipt.tip', {
          sol: solText(words, receipt.tipLamports),
          sender: senderName(tipOf(intent.params)?.sender),
        }),
      receipt.rentLamports > 0n && words.html('receipt.rent', { rent: solText(words, receipt.rentLamports) }),
      receipt.rentLamports < 0n &&
        words.html('receipt.rent_back', { rent: solText(words, -receipt.rentLamports) }),
      words.html('receipt.wallet_delta', { sol: solText(words, receipt.walletLamportsDelta) }),
      html``,
      words.html('receipt.signature', { signature: code(receipt.signature) }),
    ),
    keyboard: keyboard(
      [link(words.text('btn.explorer'), facts.explorerUrl.replace('{signature}', receipt.signature))],
      [
        facts.stateId !== null && act(words.text('btn.back'), 'receipt', 'result', facts.stateId),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

function sandwichLine(words: Words, { certainty, front, costBps }: Sandwich): Html {
  return words.html(`receipt.sandwich_${certainty}_${front.side}`, { percent: percentText(words, costBps) });
}
