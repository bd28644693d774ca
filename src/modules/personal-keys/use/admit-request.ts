import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { SignatureChecks } from '../../../platform/ports/signature-checks.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { ipOf, isOpenKey, type PersonalKey, type Right } from '../rules/personal-key.ts';
import {
  contentDigestOf,
  type RequestSignature,
  readSignature,
  type SignedRequest,
  signatureBase,
  timeFault,
} from '../rules/signed-request.ts';

export type AdmitDeps = {
  readonly db: Pick<Stores, 'personalKeys' | 'guards' | 'wallets'>;
  readonly clock: Clock;
  readonly signatureChecks: SignatureChecks;
  /** Whether the signer certified the key as its row says. */
  readonly isCertified: (key: PersonalKey) => boolean;
  readonly log: Pick<Logger, 'error'>;
};

/** Why a request of a personal key is refused. The state of a key is said to its holder alone: after the signature was right. */
export type Refusal =
  | 'unsigned'
  | 'malformed'
  | 'time'
  | 'unknown'
  | 'signature'
  | 'body'
  | 'ended'
  | 'ip'
  | 'right'
  | 'replayed';

export type Admission =
  | { readonly kind: 'admitted'; readonly key: PersonalKey }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly fault?: string };

/** A nonce is kept for so long behind its end: clocks of two processes differ by less. */
const NONCE_SLACK_MS = 600_000;

const refused = (why: Refusal, fault?: string): Admission => ({
  kind: 'refused',
  why,
  ...(fault === undefined ? {} : { fault }),
});

/**
 * The key that signed the request, where it has the right and may be used now and from that address. The person's wallet was not deleted,
 * and no lock has come since the PIN was typed. The nonce is then used up: every process refuses the same bytes from now on.
 */
export async function admitRequest(
  deps: AdmitDeps,
  request: SignedRequest,
  right: Right,
): Promise<Admission> {
  const signature = readSignature(request);
  if ('fault' in signature)
    return signature.fault === null ? refused('unsigned') : refused('malformed', signature.fault);
  const late = timeFault(signature, deps.clock);
  if (late !== null) return refused('time', late);
  const key = await certifiedKey(deps, signature.keyId);
  if (key === null) return refused('unknown');
  const { signatureChecks } = deps;
  const text = Buffer.from(signatureBase(signature, request, key.host), 'utf8');
  if (!signatureChecks.isSigned(text, key.publicKey, signature.bytes)) return refused('signature');
  if (request.contentDigest !== contentDigestOf(signatureChecks.sha256(request.body))) return refused('body');
  return mayNow(deps, key, { request, signature, right });
}

/** The key of this id, with a right certificate. Another one is unknown, and the operator hears of it. */
async function certifiedKey({ db, isCertified, log }: AdmitDeps, keyId: string): Promise<PersonalKey | null> {
  const key = await db.personalKeys.find(keyId);
  if (key === null) return null;
  if (isCertified(key)) return key;
  log.error({ table: 'personal_keys', row: key.id }, 'the signer did not certify this personal key');
  return null;
}

async function mayNow(
  { db, clock }: AdmitDeps,
  key: PersonalKey,
  asked: {
    readonly request: SignedRequest;
    readonly signature: RequestSignature;
    readonly right: Right;
  },
): Promise<Admission> {
  const { request, signature, right } = asked;
  const [guard, wallet] = await Promise.all([db.guards.find(key.userId), db.wallets.find(key.walletId)]);
  if (!isOpenKey(key, guard, clock) || wallet === null || wallet.deletedAt !== null) return refused('ended');
  const ip = ipOf(request.ip);
  if (key.terms.ips !== null && (ip === null || !key.terms.ips.includes(ip))) return refused('ip');
  if (!key.terms.rights.includes(right)) return refused('right');
  // Last, so that a refused request uses nothing up.
  const { nonce, expires } = signature;
  const isFirst = await db.personalKeys.takeNonce({
    keyId: key.id,
    nonce,
    until: expires * 1_000 + NONCE_SLACK_MS,
  });
  return isFirst ? { kind: 'admitted', key } : refused('replayed');
}
