import { parseHtml } from '@tradepost/local-telegram';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import { parseUnits } from '../../../src/core/amounts/decimal.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { ErrorCode, ErrorDetails } from '../../../src/core/errors/codes.ts';
import { refusalSentence } from '../../../src/engine/intents/chat/standing.ts';
import { errorView, faultView, wordsOfCode } from '../../../src/platform/telegram/errors.ts';
import { withEnglishMarks } from '../../support/screens/english-marks.ts';

const EVIL = '<b>\u202E&"';
/** One example per code; a new code does not compile without. */
const EXAMPLES: { readonly [C in ErrorCode]: ErrorDetails[C] } = {
  ADDRESS_INVALID: { given: EVIL },
  AMOUNT_INVALID: { given: EVIL, reason: 'not-a-number', decimals: 9 },
  TEXT_INVALID: { field: 'wallet name', minLength: 1, maxLength: 20 },
  BPS_OUT_OF_RANGE: { field: 'slippage', min: 0, max: 10_000 },
  USER_NOT_FOUND: {},
  NOT_OPERATOR: {},
  WALLET_REQUIRED: {},
  WALLET_NOT_FOUND: {},
  WALLET_LIMIT_REACHED: { max: 5 },
  WALLET_NAME_TAKEN: { name: EVIL },
  NAME_RESERVED: { name: EVIL, like: EVIL, reason: 'look-alike' },
  WALLET_NOT_EMPTY: { name: EVIL, lamports: 1n, tokens: 2 },
  WALLET_IN_USE: { name: EVIL, openIntents: 1 },
  INSUFFICIENT_LAMPORTS: { needed: 3n, available: 2n, amount: 1n, fees: 2n },
  INSUFFICIENT_TOKENS: { needed: 3n, available: 2n, decimals: 0 },
  RENT_REMAINDER: { left: 1n, minimum: 890_880n, maxAmount: 5n },
  RECIPIENT_BELOW_RENT: { minimum: 890_880n, wouldHold: 1n },
  RECIPIENT_IS_SELF: {},
  RECIPIENT_IS_MINT: { address: 'A' },
  RECIPIENT_IS_TOKEN_ACCOUNT: { address: 'A', owner: 'B' },
  RECIPIENT_IS_PROGRAM: { address: 'A' },
  RECIPIENT_OFF_CURVE: { address: 'A' },
  RECIPIENT_ACCOUNT_REFUSES: { account: 'A', reason: 'needs-memo' },
  TOKEN_NOT_FOUND: { address: EVIL },
  TOKEN_ACCOUNT_NOT_MINT: { address: 'A', mint: 'B' },
  TOKEN_NOT_TRANSFERABLE: { mint: 'A' },
  TOKEN_REQUEST_INVALID: { problems: [{ field: EVIL, code: 'TEXT_UNPRINTABLE' }] },
  MINT_FILLED: { mint: 'So11111111111111111111111111111111111111112' },
  NOTHING_TO_CLEAN_UP: {},
  FROZEN_FOR_EVER: { mint: 'A' },
  AUTHORITY_GONE: { mint: 'A', authority: 'mint' },
  SAME_TOKEN: {},
  NO_ROUTE: { mintIn: 'A', mintOut: 'B' },
  SEARCHING: { retryAfterMs: 5_000 },
  VENUES_UNREACHABLE: { venues: [EVIL] },
  INSUFFICIENT_LIQUIDITY: { mintIn: 'A', mintOut: 'B' },
  AMOUNT_DUST: { minimum: 5n },
  AMOUNT_ABOVE_DEPTH: { maximum: 5n, mint: 'So11111111111111111111111111111111111111112' },
  ROUTE_TOO_LARGE: { mintIn: 'a', mintOut: 'b' },
  PRICE_IMPACT_TOO_HIGH: { impactBps: 6_000, maxBps: 5_000 },
  PRICE_MOVED: { minOut: 2n, got: 1n },
  SIMULATION_FAILED: { err: EVIL, logs: [EVIL] },
  POLICY_DENIED: { rule: EVIL },
  SIGNING_PAUSED: {},
  PAUSED: { what: 'venue:desk', reason: 'a <b>bug</b>', since: 1, until: 1_900_000_000_000 },
  PIN_REQUIRED: {},
  TRADE_PIN: { reasons: ['young', 'home-made', 'poor-exit', 'steep', 'cap'], cap: 5n, left: 1n },
  PIN_TOO_NEW: { until: 1_790_000_000_000 },
  PIN_UNSUITABLE: { reason: 'weak' },
  PIN_WRONG: { triesLeft: 2, withCode: false },
  PIN_LOCKED: { until: 0 },
  ACCOUNT_FROZEN: { until: 0 },
  ADDRESS_NOT_READY: { until: 0 },
  ADDRESS_BOOK_FULL: { max: 20 },
  DAILY_CAP: { needed: 2n, available: 1n, cap: 3n },
  UNPRICED_TOKEN: {},
  SPENDING_LIMIT: { needed: 3n, available: 1n, cap: 5n, of: 'doubted' },
  DAILY_COUNT: { max: 5 },
  ACT_LIMIT: { rate: 'import', max: 3, spanMs: 86_400_000, until: 1_790_000_000_000 },
  KEY_UNREADABLE: {},
  WALLET_KNOWN: {},
  BACKUP_UNREADABLE: { reason: 'passphrase' },
  EXPORT_WAITS: { why: 'stopped', until: 1 },
  NOTICE_MAIL_REFUSED: { reason: 'shape' },
  PASSPHRASE_UNSUITABLE: { minLength: 12, maxLength: 256 },
  METADATA_INVALID: { faults: [{ field: 'metadata.description', code: 'TOO_LONG', maxBytes: 1_000 }] },
  PUBLIC_URL_UNKNOWN: {},
  LAUNCH_TOO_LARGE: { pad: 'Meteora', hasFirstBuy: true, maxUriBytes: 90 },
  LAUNCHPAD_UNAVAILABLE: { pad: 'pump-fun' },
  METADATA_STORE_FULL: { maxBytes: 1 },
  PINNING_FAILED: { cause: 'http://secret' },
  PICTURE_UNREADABLE: { reason: 'format' },
  PICTURE_TOO_LARGE: { maxBytes: 5_000_000 },
  INTENT_NOT_FOUND: {},
  ORDER_REFUSED: { kind: 'already-true', side: 'sell', decimals: 6, wouldGet: 310_000_000n },
  ALERT_REFUSED: { kind: 'too-many', max: 50 },
  ALERT_NOT_FOUND: {},
  FOLLOW_REFUSED: { kind: 'too-many', max: 20 },
  FOLLOW_NOT_FOUND: {},
  SIGNAL_REFUSED: { kind: 'followed', wallets: 3, followed: 2 },
  FILTER_INVALID: { given: 'cap>1e99' },
  GROUP_NOT_YOURS: {},
  COPY_REFUSED: { kind: 'day-cap' },
  PERSONAL_KEY_REFUSED: { kind: 'day-cap' },
  PERSONAL_KEY_NOT_FOUND: {},
  KEY_REQUEST_REFUSED: { why: 'time' },
  ORDER_NOT_FOUND: {},
  ORDER_NOT_CHANGEABLE: { number: 18, status: 'FILLED' },
  BUTTON_STALE: {},
  POINTS_SHORT: { needed: 800n, available: 10n },
  OFFER_CHANGED: {},
  SOLD_OUT: {},
  SHOP_LIMIT: { max: 3 },
  CONVERT_CLOSED: {},
  CONVERT_MINIMUM: { min: 100n },
  STAKE_INVALID: { min: 10n, max: 100n, step: 10n },
  STAKES_USED_UP: { left: 20n, max: 500n },
  SHOP_NEEDS_TRADE: {},
  MISSION_UNKNOWN: {},
  MISSION_UNDONE: { progress: 1, target: 3 },
  REFERRAL_REQUIRED: {},
  REFERRAL_CODE_REFUSED: { reason: 'taken' },
  REFERRAL_CODE_VOUCHER: {},
  CHAIN_UNREACHABLE: { endpoint: 'https://secret.example/key', cause: 'ECONNREFUSED' },
  SEND_UNKNOWN: { signature: 'S' },
  DATABASE_REPLICA_ASYNC: { cause: 'x' },
  COMMIT_NOT_REPLICATED: { cause: 'x' },
  DATABASE_UNREACHABLE: { cause: 'postgres://secret' },
  DATABASE_FULL: { cause: 'postgres://secret' },
  DATABASE_BUSY: { cause: 'postgres://secret' },
  DATABASE_READ_ONLY: { cause: 'postgres://secret' },
  CLOCK_OFF: { aheadMs: 9_000 },
  QUEUE_UNREACHABLE: { cause: 'redis://secret' },
  KEK_UNAVAILABLE: { cause: '/etc/secret' },
  JOURNAL_FULL: { cause: '/etc/secret' },
  JOURNAL_TAKEN: { cause: '/etc/secret' },
  JOURNAL_BROKEN: { file: '/etc/secret', after: 3, cause: 'secret' },
  JOURNAL_BEHIND: { journal: 3, database: 4 },
  JOURNAL_MISSING: { folder: '/etc/secret' },
  DATABASE_FORGETFUL: { cause: 'fsync' },
  SIGNING_FENCED: {},
  ATTEMPT_UNDECIDED: { attempt: null },
  INTENT_TOO_OLD: { days: 31 },
  ROW_FORGED: { table: 'wallets', row: 'W' },
  ROW_INVALID: { table: 'users', row: 'U', field: 'settings.tier', expected: 'a tier' },
  SIGNER_UNAVAILABLE: { cause: '/etc/secret' },
  SECRET_UNREADABLE: { walletId: 'W' },
  CONFIG_INVALID: { problems: ['secret'] },
};

describe('error texts', () => {
  it.each(Object.keys(EXAMPLES) as ErrorCode[])(
    '%s says what is wrong, with code and id, and shows no secret',
    (errorCode) => {
      const view = errorView(new AppError(errorCode, EXAMPLES[errorCode] as never), wordsOf('en'), '8F2C');
      const { text, entities } = parseHtml(view.text.markup);
      expect(text.length).toBeGreaterThan(20);
      expect(text).toContain(`code ${errorCode} · id 8F2C`);
      const calm = errorView(new AppError(errorCode, EXAMPLES[errorCode] as never), wordsOf('en'), null);
      expect(parseHtml(calm.text.markup).text).not.toMatch(/code [A-Z_]+|· id/);
      expect(text).not.toMatch(/secret|ECONN|\u202E|undefined|\[object/);
      // Nothing that was typed becomes markup.
      expect(entities.filter(({ type }) => type === 'bold')).toEqual([]);
      expect(view.keyboard?.flat().some(({ text: label }) => label === 'Home')).toBe(true);
    },
  );

  it.each(Object.keys(EXAMPLES) as ErrorCode[])(
    '%s writes no amount that is ambiguous when typed',
    (code) => {
      for (const language of ['en', 'es'] as const) {
        // As many thousands as the decimals of the amount allow, three decimals, and an eighth of a unit.
        for (const units of [1_500n * 10n ** 9n, 1_234n * 10n ** 6n, 1_500_125n, 1_234_567n * 10n ** 9n]) {
          const details = Object.fromEntries(
            Object.entries(EXAMPLES[code]).map(([key, value]) => [
              key,
              typeof value === 'bigint' ? units : value,
            ]),
          ) as ErrorDetails[typeof code];
          const { text } = parseHtml(wordsOfCode(code, details, wordsOf(language)).markup);
          expect(text).not.toMatch(
            language === 'en' ? /\d,\d{3}/ : /(?<![\d,.])[1-9]\d{0,2},\d{3}(?!\d)|\d\u202f\d/,
          );
          if (language === 'es') expect(withEnglishMarks([text])).toEqual([]);
        }
      }
    },
  );

  it('names a field in the words of the language', () => {
    const spanish = <C extends ErrorCode>(errorCode: C, details: ErrorDetails[C]): string =>
      wordsOfCode(errorCode, details, wordsOf('es')).markup;
    expect(spanish('TEXT_INVALID', EXAMPLES.TEXT_INVALID)).toBe(
      'El nombre de una cartera debe tener de 1 a 20 caracteres.',
    );
    expect(spanish('METADATA_INVALID', EXAMPLES.METADATA_INVALID)).toMatch(/^la descripción: demasiado/);
    const fault = { field: 'metadata.extensions.twitter', code: 'NOT_A_LINK', schemes: ['https:'] } as const;
    expect(spanish('METADATA_INVALID', { faults: [fault] })).toMatch(
      /^el enlace de Twitter: no es un enlace/,
    );
    expect(wordsOfCode('METADATA_INVALID', { faults: [fault] }, wordsOf('en')).markup).toMatch(
      /^The Twitter link is not a link/,
    );
  });

  it('groups no number of a sentence, so that each can be typed', () => {
    const { markup } = wordsOfCode(
      'INSUFFICIENT_LAMPORTS',
      { needed: 99_999_000_005_000n, available: 2n, amount: 99_999_000_000_000n, fees: 5_000n },
      wordsOf('en'),
    );
    expect(markup).toContain('99999.000005 SOL needed (99999 + 0.000005 for fees');
  });

  it('says both readings of a comma before three digits', () => {
    const { markup } = wordsOfCode(
      'AMOUNT_INVALID',
      { given: '1,500', reason: 'ambiguous', decimals: 9 },
      wordsOf('en'),
    );
    expect(markup).toContain('“1,500” can be read in two ways. Write 1500 or 1.500, without the comma.');
    // A Spanish reader takes 1.500 for a thousand and a half.
    const spanish = wordsOfCode(
      'AMOUNT_INVALID',
      { given: '1,500', reason: 'ambiguous', decimals: 9 },
      wordsOf('es'),
    );
    expect(spanish.markup).toContain('«1,500» se puede leer de dos maneras. Escribe 1500 o 1,5000.');
    expect(parseUnits('1,5000', 9)).toBe(1_500_000_000n);
  });

  it('never says that something failed while it may land', () => {
    const { markup } = wordsOfCode('SEND_UNKNOWN', { signature: 'S' }, wordsOf('en'));
    expect(markup).not.toMatch(/fail/i);
    expect(markup).toMatch(/Do not repeat/);
  });

  it('words a refusal from its record, and a spoiled record in general words', () => {
    const words = wordsOf('en');
    const details = { needed: '3000000000', available: '2000000000', amount: '1', fees: '2' };
    expect(refusalSentence(words, 'INSUFFICIENT_LAMPORTS', details).markup).toContain('3 SOL needed');
    expect(refusalSentence(words, 'INSUFFICIENT_LAMPORTS', null).markup).toContain('network would refuse');
    expect(refusalSentence(words, 'NO_SUCH_CODE', {}).markup).toContain('network would refuse');
  });

  it('names the rule that the signing policy found broken, in both languages', () => {
    for (const language of ['en', 'es'] as const) {
      const denied = new AppError('POLICY_DENIED', { rule: 'token-amount' });
      expect(errorView(denied, wordsOf(language), '8F2C').text.markup).toContain('<code>token-amount</code>');
    }
  });

  it('names faults of ours with an id', () => {
    expect(faultView(wordsOf('en'), '8F2C').text.markup).toContain('id 8F2C');
  });
});
