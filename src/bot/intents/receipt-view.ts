import { bps } from '../../core/amounts/bps.ts';
import { assertNever } from '../../core/errors/assert-never.ts';
import type { Intent, LandedReceipt } from '../../core/intents/intent.ts';
import { middlesOfTerms, type TradeTerms } from '../../core/intents/params.ts';
import { displayName } from '../../core/tokens/display-name.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { Words } from '../locales/words.ts';
import { amountText, percentText, solText } from '../ui/amounts.ts';
import { code, type Html, html, lines } from '../ui/html.ts';
import { keyboard, link, nav } from '../ui/keyboard.ts';
import { routeText } from '../ui/route-text.ts';
import type { View } from '../ui/screen.ts';
import { utcText } from '../ui/time.ts';
import { profitLine, type ShownProfit } from './profit-line.ts';
import { saleProceeds, sentLamports, symbolText, tokenDelta, unitsText } from './result-view.ts';

/** Every lamport of a landed transaction. Numbers come from the chain's record; quoted ones are named as such. */
export function receiptView(
  words: Words,
  facts: {
    readonly intent: Intent;
    readonly receipt: LandedReceipt;
    /** Terms in force when it was signed. */
    readonly terms: TradeTerms | null;
    readonly token: Token | null;
    /** Tokens that the route passed through, as far as they are known. */
    readonly middles: readonly Token[];
    readonly explorerUrl: string;
    /** What a sale made; null for what is no sale, and where it is not known. */
    readonly profit: ShownProfit | null;
  },
): View {
  const { intent, receipt } = facts;
  return {
    text: lines(
      words.html('receipt.title', {
        receipt: code(intent.receipt),
        at: utcText(receipt.landedAt ?? intent.updatedAt),
      }),
      ...body(words, facts),
      facts.profit !== null && profitLine(words, facts.profit),
      words.html('receipt.fees', {
        base: solText(receipt.baseFeeLamports),
        priority: solText(receipt.priorityFeeLamports),
      }),
      receipt.rentLamports > 0n && words.html('receipt.rent', { rent: solText(receipt.rentLamports) }),
      receipt.rentLamports < 0n && words.html('receipt.rent_back', { rent: solText(-receipt.rentLamports) }),
      words.html('receipt.wallet_delta', { sol: solText(receipt.walletLamportsDelta) }),
      html``,
      words.html('receipt.signature', { signature: code(receipt.signature) }),
    ),
    keyboard: keyboard(
      [link(words.text('btn.explorer'), facts.explorerUrl.replace('{signature}', receipt.signature))],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

function body(
  words: Words,
  facts: {
    readonly intent: Intent;
    readonly receipt: LandedReceipt;
    readonly terms: TradeTerms | null;
    readonly token: Token | null;
    readonly middles: readonly Token[];
  },
): readonly Html[] {
  const { receipt, token } = facts;
  const { params } = facts.intent;
  switch (params.kind) {
    case 'buy': {
      const terms = facts.terms ?? params.terms;
      const received = tokenDelta(receipt, params.mint) ?? 0n;
      return [
        words.html('receipt.quoted', {
          quoted: unitsText(terms.quotedOut, token),
          minimum: unitsText(terms.minOut, token),
          received: unitsText(received, token),
          symbol: symbolText(token, params.mint),
        }),
        slippageLine(words, terms, received),
        words.html('receipt.buy_split', {
          total: solText(params.lamportsIn),
          swapped: solText(params.lamportsIn - receipt.platformFeeLamports),
          fee: solText(receipt.platformFeeLamports),
        }),
        ...discountLine(words, terms),
        words.html('receipt.route', { route: routeText(words, terms.route, facts.middles) }),
        ...leftOver(words, receipt, terms, facts.middles),
      ];
    }
    case 'sell': {
      const terms = facts.terms ?? params.terms;
      const received = saleProceeds(receipt) ?? 0n;
      return [
        words.html('receipt.quoted', {
          quoted: amountText(terms.quotedOut, 9),
          minimum: amountText(terms.minOut, 9),
          received: amountText(received, 9),
          symbol: 'SOL',
        }),
        slippageLine(words, terms, received),
        words.html('receipt.sell_split', {
          amount: unitsText(params.amountIn, token),
          symbol: symbolText(token, params.mint),
          fee: solText(receipt.platformFeeLamports),
        }),
        ...discountLine(words, terms),
        words.html('receipt.route', { route: routeText(words, terms.route, facts.middles) }),
        ...leftOver(words, receipt, terms, facts.middles),
      ];
    }
    case 'withdraw-sol':
      return [
        words.html('receipt.sent', {
          amount: solText(sentLamports(params.lamports, params.everything, receipt)),
          address: code(params.destination),
        }),
      ];
    case 'withdraw-token':
      return [
        words.html('receipt.sent', {
          amount: `${amountText(params.amount, params.decimals)} ${symbolText(token, params.mint)}`,
          address: code(params.destination),
        }),
      ];
    case 'prepare-token':
      return [
        words.html('receipt.prepared', {
          symbol: displayName(params.creation.spec.symbol) ?? '…',
          mint: receipt.createdMint === undefined ? '' : code(receipt.createdMint),
        }),
      ];
    case 'create-token':
    case 'launch':
      return [
        words.html(params.kind === 'launch' ? 'receipt.launched' : 'receipt.created', {
          symbol: displayName(params.spec.symbol) ?? '…',
          supply: amountText(params.spec.supply, params.spec.decimals),
          mint: receipt.createdMint === undefined ? '' : code(receipt.createdMint),
        }),
        words.html('receipt.platform_fee', { fee: solText(receipt.platformFeeLamports) }),
      ];
    case 'revoke-authority':
      return [
        words.html('receipt.revoked', {
          authority: words.text(`mint.authority.${params.authority}`),
          mint: code(params.mint),
        }),
      ];
    case 'payout':
      return [];
    default:
      return assertNever(params);
  }
}

function discountLine(words: Words, { feeDiscountBps }: TradeTerms): readonly Html[] {
  return feeDiscountBps === undefined
    ? []
    : [words.html('receipt.discount', { discount: percentText(feeDiscountBps) })];
}

/** What the chain says stayed in tokens that the route passed through. */
function leftOver(
  words: Words,
  { tokenDeltas }: LandedReceipt,
  terms: TradeTerms,
  middles: readonly Token[],
): readonly Html[] {
  const passed = middlesOfTerms(terms);
  return tokenDeltas
    .filter(({ mint, delta }) => passed.includes(mint) && delta > 0n)
    .map(({ mint, delta }) => {
      const token = middles.find((one) => one.mint === mint) ?? null;
      return words.html('receipt.left_over', {
        amount: unitsText(delta, token),
        symbol: symbolText(token, mint),
      });
    });
}

function slippageLine(words: Words, terms: TradeTerms, received: bigint): Html {
  return words.html('receipt.slippage', {
    used: percentText(slippageUsedBps(terms.quotedOut, received)),
    allowed: percentText(bps(terms.slippageBps)),
    impact: percentText(terms.priceImpactBps),
  });
}

/** How much less than quoted arrived, in bps rounded down; 0 when it was as much or more. */
function slippageUsedBps(quoted: bigint, received: bigint): number {
  return quoted <= 0n || received >= quoted ? 0 : Number(((quoted - received) * 10_000n) / quoted);
}
