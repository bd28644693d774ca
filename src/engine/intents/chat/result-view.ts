import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { isUnfinished } from '../../../modules/mint/use/finish-token.ts';
import { type FiredOrder, orderDoneLines } from '../../../modules/orders/chat/done-lines.ts';
import { quickLabel } from '../../../modules/orders/chat/quick-label.ts';
import type { StandingExits } from '../../../modules/orders/use/standing-exits.ts';
import type { SaleProfit } from '../../../modules/positions/use/sale-profit.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, lines } from '../../../platform/telegram/ui/html.ts';
import {
  type ButtonSpec,
  copy,
  freshAct,
  freshNav,
  freshSells,
  keyboard,
  link,
} from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { durationText, utcClock, utcText } from '../../../platform/telegram/ui/time.ts';
import type { AgreedTrade } from '../kinds/kind.ts';
import { preparedOf, recipientOf, rulesOf, tradeOf } from '../kinds/rules.ts';
import { viewOf } from '../kinds/views.ts';
import type { Intent } from '../rules/intent.ts';
import { refusalSentence, type Standing } from './standing.ts';
import { buyAgainLabel } from './trade-lines.ts';

/** One of three buttons in a row, at 390 pixels. */
const BUY_WIDTH = 7.2;
/** One line with the words before it. */
const COPIED_WIDTH = 24;

/** Links that lead to a token that was just made. */
export type CreatedFacts = { readonly passportUrl: string | null; readonly shareUrl: string };

export type ResultFacts = {
  readonly intent: Intent;
  readonly standing: Standing;
  /** The traded or withdrawn token; null when it is SOL or cannot be read just now. */
  readonly token: Token | null;
  /** Null unless the intent made a token. */
  readonly created: CreatedFacts | null;
  /** The order that wanted it; null where a person did, and before it is done. */
  readonly fired: FiredOrder | null;
  /** The followed wallet whose trade it copies; null for any other. */
  readonly copied: string | null;
  /** A sale's proceeds over the cost of its units; null for an act that is no sale, and where that is not known. */
  readonly profit: SaleProfit | null;
  /** Whether a sale left nothing of the token. */
  readonly soldAll: boolean;
  /** Units that a sale left; null where that is not known. */
  readonly leftUnits: bigint | null;
  /** How long the sold units were held, in milliseconds; null where that is not known. */
  readonly heldMs: number | null;
  /** The orders that sell the wallet's units of the token by themselves, as they are now. */
  readonly exits: StandingExits;
  /** Millionths of a dollar per SOL now; null where it is not known, and where the act is no trade. */
  readonly microUsdPerSol: bigint | null;
  /** Whole percents of slippage with which a trade that the price failed would pass now; null where that is not known, or none failed so. */
  readonly allowPercent: number | null;
  /** Epoch milliseconds up to which a late attempt can land, about; null where that is over or not known. */
  readonly possibleUntil: number | null;
  /** Milliseconds from the confirm tap to the result, when known. */
  readonly tookMs: number | null;
  readonly explorerUrl: string;
  /** Names the state behind the buttons. */
  readonly stateId: string;
};

/** The progress message in every state of an intent: a pure function of the rows, so that repeats change nothing. */
export function resultView(words: Words, facts: ResultFacts): View {
  const preview = passportPreview(facts);
  const { fired, token } = facts;
  const order = fired === null || token === null ? null : orderDoneLines(words, fired, token);
  return {
    text: lines(
      order?.before ?? null,
      facts.copied !== null && words.html('result.copied', { label: fitted(facts.copied, COPIED_WIDTH) }),
      resultText(words, facts),
      facts.allowPercent !== null &&
        words.html('result.allow', { percent: figuresOf(words.language).percent(100 * facts.allowPercent) }),
      order?.after ?? null,
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

/** A mark on the end of an intent: it is in doubt, or it takes back an earlier message. */
function isMarked({ outcome }: Intent, mark: 'disputed' | 'corrected'): boolean {
  const details = outcome?.details;
  return typeof details === 'object' && details !== null && Reflect.get(details, mark) === true;
}

function sentText(
  words: Words,
  { possibleUntil }: ResultFacts,
  { signature, isLate }: Extract<Standing, { kind: 'sent' }>,
): Html {
  const named = { signature: code(shortAddress(signature)) };
  if (!isLate) return words.html('result.sent', named);
  if (possibleUntil === null) return words.html('result.sent_late', named);
  return words.html('result.sent_until', { ...named, time: `${utcClock(possibleUntil)} UTC` });
}

function resultText(words: Words, facts: ResultFacts): Html {
  const { standing, intent } = facts;
  switch (standing.kind) {
    case 'preparing':
      return words.html('result.preparing');
    case 'waiting':
      return waitingText(words, facts, standing.until);
    case 'sent':
      return sentText(words, facts, standing);
    case 'done':
      return doneText(words, facts, standing);
    case 'landed-error': {
      const fee = standing.feeLamports === null ? 'n/a' : solText(words, standing.feeLamports);
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
        return withUnfinished(
          words,
          intent,
          words.html(isUnfinished(intent) ? 'result.expired_half' : viewOf(intent.params.kind).expired),
        );
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

/** The remains of the first half of a creation whose second half failed. */
function withUnfinished(words: Words, intent: Intent, why: Html): Html {
  const { params } = intent;
  const prepared = isUnfinished(intent) ? preparedOf(params) : null;
  if (prepared === null) return why;
  const symbol = viewOf(params.kind).symbolOf?.(params) ?? '…';
  return lines(why, words.html('result.unfinished', { symbol, mint: code(prepared.mint) }));
}

/** The chain's reason on a creation, in words where they are known. */
function chainReason(words: Words, reason: string | null): Html {
  // The system program and both token programs number "too little" alike.
  if (reason !== null && /"Custom":1\}|InsufficientFunds/.test(reason)) return words.html('result.why_funds');
  return reason === null
    ? words.html('result.why_unknown')
    : words.html('result.why', { error: code(reason) });
}

function waitingText(words: Words, { intent, token }: ResultFacts, until: number): Html {
  const { params } = intent;
  const recipient = recipientOf(params);
  const amount = viewOf(params.kind).amountOf?.(words, params, token);
  if (recipient === null || amount === undefined) return words.html('result.preparing');
  return words.html('result.waiting', { at: utcText(until), address: code(recipient), amount });
}

function doneText(words: Words, facts: ResultFacts, done: Extract<Standing, { kind: 'done' }>): Html {
  const { params } = facts.intent;
  const state = done.final
    ? words.text('result.final')
    : facts.tookMs === null
      ? words.text('result.landed_only')
      : words.text('result.landed', { time: durationText(facts.tookMs, words.language) });
  return viewOf(params.kind).done(words, params, {
    state,
    final: done.final,
    receipt: done.receipt,
    token: facts.token,
    microUsdPerSol: facts.microUsdPerSol,
    profit: facts.profit,
    soldAll: facts.soldAll,
    leftUnits: facts.leftUnits,
    heldMs: facts.heldMs,
    exits: facts.exits,
  });
}

/** Buttons leave this message as it is: they open a new one. */
function resultButtons(
  words: Words,
  facts: ResultFacts,
): readonly (readonly (ButtonSpec | null | false)[] | false)[] {
  const { standing, stateId } = facts;
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
      return doneButtons(words, facts, standing.final, explorer(standing.signature));
    case 'landed-error':
      // One node's word: a person who buys again on it may have bought twice.
      if (!standing.final) return [[explorer(standing.signature), home]];
      return endButtons(words, facts, explorer(standing.signature), standing.priceMoved);
    case 'not-done':
    case 'cancelled':
      return endButtons(words, facts, null, false);
  }
}

function doneButtons(
  words: Words,
  facts: ResultFacts,
  final: boolean,
  explorer: ButtonSpec | null,
): readonly (readonly (ButtonSpec | null | false)[] | false)[] {
  const { intent, stateId } = facts;
  const trade = tradeOf(intent.params);
  const receipt = final && freshAct(words.text('btn.receipt'), 'receipt', 'show', stateId);
  if (trade !== null) return tradeButtons(words, facts, trade, [receipt, explorer]);
  return [
    [receipt, explorer],
    ...createdButtons(words, facts),
    // Written down with finality: before that the wizard would not know the token.
    final &&
      viewOf(intent.params.kind).leadsToRevoking === true && [
        freshAct(words.text('btn.revoke_wizard'), 'revoke', 'token', stateId),
      ],
    [freshNav(words.text('btn.home'), 'home', 'open')],
  ];
}

/** The next acts after a trade: its exits, a part of it to sell, the same again, and its result. */
function tradeButtons(
  words: Words,
  { standing, soldAll, stateId, exits }: ResultFacts,
  { side, amountIn }: AgreedTrade,
  [receipt, explorer]: readonly [ButtonSpec | false, ButtonSpec | null],
): readonly (readonly (ButtonSpec | null | false)[])[] {
  const figures = figuresOf(words.language);
  const holds = side === 'buy' || !(soldAll || closedAccount(standing));
  const final = standing.kind === 'done' && standing.final;
  const pnl = final && freshAct(words.text('btn.pnl_card'), 'positions', 'card', stateId);
  const isBuy = side === 'buy';
  return [
    isBuy
      ? [
          freshAct(quickLabel(words, 'STOP_LOSS', exits.stop), 'orders', 'quicksl', stateId),
          freshAct(quickLabel(words, 'TAKE_PROFIT', exits.take), 'orders', 'quicktp', stateId),
          freshAct(words.text('btn.exits'), 'orders', 'tpsl', stateId),
        ]
      : [],
    holds
      ? [
          ...[2_500, 5_000, 10_000].map((share, index) =>
            freshSells(figures.percent(share), 'trade', `sellpart-${index}`, stateId),
          ),
          freshSells(words.text('btn.other_percent'), 'trade', 'sellx', stateId),
        ]
      : [],
    [
      isBuy && freshAct(buyAgainLabel(words, amountIn, BUY_WIDTH), 'trade', 'again', stateId),
      freshAct(words.text('btn.trade_card'), 'trade', 'card', stateId),
      !isBuy && holds && freshAct(words.text('btn.tab_tpsl'), 'orders', 'tpsl', stateId),
      // Written down with finality: before that no position is known.
      pnl,
    ],
    [receipt, explorer, freshNav(words.text('btn.home'), 'home', 'open')],
  ];
}

/** A sale of everything closes the token's account: its deposit comes back. */
const closedAccount = (standing: Standing): boolean =>
  standing.kind === 'done' && (standing.receipt?.rentLamports ?? 0n) < 0n;

function endButtons(
  words: Words,
  { intent, stateId, allowPercent }: ResultFacts,
  explorer: ButtonSpec | null,
  priceMoved: boolean,
): readonly (readonly (ButtonSpec | null | false)[] | false)[] {
  return [
    allowPercent !== null && [allowButton(words, allowPercent, stateId)],
    isUnfinished(intent) && [freshAct(words.text('btn.finish_token'), 'create_token', 'finish', stateId)],
    [
      isTrade(intent) && freshAct(words.text('btn.new_quote'), 'trade', 'again', stateId),
      priceMoved && freshNav(words.text('btn.raise_slippage'), 'setting', 'slippage'),
    ],
    [explorer, freshNav(words.text('btn.home'), 'home', 'open')],
  ];
}

/** Leads to a new quote with this slippage, for that trade alone. */
function allowButton(words: Words, percent: number, stateId: string): ButtonSpec {
  const label = words.text('btn.allow_slippage', {
    percent: figuresOf(words.language).percent(100 * percent),
  });
  return freshAct(label, 'trade', `allow-${percent}`, stateId);
}

function createdButtons(
  words: Words,
  { created, intent, stateId }: ResultFacts,
): readonly (readonly (ButtonSpec | null | false)[])[] {
  const symbol = viewOf(intent.params.kind).symbolOf?.(intent.params);
  if (created === null || symbol === undefined) return [];
  const text = encodeURIComponent(words.text('create.share_text', { symbol }));
  return [
    [
      created.passportUrl !== null && link(words.text('btn.passport'), created.passportUrl),
      viewOf(intent.params.kind).isTraded === true
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

/** Creations of any kind: their fee is part of the transaction that makes the token. */
const isMint = ({ params }: Intent): boolean => rulesOf(params.kind).mintOf !== undefined;

const isTrade = ({ params }: Intent): boolean => tradeOf(params) !== null;
