import { shortAddress } from '../../core/address/address.ts';
import { assertNever } from '../../core/errors/assert-never.ts';
import type { Intent, LandedReceipt } from '../../core/intents/intent.ts';
import { displayName, displaySymbol } from '../../core/tokens/display-name.ts';
import type { Token } from '../../core/tokens/token.ts';
import { isUnfinished } from '../../services/mint/finish-token.ts';
import type { Words } from '../locales/words.ts';
import { amountText, percentText, shortTokenText, solShort, solText } from '../ui/amounts.ts';
import { code, type Html, html, lines } from '../ui/html.ts';
import { type ButtonSpec, copy, freshAct, freshNav, keyboard, link } from '../ui/keyboard.ts';
import type { View } from '../ui/screen.ts';
import { durationText, utcText } from '../ui/time.ts';
import { refusalSentence, type Standing } from './standing.ts';

/** Links that lead to a token that was just made. */
export type CreatedFacts = { readonly passportUrl: string | null; readonly shareUrl: string };

export type ResultFacts = {
  readonly intent: Intent;
  readonly standing: Standing;
  /** The traded or withdrawn token; null when it is SOL or cannot be read just now. */
  readonly token: Token | null;
  /** Null unless the intent made a token. */
  readonly created: CreatedFacts | null;
  /** Milliseconds from the confirm tap to the result, when known. */
  readonly tookMs: number | null;
  readonly explorerUrl: string;
  /** Names the state behind the buttons. */
  readonly stateId: string;
};

/** The progress message in every state of an intent: a pure function of the rows, so that repeats change nothing. */
export function resultView(words: Words, facts: ResultFacts): View {
  const preview = passportPreview(facts);
  return {
    text: lines(
      resultText(words, facts),
      isMarked(facts.intent, 'corrected') && words.html('result.corrected'),
    ),
    keyboard: keyboard(...resultButtons(words, facts)),
    ...(preview === null ? {} : { preview }),
  };
}

/** The token's card, picture and QR code, which its passport page names. Telegram keeps a page's first state: not before finality. */
function passportPreview({ standing, created }: ResultFacts): string | null {
  return standing.kind === 'done' && standing.final ? (created?.passportUrl ?? null) : null;
}

/** What the end of an intent says of itself: that it is in doubt, or that it takes back what was told before. */
function isMarked({ outcome }: Intent, mark: 'disputed' | 'corrected'): boolean {
  const details = outcome?.details;
  return typeof details === 'object' && details !== null && Reflect.get(details, mark) === true;
}

function resultText(words: Words, facts: ResultFacts): Html {
  const { standing, intent } = facts;
  switch (standing.kind) {
    case 'preparing':
      return words.html('result.preparing');
    case 'waiting':
      return waitingText(words, facts, standing.until);
    case 'sent':
      return words.html('result.sent', { signature: code(shortAddress(standing.signature)) });
    case 'done':
      return doneText(words, facts, standing);
    case 'landed-error': {
      const fee = standing.feeLamports === null ? 'n/a' : solText(standing.feeLamports);
      const why = withUnfinished(
        words,
        intent,
        isMint(intent) && !isUnfinished(intent) && !standing.priceMoved
          ? words.html('result.mint_refused', { sol: fee, why: chainReason(words, standing.reason) })
          : words.html(standing.priceMoved ? 'result.moved' : 'result.refused_on_chain', { sol: fee }),
      );
      return lines(why, !standing.final && words.html('result.not_final'));
    }
    case 'not-done':
      if (standing.code === null) {
        return withUnfinished(words, intent, words.html(expiredKey(intent)));
      }
      return withUnfinished(
        words,
        intent,
        words.html('result.not_done', { why: refusalSentence(words, standing.code, standing.details) }),
      );
    case 'cancelled':
      return words.html('result.cancelled');
    case 'unknown':
      return words.html(isMarked(intent, 'disputed') ? 'result.disputed' : 'result.unknown');
  }
}

/** What the first half of a creation left behind, where the second came to nothing. */
function withUnfinished(words: Words, intent: Intent, why: Html): Html {
  const { params } = intent;
  if (!isUnfinished(intent) || params.kind !== 'create-token' || params.prepared === undefined) return why;
  return lines(
    why,
    words.html('result.unfinished', {
      symbol: displayName(params.spec.symbol) ?? '…',
      mint: code(params.prepared.mint),
    }),
  );
}

/** What the chain said of a creation, in words where they are known. */
function chainReason(words: Words, reason: string | null): Html {
  // The system program and both token programs number "too little" alike.
  if (reason !== null && /"Custom":1\}|InsufficientFunds/.test(reason)) return words.html('result.why_funds');
  return reason === null
    ? words.html('result.why_unknown')
    : words.html('result.why', { error: code(reason) });
}

function waitingText(words: Words, { intent, token }: ResultFacts, until: number): Html {
  const { params } = intent;
  if (params.kind !== 'withdraw-sol' && params.kind !== 'withdraw-token')
    return words.html('result.preparing');
  return words.html('result.waiting', {
    at: utcText(until),
    address: code(params.destination),
    amount:
      params.kind === 'withdraw-sol'
        ? solText(params.lamports)
        : `${amountText(params.amount, params.decimals)} ${symbolText(token, params.mint)}`,
  });
}

function doneText(words: Words, facts: ResultFacts, done: Extract<Standing, { kind: 'done' }>): Html {
  const { intent, token } = facts;
  const { params } = intent;
  const state = done.final
    ? words.text('result.final')
    : facts.tookMs === null
      ? words.text('result.landed_only')
      : words.text('result.landed', { time: durationText(facts.tookMs) });
  // What a first half took belongs to the one creation that the person asked for.
  const earlier = params.kind === 'create-token' ? params.prepared : undefined;
  switch (params.kind) {
    case 'buy':
      return lines(
        words.html('result.bought', {
          amount: shortUnits(tokenDelta(done.receipt, params.mint) ?? params.terms.quotedOut, token),
          symbol: symbolText(token, params.mint),
          sol: solText(params.lamportsIn),
          state,
        }),
        done.receipt !== null &&
          words.html('result.trade_costs', {
            sol: solText(done.receipt.feeLamports + done.receipt.rentLamports),
          }),
      );
    case 'sell':
      return lines(
        words.html('result.sold', {
          amount: shortUnits(params.amountIn, token),
          symbol: symbolText(token, params.mint),
          sol: solShort(saleProceeds(done.receipt) ?? params.terms.quotedOut),
          state,
        }),
        done.receipt !== null &&
          words.html('result.network_costs', { sol: solText(done.receipt.feeLamports) }),
      );
    case 'withdraw-sol':
      return lines(
        words.html('result.withdrew', {
          amount: solText(sentLamports(params.lamports, params.everything, done.receipt)),
          address: code(params.destination),
          state,
        }),
        done.receipt !== null &&
          words.html('result.network_costs', { sol: solText(done.receipt.feeLamports) }),
      );
    case 'withdraw-token':
      return lines(
        words.html('result.withdrew', {
          amount: `${amountText(params.amount, params.decimals)} ${symbolText(token, params.mint)}`,
          address: code(params.destination),
          state,
        }),
        done.receipt !== null &&
          words.html('result.trade_costs', {
            sol: solText(done.receipt.feeLamports + done.receipt.rentLamports),
          }),
      );
    case 'prepare-token':
      return words.html('result.prepared', { symbol: displayName(params.creation.spec.symbol) ?? '…' });
    case 'create-token':
    case 'launch':
      return lines(
        words.html(params.kind === 'launch' ? 'result.launched' : 'result.created', {
          symbol: displayName(params.spec.symbol) ?? '…',
          name: displayName(params.spec.name) ?? '…',
          state,
          mint: done.receipt?.createdMint === undefined ? '' : code(done.receipt.createdMint),
        }),
        params.kind === 'launch' &&
          params.firstBuy !== null &&
          words.html('result.first_buy', {
            amount: amountText(
              tokenDelta(done.receipt, done.receipt?.createdMint ?? '') ?? params.firstBuy.quotedTokens,
              params.spec.decimals,
            ),
            symbol: displayName(params.spec.symbol) ?? '…',
            sol: solText(params.firstBuy.lamports),
          }),
        done.receipt !== null &&
          words.html('result.creation_costs', {
            rent: solText(done.receipt.rentLamports + (earlier?.rentLamports ?? 0n)),
            fee: solText(done.receipt.feeLamports + (earlier?.feeLamports ?? 0n)),
            platform: solText(done.receipt.platformFeeLamports),
          }),
      );
    case 'revoke-authority':
      return words.html('result.revoked', {
        authority: words.text(`mint.authority.${params.authority}`),
        mint: code(params.mint),
        state,
      });
    case 'payout':
      return html`${state}`;
    default:
      return assertNever(params);
  }
}

/** Buttons leave this message as it is: what they open is a new one. */
function resultButtons(
  words: Words,
  facts: ResultFacts,
): readonly (readonly (ButtonSpec | null | false)[] | false)[] {
  const { standing, intent, stateId } = facts;
  const trade = isTrade(intent);
  const home = freshNav(words.text('btn.home'), 'home', 'open');
  const explorer = (signature: string): ButtonSpec | null =>
    signature === ''
      ? null
      : link(words.text('btn.explorer'), facts.explorerUrl.replace('{signature}', signature));
  const check = freshAct(words.text('btn.check_now'), 'receipt', 'show', stateId);
  switch (standing.kind) {
    case 'preparing':
      return [];
    case 'waiting':
      return [
        [freshAct(words.text('btn.cancel_withdrawal'), 'withdraw', 'stop', stateId)],
        [freshAct(words.text('btn.block_freeze'), 'address_book', 'block', stateId)],
      ];
    case 'sent':
      return [[explorer(standing.signature)]];
    case 'unknown':
      return [[check, standing.signature === null ? null : explorer(standing.signature)]];
    case 'done':
      return [
        [
          standing.final && freshAct(words.text('btn.receipt'), 'receipt', 'show', stateId),
          explorer(standing.signature),
        ],
        intent.params.kind === 'buy'
          ? [2_500, 5_000, 10_000].map((share, index) =>
              freshAct(
                words.text('btn.sell_percent', { percent: percentText(share) }),
                'trade',
                `sellpart-${index}`,
                stateId,
              ),
            )
          : [],
        ...createdButtons(words, facts),
        // Written down with finality: before that the wizard would not know the token.
        standing.final &&
          (intent.params.kind === 'create-token' || intent.params.kind === 'revoke-authority') && [
            freshAct(words.text('btn.revoke_wizard'), 'revoke', 'token', stateId),
          ],
        [
          intent.params.kind === 'buy' && freshAct(words.text('btn.buy_again'), 'trade', 'again', stateId),
          trade && freshAct(words.text('btn.trade_card'), 'trade', 'card', stateId),
          home,
        ],
      ];
    case 'landed-error':
      // One node's word: whoever buys again on it may have bought twice.
      if (!standing.final) return [[explorer(standing.signature), home]];
      return endButtons(words, facts, explorer(standing.signature), standing.priceMoved);
    case 'not-done':
    case 'cancelled':
      return endButtons(words, facts, null, false);
  }
}

function endButtons(
  words: Words,
  { intent, stateId }: ResultFacts,
  explorer: ButtonSpec | null,
  priceMoved: boolean,
): readonly (readonly (ButtonSpec | null | false)[] | false)[] {
  return [
    isUnfinished(intent) && [freshAct(words.text('btn.finish_token'), 'create_token', 'finish', stateId)],
    [
      isTrade(intent) && freshAct(words.text('btn.new_quote'), 'trade', 'again', stateId),
      priceMoved && freshNav(words.text('btn.raise_slippage'), 'setting', 'open'),
    ],
    [explorer, freshNav(words.text('btn.home'), 'home', 'open')],
  ];
}

function createdButtons(
  words: Words,
  { created, intent, stateId }: ResultFacts,
): readonly (readonly (ButtonSpec | null | false)[])[] {
  if (created === null || !('spec' in intent.params)) return [];
  const symbol = displayName(intent.params.spec.symbol) ?? '…';
  const text = encodeURIComponent(words.text('create.share_text', { symbol }));
  return [
    [
      created.passportUrl !== null && link(words.text('btn.passport'), created.passportUrl),
      intent.params.kind === 'launch'
        ? freshAct(words.text('btn.trade'), 'trade', 'card', stateId)
        : freshAct(words.text('btn.make_tradable'), 'create_token', 'market', stateId),
    ],
    [
      link(
        words.text('btn.share'),
        `https://t.me/share/url?url=${encodeURIComponent(created.shareUrl)}&text=${text}`,
      ),
      copy(words.text('btn.copy_link'), created.shareUrl),
    ],
  ];
}

function expiredKey(
  intent: Intent,
): 'result.expired_trade' | 'result.expired_half' | 'result.expired_token' | 'result.expired_withdrawal' {
  if (isTrade(intent)) return 'result.expired_trade';
  if (isUnfinished(intent)) return 'result.expired_half';
  const { kind } = intent.params;
  return kind === 'prepare-token' ||
    kind === 'create-token' ||
    kind === 'revoke-authority' ||
    kind === 'launch'
    ? 'result.expired_token'
    : 'result.expired_withdrawal';
}

/** Creations of any kind: their fee is part of the transaction that makes the token. */
function isMint({ params }: Intent): boolean {
  return params.kind === 'prepare-token' || params.kind === 'create-token' || params.kind === 'launch';
}

const isTrade = (intent: Intent): boolean => intent.params.kind === 'buy' || intent.params.kind === 'sell';

export function tokenDelta(receipt: LandedReceipt | null, mint: string): bigint | null {
  return receipt?.tokenDeltas.find((delta) => delta.mint === mint)?.delta ?? null;
}

/** What the sale brought, net of the platform fee: the wallet's change with the network's part put back. */
export function saleProceeds(receipt: LandedReceipt | null): bigint | null {
  return receipt === null ? null : receipt.walletLamportsDelta + receipt.feeLamports + receipt.rentLamports;
}

/** For a withdrawal of everything the amount is known only when it landed. */
export function sentLamports(agreed: bigint, everything: boolean, receipt: LandedReceipt | null): bigint {
  return everything && receipt !== null ? -receipt.walletLamportsDelta - receipt.feeLamports : agreed;
}

export const unitsText = (units: bigint, token: Token | null): string =>
  token === null ? `${units} units of` : amountText(units, token.decimals);

/** For reading; the receipt has every unit. */
const shortUnits = (units: bigint, token: Token | null): string =>
  token === null ? unitsText(units, token) : shortTokenText(units, token.decimals);

export const symbolText = (token: Token | null, mint: string): string =>
  token === null ? shortAddress(mint) : displaySymbol(token);
