import { hasCode } from '../../../core/errors/app-error.ts';
import { countedOf } from '../../../modules/personal-keys/rules/keyed-trade.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { confirmationText } from '../../intents/rules/confirmation.ts';
import type { SignerDeps } from './deps.ts';
import { assertIsTrade, readSigned, TRADES } from './keyed-request.ts';

type Deps = Pick<SignerDeps, 'db' | 'clock' | 'certifier' | 'signatureChecks' | 'seals' | 'signing' | 'log'>;

/**
 * The code of a trade that a person's own program asked for: its signed request speaks for the person. Everything is checked here from the
 * bytes that were signed: signature, key, rights, caps and time, and that the intent is the trade of the body. The journal takes the nonce,
 * and counts the lamports for the key's day; the use gets a row, of which the person hears. The operator hears of what an honest caller
 * refuses first. Throws ROW_FORGED, POLICY_DENIED, KEY_REQUEST_REFUSED, ACCOUNT_FROZEN.
 */
export async function confirmKeyed(
  deps: Deps,
  { request, signed }: Parameters<Vault['confirmKeyed']>[0],
): Promise<string> {
  try {
    const { key, signature, asked: trade } = await readSigned(deps, TRADES, signed);
    assertIsTrade({ key, trade }, request);
    const { nonce } = signature;
    const lamports = countedOf(trade);
    const use = { keyId: key.id, nonce, intentId: request.id, idemKey: request.idemKey, lamports };
    await deps.signing.takeUse(use, key.terms.dayLamports);
    const { side, mint } = trade;
    const what = { what: 'trade', subject: request.id, side, mint, lamports } as const;
    const at = deps.clock.now();
    await deps.db.personalKeys.addUse({
      keyId: key.id,
      nonce,
      userId: key.userId,
      ...what,
      at,
      toldAt: null,
    });
    return deps.seals.seal(confirmationText(request));
  } catch (error) {
    if (hasCode(error, 'ROW_FORGED') || hasCode(error, 'POLICY_DENIED'))
      deps.log.error(
        { key: request.idemKey, ...error.details },
        'a request of a personal key was not confirmed',
      );
    throw error;
  }
}
