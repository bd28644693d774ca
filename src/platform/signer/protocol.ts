import { isAddress } from '@tradepost/solana';
import { z } from 'zod';
import type { ErrorCode, ErrorDetails } from '../../core/errors/codes.ts';
import { keysOf } from '../../core/records.ts';
import type { IntentParams } from '../../engine/intents/kinds/params.ts';
import { INTENT_KINDS } from '../../engine/intents/kinds/rules.ts';
import type { CopyFacts } from '../../modules/copying/rules/copy.ts';
import type { GuardFacts } from '../../modules/guard/rules/certified-guard.ts';
import type { OrderFacts } from '../../modules/orders/rules/order-facts.ts';
import { MOST_TRADE_BYTES } from '../../modules/personal-keys/rules/keyed-trade.ts';
import type { KeyFacts } from '../../modules/personal-keys/rules/personal-key.ts';
import { MOST_KEY_TEXT } from '../../modules/wallets/rules/backup-text.ts';
import type { CertifiedKey } from '../../modules/wallets/rules/wallet.ts';
import type { UnsignedAttempt, Vault } from '../ports/vault.ts';

/** Both sides say it first; another version is refused at once and by name. */
export const PROTOCOL_VERSION = 7;
/** A caller waits so long for an answer, longer than a key service or a PIN's hash takes on a busy machine. Both sides give up then. */
export const ANSWER_WITHIN_MS = 15_000;

const id = z.string().min(1).max(64);
const key = z.string().min(1).max(256);
/** Epoch milliseconds. */
const time = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Digests, boxes, drafts and proofs: far more than any of them has. */
const token = z.string().min(1).max(1_024);
const secretText = z.string().max(4_096);
/** Of a signed number of 64 bits, as the column holds. */
const MOST_TELEGRAM_ID = 2n ** 63n - 1n;
const bytes = (most: number) => z.instanceof(Uint8Array).refine((given) => given.length <= most);
/** More than a transaction can be. */
const MOST_MESSAGE_BYTES = 1_280;
/** More than a backup file is. */
const MOST_FILE_BYTES = 32_768;

/**
 * Params travel as the caller has them and are judged when they are signed, from the database: here it is enough that they are
 * plain and of a known kind, for the code is made over every value of them.
 */
const ofKnownKind = z.looseObject({ kind: z.enum(INTENT_KINDS) });
const params = z.custom<IntentParams>((given) => ofKnownKind.safeParse(given).success);

const confirmed = z.strictObject({ id, idemKey: key, userId: id, walletId: id, params });

/** More than one placing has. */
const MOST_ORDERS = 40;
/** Terms travel as the caller has them: the signature over them is right for exactly these. */
const factsShape = z.looseObject({
  id,
  userId: id,
  walletId: id,
  mint: z.string().refine(isAddress),
  terms: z.looseObject({}),
});
const orderFacts = z.custom<OrderFacts>((given) => factsShape.safeParse(given).success);

/** As orders: the signature is right for exactly these facts. */
const copyShape = z.looseObject({
  id,
  userId: id,
  walletId: id,
  leader: z.string().refine(isAddress),
  lockEpoch: z.number().int().min(0),
  until: time,
  rules: z.looseObject({}),
});
const copyFactsOf = z.custom<CopyFacts>((given) => copyShape.safeParse(given).success);

/** As copies: the certificate is right for exactly these facts. */
const keyShape = z.looseObject({
  id,
  userId: id,
  walletId: id,
  publicKey: z.string().refine(isAddress),
  host: key,
  lockEpoch: z.number().int().min(0),
  until: time,
  terms: z.looseObject({}),
});
const keyFactsOf = z.custom<KeyFacts>((given) => keyShape.safeParse(given).success);

/** More than the headers of a signed request have. */
const header = z.string().max(1_000);
const signed = z.strictObject({ signatureInput: header, signature: header, body: bytes(MOST_TRADE_BYTES) });

const lamports = z.bigint().min(0n).nullable();
const moment = time.nullable();
const guardShape = z.strictObject({
  userId: id,
  version: time,
  pinHash: token.nullable(),
  pinSetAt: moment,
  pinIsFirst: z.boolean(),
  delayFrom: moment,
  frozenAt: moment,
  unfreezeAt: moment,
  capLamports: lamports,
  nextCapLamports: lamports,
  nextCapAt: moment,
  totpBox: token.nullable(),
  totpEndsAt: moment,
  recoveryCodes: z.array(token).max(32).readonly(),
  nextTotpBox: token.nullable(),
  spendCapLamports: lamports,
  nextSpendCapLamports: lamports,
  nextSpendCapAt: moment,
  unlockedUntil: moment,
  unlocksFrom: moment,
  noticeMail: z.string().max(320).nullable(),
  nextNoticeMail: z.string().max(320).nullable(),
  nextNoticeMailAt: moment,
  lockEpoch: z.number().int().min(0),
});
/** The text that a guard's certificate covers; other fields of the caller's value do not count. */
const guardFactsOf = guardShape satisfies z.ZodType<GuardFacts>;

const secret: z.ZodType<CertifiedKey> = z.strictObject({
  walletId: id,
  userId: id.nullable(),
  publicKey: z.string().refine(isAddress),
  version: z.literal(1),
  kekId: z.string().max(2_048),
  wrappedDek: bytes(8_192),
  sealedSeed: bytes(256),
  certificate: token,
});

/** The row that a signature is for. The signer keeps it and hands it back, and reads nothing in it but the wire bytes. */
const attemptShape = z.looseObject({
  id,
  intentId: id,
  signedTransaction: bytes(MOST_MESSAGE_BYTES + 1_024),
});
const attempt = z.custom<UnsignedAttempt>((given) => attemptShape.safeParse(given).success);

/** The calls of `Vault`, with the input and output of each. Checked on both sides. */
export const CALLS = {
  openPerson: {
    input: z.strictObject({ telegramId: z.bigint().min(1n).max(MOST_TELEGRAM_ID), inviterId: id.nullable() }),
    output: z.strictObject({ userId: id, certificate: token }),
  },
  certificateKey: { input: z.null(), output: token },
  create: { input: z.strictObject({ walletId: id, userId: id.nullable() }), output: secret },
  adopt: {
    input: z.strictObject({
      walletId: id,
      userId: id,
      material: z.string().max(MOST_KEY_TEXT),
      passphrase: secretText.nullable(),
    }),
    output: secret,
  },
  askExport: {
    input: z.strictObject({ userId: id, walletId: id, pin: secretText }),
    output: z.strictObject({ exportId: id, readyAt: time, endsAt: time }),
  },
  takeExport: {
    input: z.strictObject({ userId: id, exportId: id, pin: secretText, passphrase: secretText }),
    output: bytes(MOST_FILE_BYTES),
  },
  stopExport: { input: z.strictObject({ userId: id }), output: z.strictObject({ stopped: z.boolean() }) },
  certifyReceiving: {
    input: z.strictObject({
      userId: id,
      walletId: id,
      act: z.enum(['wallet-confirm', 'payout-wallet']),
      pin: secretText,
    }),
    output: z.strictObject({ at: time, certificate: token }),
  },
  certifyGuard: {
    input: z.strictObject({ guard: guardFactsOf, transactionId: z.string().regex(/^[0-9]{1,20}$/) }),
    output: z.strictObject({ version: time, certificate: token }),
  },
  certifyStop: {
    input: z.strictObject({ guard: guardFactsOf, transactionId: z.string().regex(/^[0-9]{1,20}$/) }),
    output: z.strictObject({ version: time, certificate: token }),
  },
  certifyAddress: {
    input: z.strictObject({
      id,
      userId: id,
      walletId: id,
      address: z.string().refine(isAddress),
      addedAt: time,
    }),
    output: z.strictObject({ addedAt: time, certificate: token }),
  },
  confirm: {
    input: z.strictObject({
      request: confirmed,
      pin: secretText.nullable(),
    }),
    output: token,
  },
  certifyOrders: {
    input: z.strictObject({ userId: id, orders: z.array(orderFacts).min(1).max(MOST_ORDERS) }),
    output: z.array(token).readonly(),
  },
  confirmFire: { input: confirmed, output: token },
  mandateCopy: { input: z.strictObject({ copy: copyFactsOf, pin: secretText.nullable() }), output: token },
  certifyPersonalKey: { input: z.strictObject({ key: keyFactsOf, pin: secretText }), output: token },
  endPersonalKey: { input: z.strictObject({ userId: id, keyId: id }), output: z.null() },
  confirmCopy: {
    input: z.strictObject({ request: confirmed, orders: z.array(orderFacts).max(MOST_ORDERS) }),
    output: z.strictObject({ confirmation: token, certificates: z.array(token).readonly() }),
  },
  confirmKeyed: { input: z.strictObject({ request: confirmed, signed }), output: token },
  certifyKeyedOrder: { input: z.strictObject({ order: orderFacts, signed }), output: token },
  sign: {
    input: z.strictObject({
      intentId: id,
      message: bytes(MOST_MESSAGE_BYTES),
      attempt: attempt.nullable().optional(),
    }),
    output: z.instanceof(Uint8Array).refine((given) => given.length === 64),
  },
  verifyPin: { input: z.strictObject({ userId: id, pin: secretText }), output: z.null() },
  draft: { input: z.strictObject({ userId: id, text: secretText }), output: token },
  isDrafted: {
    input: z.strictObject({ userId: id, draft: token, text: secretText }),
    output: z.boolean(),
  },
  pinOfDraft: {
    input: z.strictObject({ userId: id, draft: token, pin: secretText }),
    output: token.nullable(),
  },
  createSecondFactor: { input: z.strictObject({ userId: id }), output: token },
  showSecondFactor: {
    input: z.strictObject({ userId: id, box: token.nullable(), codes: z.array(token).max(32) }),
    output: z.strictObject({ uri: z.string().nullable(), digests: z.array(token) }),
  },
  confirmSecondFactor: {
    input: z.strictObject({ userId: id, code: secretText }),
    output: z.strictObject({ codesAlone: z.boolean() }),
  },
  gameSeed: { input: z.strictObject({ id, table: key }), output: token },
} as const satisfies Record<keyof Vault, { readonly input: z.ZodType; readonly output: z.ZodType }>;

export type CallName = keyof typeof CALLS;
export type InputOf<N extends CallName> = z.output<(typeof CALLS)[N]['input']>;
export type OutputOf<N extends CallName> = z.output<(typeof CALLS)[N]['output']>;

const number = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const REQUEST = z.strictObject({
  version: z.literal(PROTOCOL_VERSION),
  id: number,
  call: z.enum(keysOf(CALLS)),
  input: z.unknown(),
});

export const RESPONSE = z.union([
  // Another signer signs: nothing was done, and the request belongs there.
  z.strictObject({ id: number, standby: z.literal(true) }),
  z.strictObject({ id: number, ok: z.literal(true), output: z.unknown() }),
  z.strictObject({
    id: number,
    ok: z.literal(false),
    // A signer of a later release may have codes of its own: they are passed on.
    code: z.custom<ErrorCode>((given) => typeof given === 'string'),
    details: z
      .custom<ErrorDetails[ErrorCode]>((given) => given === undefined || typeof given === 'object')
      .optional(),
  }),
]);
