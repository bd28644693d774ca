import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { marketPrice, networkFee } from '../../../engine/fees/use/network-fee.ts';
import { compileDraft, MAX_UNITS, measured } from '../../../engine/transactions/use/measure.ts';
import type { Chain, MessageCompiler } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { MetadataStore } from '../../../platform/ports/metadata-store.ts';
import type { MintKey, MintKeys } from '../../../platform/ports/mint-keys.ts';
import { createTokenInstructions } from '../rules/instructions/create-token.ts';
import { tokenProgramOf } from '../rules/mint-size.ts';
import type { TokenDraft } from '../rules/token-draft.ts';
import type { MintDeps } from './mint-deps.ts';
import { type PreparedCreation, prepareCreation } from './prepare-creation.ts';

export type BuildTokenDeps = Omit<MintDeps, 'metadata'> & {
  readonly metadata: Pick<MetadataStore, 'locate' | 'put' | 'awaitMint'>;
  readonly clock: Clock;
  readonly chain: Chain;
  readonly compiler: MessageCompiler;
  readonly mintKeys: MintKeys;
};

/** A creation as the payer submits it. */
export type BuiltToken = PreparedCreation & {
  readonly mint: Address;
  /** Wire bytes: signed by a generated mint, with zeros where the payer and a mint of the caller's own sign. */
  readonly transaction: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** Milliseconds for which its blockhash is taken; absent where blocks are not measured. */
  readonly livesMs: number;
  readonly networkLamports: bigint;
};

const TIER = 'normal';
const UNSIGNED = new Uint8Array(64);

/**
 * The whole creation in one transaction, simulated on the chain's present state. Nothing is sent. The metadata document is
 * stored when the simulation has succeeded and `mayStore` (the caller's quota, say) does not throw, and waits there for the
 * mint. A generated mint's secret exists until it has signed. Throws as `prepareCreation`, and
 * INSUFFICIENT_LAMPORTS, RENT_REMAINDER, SIMULATION_FAILED.
 */
export async function buildToken(
  deps: BuildTokenDeps,
  draft: TokenDraft,
  mayStore: () => void = () => undefined,
): Promise<BuiltToken> {
  const prepared = await prepareCreation(deps, draft, { memoBytes: 0, treasury: null, mayBeTwo: false });
  const { payer, cost } = prepared;
  const spent = cost.rentLamports + cost.metadataFeeLamports;
  const key: MintKey | null = prepared.newMint === null ? deps.mintKeys.generate() : null;
  const mint = prepared.newMint ?? key?.address ?? payer;
  const instructions = creationOf(deps, prepared, mint);
  const [blockhash, price] = await Promise.all([
    deps.chain.latestBlockhash(),
    marketPrice(deps.chain, { payer }, instructions, TIER),
  ]);
  const expect = { maxLamportsOut: spent, minLamportsIn: null, tokens: [] };
  const plan = { instructions, tier: TIER, units: null, terms: null, expect, coSign: null } as const;
  const input = { payer, blockhash: blockhash.blockhash, plan, before: [] };
  const draftMessage = compileDraft(deps, input);
  const available = prepared.payerAccount?.lamports ?? 0n;
  if (available < spent) {
    const signatures = draftMessage.signers.length;
    const fees = networkFee({
      units: MAX_UNITS,
      marketPrice: price,
      tier: TIER,
      signatures,
    }).totalLamports;
    throw new AppError('INSUFFICIENT_LAMPORTS', { needed: spent + fees, available, amount: spent, fees });
  }
  const watched = { addresses: [payer], before: [prepared.payerAccount] };
  const simulation = await deps.chain.simulate(draftMessage.bytes, watched.addresses);
  const { message, fee } = await measured(deps, input, {
    draft: draftMessage,
    simulation,
    watched,
    marketPrice: price,
  });

  if (prepared.document !== null) {
    mayStore();
    await keepDocument(deps, mint, prepared.document);
  }

  const signatures = new Map<Address, Uint8Array>([
    [mint, key?.sign(message.bytes) ?? UNSIGNED],
    [payer, UNSIGNED],
  ]);
  return {
    ...prepared,
    mint,
    transaction: deps.compiler.assemble(message, signatures),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    livesMs: blockhash.livesMs,
    networkLamports: fee.totalLamports,
  };
}

/** The document waits for its mint. The wait is written first: a document without one goes after a day. */
async function keepDocument(
  { metadata, clock }: BuildTokenDeps,
  mint: Address,
  { sha256, uri, bytes }: NonNullable<PreparedCreation['document']>,
): Promise<void> {
  await metadata.awaitMint({ mint, sha256, uri, since: clock.now() });
  await metadata.put('json', bytes);
}

function creationOf(
  { programs }: Pick<MintDeps, 'programs'>,
  { payer, spec, way, uri, cost }: PreparedCreation,
  mint: Address,
) {
  return createTokenInstructions({
    spec,
    way,
    uri,
    creator: payer,
    mint,
    holding: programs.associatedTokenAddress(spec.mintTo, mint, tokenProgramOf(spec)),
    record: way === 'metaplex' ? programs.metadataRecordAddress(mint) : null,
    mintRentLamports: cost.accounts.find(({ role }) => role === 'mint')?.rentLamports ?? 0n,
    fee: null,
  });
}
