import { messageOf } from '../../../engine/signing/rules/wire-transaction.ts';
import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import { fingerprintOf } from '../rules/fingerprint.ts';

/** A proof that a transaction was built here, without a row for each one that is built. */
export type SubmitTokens = {
  /** For the wire bytes of a transaction that was just built. Good for five minutes. */
  readonly of: (transaction: Uint8Array) => string;
  /** `other`: it is of another transaction, or no token of this service. */
  readonly check: (token: string, message: Uint8Array) => 'good' | 'expired' | 'other';
};

/** Longer than a blockhash lives: a wallet may put a newer one into the built transaction. */
const LIFE_MS = 300_000;
const FORM = /^([0-9a-z]{1,11})\.([\w-]{43})$/;

/** A token is its expiry and HMAC(`API_KEY_SECRET`, expiry and fingerprint). */
export function createSubmitTokens({
  secrets,
  clock,
}: {
  readonly secrets: Pick<ApiKeySecrets, 'hash' | 'equal'>;
  readonly clock: Clock;
}): SubmitTokens {
  const proofOf = (expiry: string, message: Uint8Array): Uint8Array =>
    secrets.hash(`submit\0${expiry}\0${fingerprintOf(message)}`);
  return {
    of: (transaction) => {
      const expiry = (clock.now() + LIFE_MS).toString(36);
      return `${expiry}.${Buffer.from(proofOf(expiry, messageOf(transaction))).toString('base64url')}`;
    },
    check: (token, message) => {
      const [, expiry, proof] = FORM.exec(token) ?? [];
      if (expiry === undefined || proof === undefined) return 'other';
      if (!secrets.equal(Buffer.from(proof, 'base64url'), proofOf(expiry, message))) return 'other';
      return clock.now() < Number.parseInt(expiry, 36) ? 'good' : 'expired';
    },
  };
}
