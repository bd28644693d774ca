import { createReceivableFee } from '../../../src/engine/fees/use/platform-fee.ts';
import type { CreateTokenParams } from '../../../src/engine/intents/kinds/create-token/params.ts';
import type { PrepareTokenParams } from '../../../src/engine/intents/kinds/prepare-token/params.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import type { RevocableAuthority } from '../../../src/modules/mint/rules/instructions/revoke-authority.ts';
import type { TokenDraft } from '../../../src/modules/mint/rules/token-draft.ts';
import { confirmCreateToken, confirmRevokeAuthority } from '../../../src/modules/mint/use/confirm-mint.ts';
import { createMetadataWay } from '../../../src/modules/mint/use/metadata-way.ts';
import { quoteCreateToken } from '../../../src/modules/mint/use/quote-create-token.ts';
import { quoteRevokeAuthority } from '../../../src/modules/mint/use/quote-revoke-authority.ts';
import type { MetadataStore } from '../../../src/platform/ports/metadata-store.ts';
import type { MoneyRig } from '../../engine/transactions/money-rig.ts';
import { readMint } from './read-mint.ts';

export type Person = Awaited<ReturnType<MoneyRig['person']>>;
/** What a person chooses; payer and mint are the desk's. */
export type Request = Omit<TokenDraft, 'payer' | 'newMint'>;

/** Creates and revokes as the chat does: quote, confirm, wait for the intent. `rig` is asked at each call. */
export function createMintDesk(deps: {
  readonly rig: () => MoneyRig;
  readonly metadata: MetadataStore;
  /** Begins every idempotency key. */
  readonly title: string;
  readonly feeLamports: bigint;
}) {
  const { rig } = deps;
  let serial = 0;
  const key = (): string => {
    serial += 1;
    return `${deps.title}/${serial}`;
  };
  const receivableFee = (lamports: bigint) => {
    const { chain, treasury, deps: rest } = rig();
    return createReceivableFee({ chain, clock: rest.clock, treasury: treasury.address })(lamports);
  };
  const quote = (who: Person, draft: Request) => {
    const { chain, programs, treasury, deps: rest } = rig();
    return quoteCreateToken(
      {
        chain,
        programs,
        metadata: deps.metadata,
        metadataWay: createMetadataWay({ chain, clock: rest.clock }),
        wellKnown: [],
        treasury: treasury.address,
        createFeeLamports: () => deps.feeLamports,
        receivableFee,
        mintKeys: rig().launch.mintKeys,
        rehearse: rig().launch.rehearse,
      },
      { wallet: who.wallet.address, draft, tier: 'normal' },
    );
  };
  const confirming = (needsReferralAccount = false) => ({
    db: rig().deps.db,
    needsReferralAccount,
    createIntent: (input: Parameters<typeof createIntent>[1]) => createIntent(rig().deps, input),
  });
  const confirm = (
    who: Person,
    params: CreateTokenParams | PrepareTokenParams,
    idemKey = key(),
    needsReferral = false,
  ) =>
    confirmCreateToken(confirming(needsReferral), {
      userId: who.userId,
      walletId: who.wallet.id,
      idemKey,
      params,
    });
  const create = async (who: Person, draft: Request) => {
    const agreed = await quote(who, draft);
    const { intent } = await confirm(who, agreed.agreed);
    return { agreed, intent: await rig().settled(intent.id) };
  };
  const revoke = async (who: Person, mint: string, authority: RevocableAuthority) => {
    const agreed = await quoteRevokeAuthority(
      { db: rig().deps.db, chain: rig().chain, programs: rig().programs },
      { userId: who.userId, mint: mint as never, authority, tier: 'normal' },
    );
    const { intent } = await confirmRevokeAuthority(confirming(), {
      userId: who.userId,
      walletId: agreed.walletId,
      idemKey: key(),
      params: agreed.params,
    });
    return rig().settled(intent.id);
  };
  const mintAt = async (mint: string) => {
    const [account] = (await rig().chain.accounts([mint as never])).accounts;
    if (!account) throw new Error('no such mint');
    return readMint(mint as never, account);
  };
  return { key, receivableFee, quote, confirming, confirm, create, revoke, mintAt };
}
