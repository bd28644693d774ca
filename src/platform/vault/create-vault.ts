import { randomBytes } from 'node:crypto';
import { type Address, TOKEN_ACCOUNT_BYTES } from '@tradepost/solana';
import { AppError, hasCode } from '../../core/errors/app-error.ts';
import type { HeldAccounts } from '../../engine/signing/rules/account-book.ts';
import { lookupTablesOf, UndecodableMessageError } from '../../engine/signing/rules/decode-message.ts';
import { accountsToKnow, heldAccounts } from '../../engine/signing/rules/held-accounts.ts';
import type { TipRules } from '../../engine/signing/rules/kind-policy.ts';
import { assertPolicy, readsHoldings } from '../../engine/signing/rules/policy.ts';
import type { WalletStore } from '../../modules/wallets/store/wallet-store-port.ts';
import type { Chain } from '../ports/chain.ts';
import type { KeyHolder } from '../ports/key-holder.ts';
import type { LookupTables } from '../ports/lookup-tables.ts';
import { associatedAccount } from './associated-account.ts';
import type { Keyring } from './kek.ts';
import { createKeyTransfer } from './key-transfer.ts';
import { sealSeed, unsealSeed } from './seal.ts';
import { seedAddress, signWithSeed } from './seed-signer.ts';

export type VaultDeps = {
  readonly keyring: Keyring;
  readonly secrets: Pick<WalletStore, 'secret'>;
  /** Programs that a trade may call beside the common ones. */
  readonly venuePrograms: readonly Address[];
  /** Programs of the aggregators that are switched on. */
  readonly aggregatorPrograms?: readonly Address[];
  /** True where trades may go through the public router program. */
  readonly routerProgram?: boolean;
  /** Accounts that a tip may go to, and how much; without them no tip is signed. */
  readonly tips?: TipRules;
  /** The operator's own tables; without them no message that looks anything up is signed. */
  readonly lookupTables?: Pick<LookupTables, 'verified'>;
  /** Shows the wallet's balances; without it no message is signed whose outcome only a balance can prove. */
  readonly chain?: Pick<Chain, 'accounts' | 'rentExemption'>;
};

/** The vault over Node's own AES-GCM and libsodium's Ed25519. Seeds and data keys exist in wiped buffers for the length of one call. */
export function createVault({ keyring, secrets, lookupTables, chain, ...programs }: VaultDeps): KeyHolder {
  const transfer = createKeyTransfer({ keyring, secrets });
  return {
    holds: (wallet) =>
      transfer
        .withSeed(wallet, async () => true)
        .catch((error: unknown) => {
          if (hasCode(error, 'SECRET_UNREADABLE')) return false;
          throw error;
        }),
    async create({ walletId, userId }) {
      const seed = randomBytes(32);
      try {
        const publicKey = seedAddress(seed);
        return await sealSeed(seed, { walletId, userId, publicKey }, keyring.current);
      } finally {
        seed.fill(0);
      }
    },

    async sign({ intent, wallet, message, treasury }) {
      // A copy: the caller's buffer could change between the check and the signature.
      const bytes = new Uint8Array(message);
      if (intent.walletId !== wallet.id) throw new AppError('POLICY_DENIED', { rule: 'signers' });
      // Read again, however fresh those were that the message was built with.
      const tables = looksUp(bytes) ? ((await lookupTables?.verified()) ?? []) : [];
      const toKnow = readsHoldings(intent.params.kind) ? accountsToKnow(bytes, wallet.address, tables) : [];
      assertPolicy(bytes, {
        intent,
        wallet: wallet.address,
        treasury,
        ...programs,
        lookupTables: tables,
        associated: associatedAccount,
        ...(chain === undefined ? {} : await lookAt(chain, wallet.address, toKnow)),
      });
      const secret = await secrets.secret(wallet.id);
      const unreadable = new AppError('SECRET_UNREADABLE', { walletId: wallet.id });
      // The row must be this wallet's and this person's: a swapped row would sign with a stranger's key.
      if (secret === null || secret.walletId !== wallet.id || secret.userId !== wallet.userId)
        throw unreadable;
      if (secret.publicKey !== wallet.address) throw unreadable;
      const seed = await unsealSeed(secret, keyring);
      try {
        if (seed.length !== 32) throw unreadable;
        const { address, signature } = signWithSeed(seed, bytes);
        if (address !== wallet.address) throw unreadable;
        return signature;
      } finally {
        seed.fill(0);
      }
    },
  };
}

/**
 * The wallet's own of these accounts, and a token account's rent, as the chain has them now: the builder of the message is not asked about
 * them.
 */
async function lookAt(
  chain: Pick<Chain, 'accounts' | 'rentExemption'>,
  wallet: Address,
  addresses: readonly Address[],
): Promise<{ readonly held: HeldAccounts; readonly tokenAccountRent?: bigint }> {
  if (addresses.length === 0) return { held: new Map() };
  const [{ accounts }, tokenAccountRent] = await Promise.all([
    chain.accounts(addresses),
    chain.rentExemption(TOKEN_ACCOUNT_BYTES),
  ]);
  return { held: heldAccounts(wallet, addresses, accounts), tokenAccountRent };
}

/** Whether the message names any lookup table. The policy refuses a message that cannot be decoded. */
function looksUp(message: Uint8Array): boolean {
  try {
    return lookupTablesOf(message).length > 0;
  } catch (error) {
    if (error instanceof UndecodableMessageError) return false;
    throw error;
  }
}
