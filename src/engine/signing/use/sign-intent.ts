import { maxBigint } from '@tradepost/solana';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { isOver } from '../../../core/time/due.ts';
import type { User } from '../../../modules/settings/rules/user.ts';
import type { Wallet } from '../../../modules/wallets/rules/wallet.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { agreedFee, orderOf, rulesOf, tradeOf } from '../../intents/kinds/rules.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import { isOpen } from '../../intents/rules/machine.ts';
import { inviterShare } from '../../ledger/rules/postings.ts';
import { assertMaySign } from '../../switches/use/assert-may-sign.ts';
import { assertAddressWaited } from './assert-address-waited.ts';
import { assertConfirmed } from './assert-confirmed.ts';
import { copiedOf } from './copy-mandate.ts';
import { dayUseOf } from './day-use.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';
import { assertKeyStillOpen } from './keyed-request.ts';
import { assertOrderCertified } from './order-certificate.ts';
import { conversionsOf } from './prove-conversions.ts';
import type { Signing } from './signing-journal.ts';

type SignDeps = Pick<
  SignerDeps,
  'db' | 'clock' | 'keys' | 'seals' | 'log' | 'signing' | 'guardRules' | 'certifier' | 'fees'
>;
/** A transaction lands within this time of its signature. */
const SOON_MS = 3_600_000;

type SignRequest = Parameters<Vault['sign']>[0];

/**
 * The last door before a key: everything but the bytes is read from the database here, by the intent's id, without trust in the caller.
 * When it resolves, all of this holds. The intent is open and due, no switch is thrown, and the intent equals the confirmed one. The
 * address of a withdrawal has waited. This
 * signer certified its person and its wallet, the wallet is the person's, and the treasury is the one this signer keeps. Where it names a
 * copy, that copy's mandate allows it; where it names a personal key, that key is open, and the journal confirmed its request for this intent
 * alone. The policy allows the bytes for this intent. The journal knows of the signature, and no other
 * transaction of the intent can land beside it. Payouts of a day stay below their cap, and those of a conversion within its
 * certified budget; and a person's
 * withdrawals of SOL and their spending of a day below theirs. A fire of an order is the only one of its number,
 * and all of them together are within its amount. Every refusal by a rule is reported to the operator, for an honest caller meets none.
 */
export function createSignIntent(deps: SignDeps): (request: SignRequest) => Promise<Uint8Array> {
  const treasury = knownTreasury(deps);
  return async ({ intentId, message, attempt = null }) => {
    // A copy: the caller's buffer could change between the checks and the signature.
    const bytes = new Uint8Array(message);
    try {
      const { db, signing } = deps;
      signing.assertRemembered(intentId);
      const [whole] = await Promise.all([db.intents.whole(intentId), signing.assertSound()]);
      if (whole === null || !isOpen(whole.intent.status)) denySignature('not-open');
      const { intent, wallet } = whole;
      if (intent.notBefore !== null && !isOver(intent.notBefore, deps.clock)) denySignature('not-due');
      const { userId } = intent;
      const [house, person] = await Promise.all([
        treasury(),
        userId === null ? null : db.users.find(userId),
        assertMaySign(deps, intent),
        assertAddressWaited(deps, intent),
      ]);
      if (userId !== null && person === null) denySignature('unknown-person');
      if (wallet.userId !== intent.userId) denySignature('foreign-wallet');
      if (intent.userId === null && wallet.id !== house.id) denySignature('foreign-wallet');
      await assertConfirmed(deps, intent);
      const copied = await copiedOf(deps, intent);
      const isKeyed = await assertKeyStillOpen(deps, intent);
      const use = await dayUseOf(deps, intent);
      return await signing.sign({
        intent,
        stored: new Set(whole.attempts.map(({ signature }) => signature)),
        message: bytes,
        attempt,
        ...(await paysOf(deps, intent)),
        ...(await fireOf(deps, intent)),
        ...shareOf(deps, intent, person),
        ...(use === null ? {} : { use }),
        ...copied,
        ...(isKeyed ? { keyed: intent.idemKey } : {}),
        sign: () => deps.keys.sign({ intent, wallet, message: bytes, treasury: house.address }),
      });
    } catch (error) {
      if (hasCode(error, 'ROW_FORGED'))
        deps.log.error(
          { intentId, ...error.details },
          'not signed: a row was not certified, or changed since',
        );
      if (hasCode(error, 'POLICY_DENIED')) {
        deps.log.error(
          { intentId, rule: error.details.rule },
          'not signed: the intent or its transaction breaks a rule',
        );
      }
      throw error;
    }
  };
}

async function paysOf(
  deps: Pick<SignDeps, 'db' | 'clock' | 'certifier' | 'guardRules'>,
  { id, params }: Pick<Intent, 'id' | 'params'>,
): Promise<Pick<Signing, 'pays'>> {
  const { payoutsLamports, unprovedLamports } = deps.guardRules;
  if (rulesOf(params.kind).provedBy !== 'payout-books' || !('items' in params)) return {};
  const items = params.items.map(({ inviterId: userId, lamports }) => ({ userId, lamports }));
  const conversions = await conversionsOf(deps, id);
  return { pays: { items, conversions, mostLamports: payoutsLamports, mostUnproved: unprovedLamports } };
}

/** The share as the books will have it: of the agreed fee, by the version in force when it lands, which may be the next one. */
function shareOf(
  { clock, fees }: Pick<SignDeps, 'clock' | 'fees'>,
  { params }: Pick<Intent, 'params'>,
  person: Pick<User, 'inviterId'> | null,
): Pick<Signing, 'share'> {
  const inviterId = person?.inviterId ?? null;
  const fee = agreedFee(params);
  if (inviterId === null || fee <= 0n) return {};
  const now = clock.now();
  const [here, soon] = [fees(now), fees(now + SOON_MS)];
  const lamports = maxBigint(
    inviterShare(fee, here.referralShareBps),
    inviterShare(fee, soon.referralShareBps),
  );
  return { share: { inviterId, lamports } };
}

/** The order of a fire, as this signer certified it: its amount bounds all its fires together. */
async function fireOf(
  deps: Pick<SignDeps, 'db' | 'certifier'>,
  { params }: Pick<Intent, 'params'>,
): Promise<Pick<Signing, 'fire'>> {
  const [child, trade] = [orderOf(params), tradeOf(params)];
  if (child === null || trade === null) return {};
  const order = (await deps.db.orders.find(child.id))?.orders.find(({ id }) => id === child.id);
  if (order === undefined) denySignature('order-foreign');
  assertOrderCertified(deps, order);
  return { fire: { order, n: child.n, units: trade.terms.amountIn } };
}

/** Looked up once and proved by its sealed key: fees must not go wherever a changed row says. */
function knownTreasury({ db, keys }: SignDeps): () => Promise<Wallet> {
  let known: Wallet | null = null;
  return async () => {
    if (known !== null) return known;
    const wallet = await db.wallets.treasury();
    if (wallet === null || !(await keys.holds(wallet))) {
      throw new AppError('SECRET_UNREADABLE', { walletId: wallet?.id ?? 'treasury' });
    }
    known = wallet;
    return wallet;
  };
}
