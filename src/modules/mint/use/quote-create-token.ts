import type { Address } from '@tradepost/solana';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import type { ReceivableFee } from '../../../engine/fees/use/platform-fee.ts';
import type { CreateTokenParams } from '../../../engine/intents/kinds/create-token/params.ts';
import { planCreation } from '../../../engine/intents/kinds/create-token/plan.ts';
import type { PrepareTokenParams } from '../../../engine/intents/kinds/prepare-token/params.ts';
import { planPreparation } from '../../../engine/intents/kinds/prepare-token/plan.ts';
import type { Rehearse } from '../../../engine/transactions/use/rehearse-plan.ts';
import type { MintKeys } from '../../../platform/ports/mint-keys.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { OpenedAccount } from '../rules/mint-cost.ts';
import type { TokenDraft } from '../rules/token-draft.ts';
import type { MintDeps } from './mint-deps.ts';
import { type PreparedCreation, prepareCreation } from './prepare-creation.ts';

export type QuoteCreationDeps = MintDeps & {
  readonly treasury: Address;
  readonly createFeeLamports: () => bigint;
  readonly receivableFee: ReceivableFee;
  readonly mintKeys: MintKeys;
  readonly rehearse: Rehearse;
};

/** The figures that a person reads before they confirm. All lamports. */
export type CreationQuote = Pick<
  PreparedCreation,
  'powers' | 'safety' | 'warnings' | 'uri' | 'metadataHash' | 'transactions'
> & {
  readonly cost: {
    /** The accounts that are opened, with the rent locked in them. */
    readonly accounts: readonly OpenedAccount[];
    readonly rentLamports: bigint;
    /** The metadata program's own fee. */
    readonly metadataFeeLamports: bigint;
    /** At most; the signatures of every transaction and the tier's cap on priority for each. */
    readonly networkFeeLamports: bigint;
    readonly platformFeeLamports: bigint;
    /** At most. */
    readonly totalLamports: bigint;
  };
  readonly availableLamports: bigint;
  /** Lamports that the wallet lacks; 0 when it can pay. */
  readonly missingLamports: bigint;
  /** The whole creation. */
  readonly params: CreateTokenParams;
  /** The input of `confirmCreateToken`, plain data that the params codec keeps: the creation, or the first half of it. */
  readonly agreed: CreateTokenParams | PrepareTokenParams;
};

/** Signatures of the wallet and of the mint. */
const SIGNATURES = 2;
export const INTENT_ID_BYTES = 26;

/**
 * The plan of a custodial creation with its cost at the cluster's own rates. The draft's payer is the wallet; a mint of the caller's own
 * cannot be signed for here and is left out. Its document is stored once a simulation has succeeded: throws the refusal of that, and as
 * `prepareCreation`. A wallet that cannot pay is no error here: the quote gives the missing amount, and its document is not stored.
 */
export async function quoteCreateToken(
  deps: QuoteCreationDeps,
  request: {
    readonly wallet: Address;
    readonly draft: Omit<TokenDraft, 'payer' | 'newMint'>;
    readonly tier: PriorityTier;
  },
): Promise<CreationQuote> {
  const { wallet, draft, tier } = request;
  const { treasury } = deps;
  const [prepared, platformFeeLamports] = await Promise.all([
    prepareCreation(
      deps,
      { ...draft, payer: wallet },
      {
        memoBytes: INTENT_ID_BYTES,
        treasury,
        mayBeTwo: true,
      },
    ),
    deps.receivableFee(deps.createFeeLamports()),
  ]);
  const { uri, metadataHash, powers, safety, warnings, transactions } = prepared;
  const cost = costOf(prepared, tier, platformFeeLamports);
  const { totalLamports } = cost;
  const availableLamports = prepared.payerAccount?.lamports ?? 0n;
  const params = paramsOf(prepared, tier, platformFeeLamports);
  const agreed: CreationQuote['agreed'] =
    transactions === 2 ? { kind: 'prepare-token', creation: params, tier } : params;
  // A wallet that cannot pay makes no token, nor does a creation that the chain refuses: the document would be anybody's free storage.
  if (prepared.document !== null && availableLamports >= totalLamports) {
    await deps.rehearse(
      agreed.kind === 'prepare-token'
        ? planPreparation(deps, agreed, wallet)
        : await planCreation(deps, agreed, wallet),
      wallet,
    );
    await deps.metadata.put('json', prepared.document.bytes);
  }
  return {
    transactions,
    powers,
    safety,
    warnings,
    uri,
    metadataHash,
    cost,
    availableLamports,
    missingLamports: availableLamports >= totalLamports ? 0n : totalLamports - availableLamports,
    params,
    agreed,
  };
}

function costOf(
  { cost, transactions }: PreparedCreation,
  tier: PriorityTier,
  platformFeeLamports: bigint,
): CreationQuote['cost'] {
  const { accounts, rentLamports, metadataFeeLamports } = cost;
  const secondFee = transactions === 2 ? networkFeeCap(tier) : 0n;
  const networkFeeLamports = networkFeeCap(tier, SIGNATURES) + secondFee;
  const totalLamports = rentLamports + metadataFeeLamports + networkFeeLamports + platformFeeLamports;
  return {
    accounts,
    rentLamports,
    metadataFeeLamports,
    networkFeeLamports,
    platformFeeLamports,
    totalLamports,
  };
}

function paramsOf(
  { spec, way, uri, metadataHash, cost }: PreparedCreation,
  tier: PriorityTier,
  feeLamports: bigint,
): CreateTokenParams {
  const rentOf = (role: OpenedAccount['role']): bigint =>
    cost.accounts.find((opened) => opened.role === role)?.rentLamports ?? 0n;
  return {
    kind: 'create-token',
    spec,
    way,
    uri,
    metadataHash,
    recordLamports: rentOf('metadata') + cost.metadataFeeLamports,
    mintRentLamports: rentOf('mint'),
    holdingRentLamports: rentOf('holding'),
    feeLamports,
    tier,
  };
}
