import { AppError } from '../../../core/errors/app-error.ts';
import { assertNotFrozen } from '../../../modules/guard/rules/freeze.ts';
import { isKeyed } from '../../../modules/personal-keys/rules/key-use.ts';
import {
  isTradeOf,
  type KeyedTrade,
  keyedKey,
  readKeyedTrade,
  type SignedText,
  TRADE_REQUEST,
  termMisfit,
} from '../../../modules/personal-keys/rules/keyed-trade.ts';
import {
  isOpenKey,
  type PersonalKey,
  type Right,
} from '../../../modules/personal-keys/rules/personal-key.ts';
import {
  contentDigestOf,
  type RequestSignature,
  readSignature,
  type SignedRequest,
  signatureBase,
  timeFault,
} from '../../../modules/personal-keys/rules/signed-request.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

type Deps = Pick<SignerDeps, 'db' | 'clock' | 'certifier' | 'signatureChecks'>;

/** A request as its bytes say it, and the key that signed them. */
type Asked<T> = {
  readonly key: PersonalKey;
  readonly signature: RequestSignature;
  readonly asked: T;
};

/** One kind of request: its place, the right that it needs, the reader of its body, and whether it lies within the terms of its key. */
type Kind<T> = {
  readonly request: Pick<SignedRequest, 'method' | 'path' | 'query'>;
  readonly right: Right;
  readonly read: (body: string) => T | null;
  readonly fits: (terms: PersonalKey['terms'], asked: T) => boolean;
};

export const TRADES: Kind<KeyedTrade> = {
  request: TRADE_REQUEST,
  right: 'trade',
  read: readKeyedTrade,
  fits: (terms, trade) => termMisfit(terms, trade) === null,
};

/**
 * The request that these bytes are, and the key that signed them now, by this process's own clock. The key's row is as this signer
 * certified it, is open, and has the right and the token. Throws ROW_FORGED, KEY_REQUEST_REFUSED (`time`, `ended`), ACCOUNT_FROZEN,
 * and POLICY_DENIED (`personal-key`) for what an honest caller refuses first.
 */
export async function readSigned<T>(
  deps: Deps,
  kind: Kind<T>,
  { body, ...headers }: SignedText,
): Promise<Asked<T>> {
  const signature = readSignature(headers);
  if ('fault' in signature) denySignature('personal-key');
  if (timeFault(signature, deps.clock) !== null) throw new AppError('KEY_REQUEST_REFUSED', { why: 'time' });
  const key = await certifiedKey(deps, signature.keyId);
  const { signatureChecks } = deps;
  const request = { ...kind.request, contentDigest: contentDigestOf(signatureChecks.sha256(body)) };
  const text = Buffer.from(signatureBase(signature, request, key.host), 'utf8');
  if (!signatureChecks.isSigned(text, key.publicKey, signature.bytes)) denySignature('personal-key');
  const asked = kind.read(Buffer.from(body).toString('utf8'));
  if (asked === null || !key.terms.rights.includes(kind.right)) denySignature('personal-key');
  if (!kind.fits(key.terms, asked)) denySignature('personal-key');
  await assertOpen(deps, key);
  return { key, signature, asked };
}

/** Throws POLICY_DENIED unless the intent is this very trade, of the key's person and wallet. */
export function assertIsTrade(
  { key, trade }: { readonly key: PersonalKey; readonly trade: KeyedTrade },
  intent: Pick<Intent, 'idemKey' | 'userId' | 'walletId' | 'params'>,
): void {
  const isOurs =
    intent.userId === key.userId &&
    intent.walletId === key.walletId &&
    intent.idemKey === keyedKey(key.id, trade.idempotencyKey) &&
    isTradeOf(intent, trade);
  if (!isOurs) denySignature('personal-key');
}

/**
 * The rule `personal-key` before a signature: an intent that names no key passes; of one that does, the key's row is as it was certified,
 * open, and of the intent's person and wallet. The journal says the rest. Throws ROW_FORGED, POLICY_DENIED.
 */
export async function assertKeyStillOpen(
  deps: Pick<Deps, 'db' | 'clock' | 'certifier'>,
  { idemKey, userId, walletId }: Pick<Intent, 'idemKey' | 'userId' | 'walletId'>,
): Promise<boolean> {
  if (!isKeyed(idemKey)) return false;
  const [, keyId = ''] = idemKey.split(':');
  const key = await certifiedKey(deps, keyId);
  if (key.userId !== userId || key.walletId !== walletId) denySignature('personal-key');
  const guard = await deps.db.guards.find(key.userId);
  if (!isOpenKey(key, guard, deps.clock)) denySignature('personal-key');
  return true;
}

async function certifiedKey(
  { db, certifier }: Pick<Deps, 'db' | 'certifier'>,
  id: string,
): Promise<PersonalKey> {
  const key = await db.personalKeys.find(id);
  if (key === null) denySignature('personal-key');
  if (key.certificate === null || key.certificate !== certifier.personalKey(key))
    throw new AppError('ROW_FORGED', { table: 'personal_keys', row: key.id });
  return key;
}

async function assertOpen({ db, clock }: Pick<Deps, 'db' | 'clock'>, key: PersonalKey): Promise<void> {
  const [guard, person, wallet] = await Promise.all([
    db.guards.find(key.userId),
    db.users.find(key.userId),
    db.wallets.find(key.walletId),
  ]);
  if (person === null) denySignature('unknown-person');
  if (wallet?.userId !== key.userId) denySignature('foreign-wallet');
  assertNotFrozen(guard, clock);
  if (!isOpenKey(key, guard, clock) || wallet.deletedAt !== null)
    throw new AppError('KEY_REQUEST_REFUSED', { why: 'ended' });
}
