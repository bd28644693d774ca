import { type Address, mulDivFloor, NO_SPEC_EXTENSIONS, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { utf8Bytes } from '@tradepost/solana/bytes';
import type { LaunchNames, LaunchOffer, Launchpad } from '@tradepost/venues';
import { AppError } from '../../../core/errors/app-error.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import { type LaunchDeps, launchpadOf } from '../../../engine/intents/kinds/launch/deps.ts';
import type { LaunchFirstBuy, LaunchParams } from '../../../engine/intents/kinds/launch/params.ts';
import { planLaunch } from '../../../engine/intents/kinds/launch/plan.ts';
import { formOfLaunch } from '../../../engine/intents/kinds/launch/size.ts';
import { NO_INTENT } from '../../../engine/transactions/use/rehearse-plan.ts';
import { planToken } from '../../mint/rules/plan-token.ts';
import type { TokenProblem } from '../../mint/rules/problem.ts';
import type { TokenMetadata } from '../../mint/rules/token-document.ts';
import { placeholder } from '../../mint/use/prepare-creation.ts';
import { INTENT_ID_BYTES } from '../../mint/use/quote-create-token.ts';
import { type LocatedDocument, locateDocument } from '../../mint/use/store-document.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';

export type LaunchRequest = {
  readonly wallet: Address;
  /** Key of the launchpad. */
  readonly pad: string;
  readonly symbol: string;
  /** The symbol when absent. */
  readonly name?: string;
  /** Wins over `metadata`. */
  readonly metadataUri?: string;
  readonly metadata?: TokenMetadata;
  /** 0 = no first buy. */
  readonly firstBuyLamports: bigint;
  /** Of the first buy: how much fewer tokens than quoted may arrive. */
  readonly slippageBps: number;
  readonly tier: PriorityTier;
};

/** The figures that a person reads before they confirm. All lamports, all at most. */
export type LaunchQuote = {
  readonly pad: { readonly name: string; readonly label: string };
  readonly decimals: number;
  readonly supply: bigint;
  /** The lamports that the curve takes before it is complete; null where they are not known. */
  readonly graduationLamports: bigint | null;
  readonly uri: string;
  readonly metadataHash: string | null;
  readonly firstBuy: LaunchFirstBuy | null;
  readonly cost: {
    /** The launchpad's fee and rent. */
    readonly padLamports: bigint;
    readonly platformFeeLamports: bigint;
    readonly firstBuyLamports: bigint;
    readonly networkFeeLamports: bigint;
    readonly totalLamports: bigint;
  };
  readonly availableLamports: bigint;
  /** Lamports that the wallet lacks; 0 when it can pay. */
  readonly missingLamports: bigint;
  /** The largest first buy that the wallet can pay for; 0 where it cannot pay for any, or none was asked for. */
  readonly mostFirstBuyLamports: bigint;
  /** The input of `confirmLaunch`; plain data that the params codec keeps. */
  readonly params: LaunchParams;
};

/** Signatures of the wallet and of the mint. */
const SIGNATURES = 2;

/**
 * A launch with its cost at the cluster's and the pad's own rates. The metadata document is stored, to wait for its token, when nothing is
 * wrong with the request, the wallet can pay and a simulation has succeeded. Throws the refusal of that simulation, LAUNCHPAD_UNAVAILABLE,
 * TOKEN_REQUEST_INVALID with every problem (ours and the pad's limits), LAUNCH_TOO_LARGE. Throws INSUFFICIENT_LIQUIDITY for a first buy
 * that the curve cannot take, and AMOUNT_DUST for one that brings nothing. Throws the errors of the chain and the metadata store. A wallet
 * that cannot pay is no error here: the quote gives the missing amount.
 */
export async function quoteLaunch(deps: LaunchDeps, request: LaunchRequest): Promise<LaunchQuote> {
  const pad = launchpadOf(deps.launchpads, request.pad);
  const offer = await pad.offer();
  if (offer === null) throw new AppError('LAUNCHPAD_UNAVAILABLE', { pad: pad.name });
  const { names, document } = await namesOf(deps, pad, request);
  const firstBuy = quoteFirstBuy(offer, request);
  await assertFits(deps, { pad, offer, names, firstBuy, wallet: request.wallet });
  const [padLamports, platformFeeLamports, availableLamports] = await Promise.all([
    offer.costLamports(names, firstBuy !== null),
    deps.receivableFee(deps.launchFeeLamports()),
    deps.chain.balance(request.wallet),
  ]);
  const networkFeeLamports = networkFeeCap(request.tier, SIGNATURES);
  const firstBuyLamports = firstBuy?.lamports ?? 0n;
  const totalLamports = padLamports + platformFeeLamports + firstBuyLamports + networkFeeLamports;
  const spare = availableLamports - (totalLamports - firstBuyLamports);
  const metadataHash = document?.sha256 ?? null;
  const params: LaunchParams = {
    kind: 'launch',
    pad: pad.name,
    program: pad.program,
    config: offer.config,
    spec: {
      program: offer.tokenProgram === TOKEN_2022_PROGRAM ? 'token2022' : 'token',
      name: names.name,
      symbol: names.symbol,
      decimals: offer.decimals,
      supply: offer.supply,
      mintTo: request.wallet,
      mintAuthority: false,
      freezeAuthority: false,
      updateAuthority: offer.updateAuthority,
      extensions: NO_SPEC_EXTENSIONS,
    },
    uri: names.uri,
    metadataHash,
    firstBuy,
    costLamports: padLamports,
    feeLamports: platformFeeLamports,
    tier: request.tier,
  };
  if (document !== null && availableLamports >= totalLamports) {
    await deps.rehearse(await planLaunch(deps, { id: NO_INTENT, params }, request.wallet), request.wallet);
    await deps.metadata.put('json', document.bytes);
  }
  return {
    pad: { name: pad.name, label: pad.label },
    decimals: offer.decimals,
    supply: offer.supply,
    graduationLamports: offer.graduationLamports,
    uri: names.uri,
    metadataHash,
    firstBuy,
    cost: { padLamports, platformFeeLamports, firstBuyLamports, networkFeeLamports, totalLamports },
    availableLamports,
    missingLamports: availableLamports >= totalLamports ? 0n : totalLamports - availableLamports,
    mostFirstBuyLamports: firstBuy === null || spare < 0n ? 0n : spare,
    params,
  };
}

/** Checked by our rules, which the mint planner owns, and by the pad's. */
async function namesOf(
  deps: LaunchDeps,
  pad: Launchpad,
  request: LaunchRequest,
): Promise<{ readonly names: LaunchNames; readonly document: LocatedDocument | null }> {
  const { wallet, symbol, name, metadataUri, metadata } = request;
  const plan = planToken({
    payer: wallet,
    symbol,
    ...(name === undefined ? {} : { name }),
    ...(metadataUri === undefined ? {} : { metadataUri }),
    ...(metadata === undefined ? {} : { metadata }),
  });
  const problems: TokenProblem[] = plan.kind === 'refused' ? [...plan.problems] : [];
  const limit = (field: string, text: string, maxBytes: number): void => {
    const known = problems.some((problem) => problem.field === field);
    if (!known && utf8Bytes(text) > maxBytes) problems.push({ field, code: 'TEXT_TOO_LONG', maxBytes });
  };
  limit('symbol', symbol, pad.limits.symbolBytes);
  limit('name', name ?? symbol, pad.limits.nameBytes);
  if (metadataUri !== undefined) limit('metadataUri', metadataUri, pad.limits.uriBytes);
  if (plan.kind === 'refused' || problems.length > 0)
    throw new AppError('TOKEN_REQUEST_INVALID', { problems });
  const { spec, metadata: source } = plan.token;
  const words = { name: spec.name, symbol: spec.symbol };
  if (source.kind === 'uri') return { names: { ...words, uri: source.uri }, document: null };
  const document = await locateDocument(deps, { ...words, metadata: source.metadata });
  return { names: { ...words, uri: document.uri }, document };
}

/**
 * Pads with long lists of accounts leave little room in version 0 beside a first buy, even with lookup tables. Throws LAUNCH_TOO_LARGE
 * before anything is agreed on that no transaction can hold.
 */
async function assertFits(
  deps: Pick<LaunchDeps, 'chain' | 'programs' | 'treasury' | 'lookupTables'>,
  launch: {
    readonly pad: Launchpad;
    readonly offer: LaunchOffer;
    readonly names: LaunchNames;
    readonly firstBuy: LaunchFirstBuy | null;
    readonly wallet: Address;
  },
): Promise<void> {
  const { pad, offer, names, firstBuy, wallet } = launch;
  const instructions = await offer.build({
    ...names,
    creator: wallet,
    // Stand for addresses that are made or derived later: only that they are others' counts here.
    mint: placeholder(251),
    holding: placeholder(252),
    firstBuy,
    seed: '0'.repeat(INTENT_ID_BYTES),
  });
  const fee = deps.programs.transferSol({ from: wallet, to: deps.treasury, lamports: 1n });
  await formOfLaunch(
    {
      payer: wallet,
      instructions: [fee, ...instructions],
      pad: pad.label,
      uri: names.uri,
      hasFirstBuy: firstBuy !== null,
    },
    {
      takesVersion1: () => deps.chain.takesVersion1(),
      tables: async () => (await deps.lookupTables?.usable()) ?? [],
    },
  );
}

function quoteFirstBuy(
  offer: LaunchOffer,
  { firstBuyLamports: lamports, slippageBps }: LaunchRequest,
): LaunchFirstBuy | null {
  if (lamports === 0n) return null;
  const quotedTokens = offer.firstBuy(lamports);
  if (quotedTokens === 0n) {
    // Nothing comes out for less than a unit's price, and nothing for more than the curve takes until it graduates. A pad
    // that names no such end is asked with a hundredth.
    const isLittle =
      offer.graduationLamports === null
        ? offer.firstBuy(lamports / 100n) === 0n
        : lamports < offer.graduationLamports;
    if (isLittle) throw new AppError('AMOUNT_DUST', { minimum: null });
    throw new AppError('INSUFFICIENT_LIQUIDITY', { mintIn: 'SOL', mintOut: '' });
  }
  const minTokens = mulDivFloor(quotedTokens, BigInt(10_000 - slippageBps), 10_000n);
  return { lamports, quotedTokens, minTokens, slippageBps };
}
