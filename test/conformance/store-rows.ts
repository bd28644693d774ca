import { addressFromBytes } from '@tradepost/solana';
import fc from 'fast-check';
import type { Attempt, Intent } from '../../src/engine/intents/rules/intent.ts';
import type { LedgerTransfer } from '../../src/engine/ledger/rules/entry.ts';
import type { Notice } from '../../src/engine/notices/store-port.ts';
import type { OutboxRow } from '../../src/engine/transactions/store/outbox-store-port.ts';
import type { Reward } from '../../src/modules/referrals/rules/reward.ts';
import { DEFAULT_SETTINGS } from '../../src/modules/settings/rules/settings.ts';
import type { User } from '../../src/modules/settings/rules/user.ts';
import type { CertifiedKey, Wallet, WalletSecret } from '../../src/modules/wallets/rules/wallet.ts';
import type { Button } from '../../src/platform/ports/button-store.ts';
import type { Stores } from '../../src/platform/ports/stores.ts';
import { PARAMS_OF } from '../support/arbitrary-intents.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER } from '../support/signer.ts';

export const NOW = Date.UTC(2026, 5, 1, 12, 0, 0, 123);

const ids = fakeIds(Math.floor(Math.random() * 1_000_000));
let serial = Math.floor(Math.random() * 1_000_000_000);

export const newId = (): string => ids.ulid();
const unique = (): number => {
  serial += 1;
  return serial;
};

export function newAddress() {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(unique()));
  return addressFromBytes(bytes);
}

export function userRow(change: Partial<User> = {}): User {
  return {
    id: newId(),
    telegramId: 6_000_000_000n + BigInt(unique()),
    firstName: 'Ada',
    telegramLanguage: 'en',
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId: null,
    screenMessageId: null,
    blockedAt: null,
    createdAt: NOW,
    ...change,
  };
}

export function walletRow(change: Partial<Wallet> = {}): Wallet {
  return {
    id: newId(),
    userId: null,
    name: `Wallet ${unique()}`,
    address: newAddress(),
    createdAt: NOW,
    deletedAt: null,
    origin: 'made',
    confirmedAt: null,
    payoutFrom: null,
    ...change,
  };
}

export function secretRow(wallet: Wallet): WalletSecret {
  return {
    walletId: wallet.id,
    userId: wallet.userId,
    publicKey: wallet.address,
    version: 1,
    kekId: 'kek-1',
    wrappedDek: Uint8Array.from([0, 1, 2, 253, 254, 255]),
    sealedSeed: Uint8Array.from({ length: 60 }, (_, i) => i * 4),
  };
}

/** The same with a certificate of `TEST_CERTIFIER`. */
export function certifiedRow(wallet: Wallet): CertifiedKey {
  return { ...secretRow(wallet), certificate: TEST_CERTIFIER.wallet(wallet) };
}

/** Params of that kind: a row whose kind and params disagree is refused. */
function someParams(kind: Intent['kind']): Intent['params'] {
  if (kind === 'withdraw-sol') {
    const lamports = 18_446_744_073_709_551_615n;
    return { kind, destination: newAddress(), lamports, everything: false, tier: 'normal' };
  }
  const [params] = fc.sample<Intent['params']>(PARAMS_OF[kind], { seed: 1, numRuns: 1 });
  if (params === undefined) throw new Error('no sample');
  return params;
}

export function intentRow(wallet: Wallet, change: Partial<Intent> = {}): Intent {
  const params = change.params ?? someParams(change.kind ?? 'withdraw-sol');
  return {
    id: newId(),
    receipt: 'R-7F3K2',
    kind: params.kind,
    userId: wallet.userId,
    walletId: wallet.id,
    idemKey: `key-${unique()}`,
    confirmation: null,
    params,
    status: 'CREATED',
    notBefore: null,
    leaseOwner: null,
    leaseUntil: null,
    leaseEpoch: 0,
    outcome: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  };
}

export function attemptRow(intent: Intent, change: Partial<Attempt> = {}): Attempt {
  return {
    id: newId(),
    intentId: intent.id,
    n: 1,
    signedTransaction: Uint8Array.from({ length: 200 }, (_, i) => i),
    signature: `signature-${unique()}`,
    blockhash: 'blockhash',
    lastValidBlockHeight: 300_000_150n,
    signedSlot: 320_000_000n,
    signedAt: NOW,
    status: 'SIGNED',
    sendCount: 0,
    lastSentAt: null,
    landedSlot: null,
    chainError: null,
    deathProof: null,
    landingProof: null,
    terms: null,
    ...change,
  };
}

export function outboxRow(
  change: { readonly key?: string; readonly notBefore?: number | null } = {},
): OutboxRow {
  return {
    id: newId(),
    job: 'intent.step',
    data: { intentId: 'i' },
    key: change.key ?? `i-${unique()}`,
    notBefore: change.notBefore ?? null,
  };
}

export function buttonRow(userId: string, change: Partial<Button> = {}): Button {
  return {
    id: ids.token(),
    userId,
    action: 'trade:confirm',
    payload: { v: 1, d: { amount: '1', nested: [null, 'x'] } },
    expiresAt: NOW + 60_000,
    usedAt: null,
    ...change,
  };
}

export function noticeRow(userId: string, change: Partial<Notice> = {}): Notice {
  return {
    id: newId(),
    userId,
    intentId: null,
    kind: 'reward-paid',
    payload: { lamports: '5', signature: 'sig', source: 'referral' },
    createdAt: NOW,
    deliveredAt: null,
    attempts: 0,
    ...change,
  };
}

export function rewardRow(
  inviter: User,
  invitee: User,
  intent: Intent,
  change: Partial<Reward> = {},
): Reward {
  return {
    id: newId(),
    source: 'referral',
    inviterId: inviter.id,
    inviteeId: invitee.id,
    intentId: intent.id,
    signature: `reward-${unique()}`,
    feeLamports: 1_000n,
    lamports: 300n,
    status: 'ACCRUED',
    payoutIntentId: null,
    createdAt: NOW,
    ...change,
  };
}

/** A finalized trade's fee of `lamports`, all of it owed to `owner`. */
export function feeTransfer(
  owner: string,
  lamports: bigint,
  change: Partial<LedgerTransfer> = {},
): LedgerTransfer {
  return {
    id: newId(),
    key: `fee-${unique()}`,
    reason: 'trade-fee',
    ref: 'intent',
    currency: 'LAMPORT',
    entries: [
      { account: { kind: 'treasury' }, amount: -lamports },
      { account: { kind: 'referral-payable', owner }, amount: lamports },
    ],
    createdAt: NOW,
    ...change,
  };
}

/** Moves what is owed to `from` over to `to`: people on both sides. */
export function moveTransfer(from: string, to: string, lamports: bigint): LedgerTransfer {
  return feeTransfer(to, lamports, {
    reason: 'payout-hold',
    entries: [
      { account: { kind: 'referral-payable', owner: from }, amount: -lamports },
      { account: { kind: 'referral-payable', owner: to }, amount: lamports },
    ],
  });
}

/** A person with a wallet, stored. */
export async function storedPerson(
  stores: Stores,
  change: Partial<User> = {},
): Promise<{ user: User; wallet: Wallet }> {
  const { user } = await stores.users.insert(userRow(change));
  const wallet = walletRow({ userId: user.id });
  await stores.wallets.insert(PASSED, wallet, secretRow(wallet));
  return { user, wallet };
}

export async function storedIntent(stores: Stores, change: Partial<Intent> = {}): Promise<Intent> {
  const { wallet } = await storedPerson(stores);
  return (await stores.intents.insert(intentRow(wallet, change))).intent;
}
