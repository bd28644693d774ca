import { isAddress, SOL_DECIMALS, WSOL_MINT } from '@tradepost/solana';
import type { Words } from '../../compose/texts/words.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import type { ErrorCode, ErrorDetails } from '../../core/errors/codes.ts';
import { marksOf } from '../../core/text/figures.ts';
import type { MetadataFault } from '../../modules/mint/rules/token-document.ts';
import { refusalText } from '../../modules/orders/chat/refusal-text.ts';
import { pinReasonText } from '../../modules/tokens/chat/pin-reason-text.ts';
import { fieldText, problemSentence } from '../../modules/tokens/chat/token-sentences.ts';
import { displayName } from '../../modules/tokens/rules/display-name.ts';
import { WALLET_GRACE_DAYS } from '../../modules/wallets/rules/wallet.ts';
import { percentText, typableSol, typableText } from './ui/amounts.ts';
import { code, type Html, html } from './ui/html.ts';
import { type ButtonSpec, keyboard, nav } from './ui/keyboard.ts';
import { pauseText } from './ui/pause-text.ts';
import type { View } from './ui/screen.ts';
import { intervalText, utcText } from './ui/time.ts';
import { typableTokenText } from './ui/token-amounts.ts';
import { tokensText } from './ui/tokens-text.ts';

type Sentences = { readonly [C in ErrorCode]: (details: ErrorDetails[C], words: Words) => Html };

const AMOUNT_REASONS = {
  'not-a-number': 'err.amount_nan',
  'too-large': 'err.amount_large',
} as const;

const PICTURE_REASONS = {
  format: 'err.picture_format',
  broken: 'err.picture_broken',
  pixels: 'err.picture_pixels',
} as const;

const RECIPIENT_WORDS = {
  'other-owner': 'err.recipient_other_owner',
  frozen: 'err.recipient_frozen',
  'frozen-when-made': 'err.recipient_frozen_new',
  'needs-memo': 'err.recipient_memo',
  'private-only': 'err.recipient_private',
} as const;
const METADATA_FAULTS = {
  TOO_LONG: 'err.meta_long',
  NOT_A_LINK: 'err.meta_link',
  TOO_MANY: 'err.meta_many',
  CONTROL_CHARACTER: 'err.meta_control',
} as const;

/** Every code has its sentence, or this does not compile: the fault, and the next step. */
const MAIL_REFUSALS = {
  shape: 'notice_mail.err_shape',
  same: 'notice_mail.err_same',
  'no-server': 'notice_mail.err_no-server',
} as const;

const SENTENCES: Sentences = {
  ADDRESS_INVALID: ({ given }, w) => w.html('err.address', { given: shown(given) }),
  AMOUNT_INVALID: ({ given, reason, decimals }, w) => {
    if (reason === 'negative') return w.html('err.amount_negative');
    if (reason === 'zero') return w.html('err.amount_zero');
    if (reason === 'ambiguous')
      return w.html('err.amount_ambiguous', {
        given: shown(given),
        whole: shown(given.replace(',', '')),
        // `1.500` is a thousand and a half in Spanish: there a fourth digit tells them apart.
        point: shown(marksOf(w.language).point === ',' ? `${given}0` : given.replace(',', '.')),
      });
    if (reason === 'too-many-decimals')
      return w.html('err.amount_decimals', { given: shown(given), decimals });
    if (reason === 'too-large' && given.endsWith('%'))
      return w.html('err.percent_large', { given: shown(given) });
    return w.html(AMOUNT_REASONS[reason], { given: shown(given) });
  },
  TEXT_INVALID: ({ minLength, maxLength }, w) => w.html('err.text', { min: minLength, max: maxLength }),
  BPS_OUT_OF_RANGE: ({ field, min, max }, w) => w.html('err.bps', { field, min, max }),
  USER_NOT_FOUND: (_details, w) => w.html('err.user'),
  NOT_OPERATOR: (_details, w) => w.html('err.not_operator'),
  WALLET_REQUIRED: (_details, w) => w.html('err.wallet_required'),
  WALLET_NOT_FOUND: (_details, w) => w.html('err.wallet_not_found'),
  WALLET_LIMIT_REACHED: ({ max }, w) => w.html('err.wallet_limit', { max }),
  WALLET_NAME_TAKEN: ({ name }, w) => w.html('err.wallet_name', { name: shown(name) }),
  NAME_RESERVED: ({ name, like, reason }, w) =>
    w.html(`err.name_reserved_${reason}`, { name: shown(name), like: shown(like), days: WALLET_GRACE_DAYS }),
  WALLET_NOT_EMPTY: ({ name, lamports, tokens }, w) =>
    w.html('err.wallet_not_empty', {
      name: shown(name),
      sol: typableSol(w, lamports),
      tokens: tokensText(w, tokens),
    }),
  WALLET_IN_USE: ({ name, openIntents }, w) =>
    openIntents === 0
      ? w.html('err.wallet_active', { name: shown(name) })
      : w.html('err.wallet_busy', { name: shown(name), count: openIntents }),
  INSUFFICIENT_LAMPORTS: ({ needed, available, amount, fees, most = 0n }, w) => {
    const sentence = w.html('err.lamports', {
      needed: typableSol(w, needed),
      available: typableSol(w, available),
      amount: typableText(w, amount, SOL_DECIMALS),
      fees: typableText(w, fees, SOL_DECIMALS),
    });
    return most > 0n ? html`${sentence} ${w.html('err.most', { most: typableSol(w, most) })}` : sentence;
  },
  INSUFFICIENT_TOKENS: ({ needed, available, together, ...token }, w) =>
    w.html(together === undefined ? 'err.tokens' : 'err.tokens_apart', {
      needed: typableTokenText(w, needed, token),
      available: typableTokenText(w, available, token),
      together: typableTokenText(w, together ?? available, token),
    }),
  RENT_REMAINDER: ({ left, minimum, maxAmount }, w) =>
    w.html(maxAmount === undefined ? 'err.rent_deposit' : maxAmount > 0n ? 'err.rent_left' : 'err.rent_all', {
      left: typableSol(w, left),
      minimum: typableSol(w, minimum),
      max_amount: typableSol(w, maxAmount ?? 0n),
      missing: typableSol(w, minimum - left),
    }),
  RECIPIENT_BELOW_RENT: ({ minimum, wouldHold }, w) =>
    w.html('err.rent_recipient', { would_hold: typableSol(w, wouldHold), minimum: typableSol(w, minimum) }),
  RECIPIENT_IS_SELF: (_details, w) => w.html('err.self'),
  RECIPIENT_IS_MINT: (_details, w) => w.html('err.is_mint'),
  RECIPIENT_IS_TOKEN_ACCOUNT: ({ owner }, w) => w.html('err.is_token_account', { owner: code(owner) }),
  RECIPIENT_IS_PROGRAM: (_details, w) => w.html('err.is_program'),
  RECIPIENT_OFF_CURVE: (_details, w) => w.html('err.off_curve'),
  RECIPIENT_ACCOUNT_REFUSES: ({ reason }, w) => w.html(RECIPIENT_WORDS[reason]),
  TOKEN_NOT_FOUND: ({ address }, w) => {
    const name = isAddress(address) ? null : displayName(address);
    return name === null ? w.html('err.token_not_found') : w.html('err.token_unnamed', { text: name });
  },
  TOKEN_ACCOUNT_NOT_MINT: ({ mint }, w) => w.html('err.token_account_not_mint', { mint: code(mint) }),
  TOKEN_NOT_TRANSFERABLE: ({ reason }, w) => w.html(`err.token_${reason ?? 'forbidden'}`),
  SAME_TOKEN: (_details, w) => w.html('err.same_token'),
  NO_ROUTE: (_details, w) => w.html('err.no_route'),
  SEARCHING: (_details, w) => w.html('err.searching'),
  VENUES_UNREACHABLE: ({ venues }, w) =>
    w.html('err.venues_unreachable', { venues: venues.map(keyName).join(', ') }),
  INSUFFICIENT_LIQUIDITY: (_details, w) => w.html('err.liquidity'),
  AMOUNT_ABOVE_DEPTH: ({ maximum, mint }, w) =>
    mint === WSOL_MINT
      ? w.html('err.above_depth', { maximum: typableSol(w, maximum) })
      : w.html('err.liquidity'),
  ROUTE_TOO_LARGE: (_details, w) => w.html('err.route_too_large'),
  AMOUNT_DUST: ({ minimum, mint }, w) =>
    minimum === null || (mint !== undefined && mint !== WSOL_MINT)
      ? w.html('err.dust')
      : w.html('err.dust_minimum', { minimum: typableSol(w, minimum) }),
  PRICE_IMPACT_TOO_HIGH: ({ impactBps, maxBps }, w) =>
    w.html('err.impact', { impact: percentText(w, impactBps), max: percentText(w, maxBps) }),
  PRICE_MOVED: (_details, w) => w.html('err.moved'),
  SIMULATION_FAILED: (_details, w) => w.html('err.simulation'),
  POLICY_DENIED: ({ rule }, w) => w.html('err.policy', { rule: code(keyName(rule)) }),
  SIGNING_PAUSED: (_details, w) => w.html('err.paused'),
  PAUSED: (pause, w) => w.html('err.switched_off', { pause: pauseText(w, pause) }),
  PIN_REQUIRED: (_details, w) => w.html('err.pin_required'),
  PIN_UNSUITABLE: ({ reason }, w) => w.html(`err.pin_${reason}`),
  PIN_WRONG: ({ triesLeft, withCode }, w) =>
    w.html(withCode ? 'err.factors_wrong' : 'err.pin_wrong', { left: triesLeft }),
  TRADE_PIN: (details, w) => w.html('err.trade_pin', { why: pinReasonText(w, details) }),
  PIN_TOO_NEW: ({ until }, w) => w.html('err.pin_new', { until: utcText(until) }),
  PIN_LOCKED: ({ until }, w) => w.html('err.pin_locked', { until: utcText(until) }),
  EXPORT_WAITS: (details, w) =>
    details.why === 'over'
      ? w.html('err.export_over')
      : w.html(`err.export_${details.why}`, { until: utcText(details.until) }),
  ACCOUNT_FROZEN: ({ until }, w) =>
    until === null ? w.html('err.frozen') : w.html('err.frozen_until', { until: utcText(until) }),
  ADDRESS_NOT_READY: ({ until }, w) =>
    until === null ? w.html('err.address_gone') : w.html('err.address_not_ready', { until: utcText(until) }),
  ADDRESS_BOOK_FULL: ({ max }, w) => w.html('err.address_book_full', { max }),
  DAILY_CAP: ({ needed, available, cap }, w) =>
    w.html('err.daily_cap', {
      needed: typableSol(w, needed),
      available: typableSol(w, available),
      cap: typableSol(w, cap),
    }),
  UNPRICED_TOKEN: (_details, w) => w.html('err.unpriced'),
  SPENDING_LIMIT: ({ needed, available, cap, of }, w) =>
    w.html(`err.spending_limit_${of}`, {
      needed: typableSol(w, needed),
      available: typableSol(w, available),
      cap: typableSol(w, cap),
    }),
  DAILY_COUNT: ({ max }, w) => w.html('err.daily_count', { max }),
  ACT_LIMIT: ({ max, spanMs, until }, w) =>
    w.html('err.act_limit', { max, time: intervalText(spanMs / 60_000), until: utcText(until) }),
  NOTICE_MAIL_REFUSED: ({ reason }, w) => w.html(MAIL_REFUSALS[reason]),
  KEY_UNREADABLE: (_details, w) => w.html('err.key_unreadable'),
  WALLET_KNOWN: (_details, w) => w.html('err.wallet_known'),
  BACKUP_UNREADABLE: ({ reason }, w) =>
    w.html(reason === 'format' ? 'err.backup_format' : 'err.backup_passphrase'),
  PASSPHRASE_UNSUITABLE: ({ minLength, maxLength }, w) =>
    w.html('err.passphrase', { min: minLength, max: maxLength }),
  // In the chat each step is checked on its own, so the first problem is the one.
  TOKEN_REQUEST_INVALID: ({ problems: [problem] }, w) =>
    problem === undefined ? w.html('error.unexpected') : problemSentence(problem, w),
  MINT_FILLED: (_details, w) => w.html('mint.err.filled'),
  NOTHING_TO_CLEAN_UP: (_details, w) => w.html('cleanup.nothing'),
  FROZEN_FOR_EVER: (_details, w) => w.html('mint.err.frozen_for_ever'),
  AUTHORITY_GONE: (_details, w) => w.html('mint.err.gone'),
  METADATA_INVALID: ({ faults }, w) => metadataSentence(faults, w),
  PUBLIC_URL_UNKNOWN: (_details, w) => w.html('err.public_url'),
  LAUNCH_TOO_LARGE: ({ pad, hasFirstBuy, maxUriBytes }, w) =>
    w.html(hasFirstBuy ? 'launch.err.large_buy' : 'launch.err.large', { pad, bytes: String(maxUriBytes) }),
  LAUNCHPAD_UNAVAILABLE: (_details, w) => w.html('err.launchpad'),
  METADATA_STORE_FULL: (_details, w) => w.html('err.metadata_full'),
  PINNING_FAILED: (_details, w) => w.html('err.pinning'),
  PICTURE_UNREADABLE: ({ reason }, w) => w.html(PICTURE_REASONS[reason]),
  PICTURE_TOO_LARGE: ({ maxBytes }, w) =>
    w.html('err.picture_large', { max: Math.floor(maxBytes / 1_000_000) }),
  INTENT_NOT_FOUND: (_details, w) => w.html('err.intent'),
  ORDER_REFUSED: (refusal, w) => refusalText(w, refusal),
  ALERT_REFUSED: ({ max }, w) => w.html('alert.refused.too_many', { max }),
  ALERT_NOT_FOUND: (_details, w) => w.html('err.alert_not_found'),
  FOLLOW_REFUSED: ({ kind, max }, w) =>
    kind === 'too-many' ? w.html('follow.refused.too-many', { max }) : w.html(`follow.refused.${kind}`),
  FOLLOW_NOT_FOUND: (_details, w) => w.html('err.follow_not_found'),
  SIGNAL_REFUSED: (refusal, w) => signalText(refusal, w),
  FILTER_INVALID: ({ given }, w) => w.html('err.filter_invalid', { given: shown(given) }),
  GROUP_NOT_YOURS: (_details, w) => w.html('err.group_not_yours'),
  COPY_REFUSED: ({ kind }, w) => w.html(`copy.refused.${kind}`),
  PERSONAL_KEY_REFUSED: ({ kind }, w) => w.html(`pkey.refused.${kind}`),
  PERSONAL_KEY_NOT_FOUND: (_details, w) => w.html('pkey.not_found'),
  KEY_REQUEST_REFUSED: (_details, w) => w.html('pkey.request_refused'),
  ORDER_NOT_FOUND: (_details, w) => w.html('err.order_not_found'),
  ORDER_NOT_CHANGEABLE: ({ number, status }, w) =>
    w.html('err.order_unchangeable', { number, status: w.html(`order.status.${status}`) }),
  BUTTON_STALE: (_details, w) => w.html('err.stale'),
  REFERRAL_REQUIRED: (_details, w) => w.html('err.referral'),
  REFERRAL_CODE_REFUSED: ({ reason }, w) => w.html(`err.code_${reason}`),
  REFERRAL_CODE_VOUCHER: (_details, w) => w.html('err.code_voucher'),
  POINTS_SHORT: ({ needed, available }, w) =>
    w.html('err.points_short', {
      needed: typableText(w, needed, 0),
      available: typableText(w, available, 0),
    }),
  OFFER_CHANGED: (_details, w) => w.html('err.offer_changed'),
  SOLD_OUT: (_details, w) => w.html('err.sold_out'),
  SHOP_LIMIT: ({ max }, w) => w.html('err.shop_limit', { max }),
  SHOP_NEEDS_TRADE: (_details, w) => w.html('err.shop_trade'),
  STAKE_INVALID: ({ min, max, step }, w) =>
    min === max
      ? w.html('err.stake_fixed', { points: typableText(w, min, 0) })
      : w.html('err.stake', {
          min: typableText(w, min, 0),
          max: typableText(w, max, 0),
          step: typableText(w, step, 0),
        }),
  STAKES_USED_UP: ({ left, max }, w) =>
    w.html('err.stakes_used', {
      left: typableText(w, left < 0n ? 0n : left, 0),
      max: typableText(w, max, 0),
    }),
  CONVERT_CLOSED: (_details, w) => w.html('err.convert_closed'),
  CONVERT_MINIMUM: ({ min }, w) => w.html('err.convert_minimum', { min: typableText(w, min, 0) }),
  MISSION_UNKNOWN: (_details, w) => w.html('err.mission_unknown'),
  MISSION_UNDONE: ({ progress, target }, w) => w.html('err.mission_undone', { progress, target }),
  CHAIN_UNREACHABLE: (_details, w) => w.html('err.chain'),
  SEND_UNKNOWN: (_details, w) => w.html('err.send_unknown'),
  DATABASE_UNREACHABLE: (_details, w) => w.html('err.storage'),
  DATABASE_REPLICA_ASYNC: (_details, w) => w.html('err.storage'),
  COMMIT_NOT_REPLICATED: (_details, w) => w.html('err.storage'),
  DATABASE_FULL: (_details, w) => w.html('err.no_orders'),
  DATABASE_BUSY: (_details, w) => w.html('err.no_orders'),
  DATABASE_READ_ONLY: (_details, w) => w.html('err.no_orders'),
  CLOCK_OFF: (_details, w) => w.html('err.no_orders'),
  QUEUE_UNREACHABLE: (_details, w) => w.html('err.storage'),
  KEK_UNAVAILABLE: (_details, w) => w.html('err.keys'),
  SIGNER_UNAVAILABLE: (_details, w) => w.html('err.keys'),
  SECRET_UNREADABLE: (_details, w) => w.html('err.keys'),
  JOURNAL_FULL: (_details, w) => w.html('err.journal'),
  JOURNAL_TAKEN: (_details, w) => w.html('err.journal'),
  JOURNAL_BROKEN: (_details, w) => w.html('err.journal'),
  JOURNAL_BEHIND: (_details, w) => w.html('err.journal'),
  JOURNAL_MISSING: (_details, w) => w.html('err.journal'),
  DATABASE_FORGETFUL: (_details, w) => w.html('err.storage'),
  SIGNING_FENCED: (_details, w) => w.html('err.fenced'),
  ATTEMPT_UNDECIDED: (_details, w) => w.html('err.undecided'),
  INTENT_TOO_OLD: ({ days }, w) => w.html('err.too_old', { days }),
  ROW_INVALID: (_details, w) => w.html('err.row'),
  ROW_FORGED: (_details, w) => w.html('err.row_forged'),
  CONFIG_INVALID: (_details, w) => w.html('err.config'),
};

/** The button beside Home. Named by feature and action; each opens a screen that helps. */
const ACTIONS: { readonly [C in ErrorCode]?: (words: Words) => ButtonSpec } = {
  USER_NOT_FOUND: (w) => nav(w.text('btn.help'), 'help', 'open'),
  WALLET_REQUIRED: (w) => nav(w.text('btn.create_wallet'), 'start', 'create'),
  WALLET_LIMIT_REACHED: (w) => nav(w.text('btn.back'), 'wallets', 'open'),
  WALLET_NOT_FOUND: (w) => nav(w.text('btn.back'), 'wallets', 'open'),
  WALLET_IN_USE: (w) => nav(w.text('btn.back'), 'wallets', 'open'),
  WALLET_NOT_EMPTY: (w) => nav(w.text('btn.back'), 'wallets', 'open'),
  INSUFFICIENT_LAMPORTS: (w) => nav(w.text('btn.deposit'), 'deposit', 'open'),
  PIN_REQUIRED: (w) => nav(w.text('btn.security'), 'security', 'open'),
  TRADE_PIN: (w) => nav(w.text('btn.security'), 'security', 'open'),
  PIN_TOO_NEW: (w) => nav(w.text('btn.security'), 'security', 'open'),
  EXPORT_WAITS: (w) => nav(w.text('btn.security'), 'security', 'open'),
  NOTICE_MAIL_REFUSED: (w) => nav(w.text('btn.notice_mail'), 'notice_mail', 'open'),
  ACCOUNT_FROZEN: (w) => nav(w.text('btn.security'), 'security', 'open'),
  ADDRESS_NOT_READY: (w) => nav(w.text('btn.security'), 'security', 'open'),
  ADDRESS_BOOK_FULL: (w) => nav(w.text('btn.address_book'), 'address_book', 'open'),
  DAILY_CAP: (w) => nav(w.text('btn.security'), 'security', 'open'),
  UNPRICED_TOKEN: (w) => nav(w.text('btn.security'), 'security', 'open'),
  REFERRAL_CODE_VOUCHER: (w) => nav(w.text('btn.shop'), 'points', 'shop'),
  REFERRAL_REQUIRED: (w) => nav(w.text('btn.referral'), 'referral', 'open'),
};

/** The sentence alone: for a question that is asked again. */
export function errorSentence(error: AppError, words: Words): Html {
  return wordsOfCode(error.code, error.details, words);
}

/** The sentence for a code and details that come from a record. */
export function wordsOfCode<C extends ErrorCode>(errorCode: C, details: ErrorDetails[C], words: Words): Html {
  return SENTENCES[errorCode](details, words);
}

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(SENTENCES, text);

/**
 * A whole message: the sentence and a way on. `id` is the one in the log beside the cause, for a fault of ours; an ordinary rule has none
 * (null). `back`: the screen that the person came from.
 */
export function errorView(
  error: AppError,
  words: Words,
  id: string | null,
  back: ButtonSpec | null = null,
): View {
  const sentence = errorSentence(error, words);
  return {
    text: id === null ? sentence : html`${sentence}\n\n${words.html('error.code', { code: error.code, id })}`,
    keyboard: keyboard([
      ACTIONS[error.code]?.(words) ?? null,
      back,
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

/** For a fault of ours that is no refusal. */
export function faultView(words: Words, id: string): View {
  return {
    text: html`${words.html('error.unexpected')}\n\n${words.html('error.code', { code: 'INTERNAL', id })}`,
    keyboard: keyboard([nav(words.text('btn.home'), 'home', 'open')]),
  };
}

/** In the chat each field is asked for on its own, so the first fault is the one. */
function metadataSentence(faults: readonly MetadataFault[], w: Words): Html {
  const [fault] = faults;
  if (fault === undefined) return w.html('error.unexpected');
  const field = fieldText(fault.field, w);
  const max = fault.code === 'TOO_LONG' ? fault.maxBytes : fault.code === 'TOO_MANY' ? fault.max : 0;
  return w.html(METADATA_FAULTS[fault.code], { field, max });
}

function signalText(refusal: ErrorDetails['SIGNAL_REFUSED'], w: Words): Html {
  if (refusal.kind === 'span') return w.html('signal.refused.span');
  return refusal.kind === 'wallets'
    ? w.html('signal.refused.wallets', { least: refusal.least, most: refusal.most })
    : w.html('signal.refused.followed', { wallets: refusal.wallets, followed: refusal.followed });
}

/** A person's own typing, said back: cleaned, so that it cannot turn the sentence around. */
const shown = (given: string): string => displayName(given) ?? '…';

/** A rule or a venue by its name, never any other text in its place. */
function keyName(key: string): string {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(key) ? key : '?';
}
