import {
  type Address,
  addressFromBytes,
  type ChainAccount,
  type Instruction,
  type MetadataWay,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import { utf8Bytes } from '@tradepost/solana/bytes';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { type TokenSafety, tokenSafety } from '../../tokens/rules/safety.ts';
import { messageSize, PACKET_BYTES } from '../../trading/rules/message-size.ts';
import { type IsOwnLink, isDocumentLink } from '../rules/check-text.ts';
import {
  createTokenInstructions,
  finishTokenInstructions,
  prepareTokenInstructions,
} from '../rules/instructions/create-token.ts';
import { type MintCost, mintCost } from '../rules/mint-cost.ts';
import { tokenOf } from '../rules/mint-size.ts';
import { type PlannedToken, planToken } from '../rules/plan-token.ts';
import type { TokenProblem } from '../rules/problem.ts';
import type { TokenDraft } from '../rules/token-draft.ts';
import { type TokenPower, tokenPowers } from '../rules/token-powers.ts';
import type { MintDeps } from './mint-deps.ts';
import { type LocatedDocument, locateDocument } from './store-document.ts';

/** A checked creation with everything a person should know before agreeing to it. */
export type PreparedCreation = PlannedToken & {
  readonly way: MetadataWay;
  readonly uri: string;
  readonly metadataHash: string | null;
  /** Of ours, to be stored once the creation is known to work; null when the URI is the creator's own. */
  readonly document: LocatedDocument | null;
  readonly cost: MintCost;
  /** The fewest that hold it. */
  readonly transactions: 1 | 2;
  /** The powers of the creator and of the named authorities over holders. */
  readonly powers: readonly TokenPower[];
  /** The token's verdict, as buyers will read it. */
  readonly safety: TokenSafety;
  readonly warnings: readonly CreationWarning[];
  /** As it was read while checking; null when it holds nothing. */
  readonly payerAccount: ChainAccount | null;
};

export type CreationWarning =
  /** The cluster has no metadata program: the token has no name on the chain. */
  | { readonly code: 'NO_METADATA_PROGRAM' }
  /** The ticker can be mistaken for this well-known token's. */
  | { readonly code: 'LOOKS_LIKE'; readonly mint: Address };

/**
 * The longest memo and the fee's transfer, which a custodial creation has on top; and whether it may be made in two
 * transactions, which only we can carry through.
 */
export type Extras = {
  readonly memoBytes: number;
  readonly treasury: Address | null;
  readonly mayBeTwo: boolean;
};

/**
 * Checks a draft against the rules and against the chain, writes its metadata document and works out cost, powers and warnings.
 * Nothing is stored. Throws TOKEN_REQUEST_INVALID with every problem, CHAIN_UNREACHABLE, PUBLIC_URL_UNKNOWN.
 */
export async function prepareCreation(
  deps: MintDeps,
  draft: TokenDraft,
  extras: Extras,
): Promise<PreparedCreation> {
  const plan = planToken(draft, await ownLinks(deps, draft));
  if (plan.kind === 'refused') throw invalid(plan.problems);
  const { token } = plan;
  const { payer, newMint, spec } = token;
  const [way, { accounts }] = await Promise.all([
    deps.metadataWay(spec.program),
    deps.chain.accounts([payer, spec.mintTo, newMint ?? payer]),
  ]);
  const [itself, recipient, occupied] = accounts;
  const problems: TokenProblem[] = [];
  if (itself && (itself.owner !== SYSTEM_PROGRAM || itself.data.length > 0)) {
    problems.push({ field: 'payer', code: 'ADDRESS_NOT_A_WALLET' });
  }
  // A payer that is one has been named already.
  const isOther = spec.mintTo !== payer;
  if (isOther && recipient && (recipient.owner === TOKEN_PROGRAM || recipient.owner === TOKEN_2022_PROGRAM)) {
    problems.push({ field: 'mintToPubkey', code: 'RECIPIENT_IS_TOKEN_ACCOUNT' });
  }
  if (newMint !== null && occupied) problems.push({ field: 'newMint', code: 'MINT_EXISTS' });
  if (problems.length > 0) throw invalid(problems);

  const { uri, document } = await resolveUri(deps, token);
  const transactions = transactionsFor(token, way, uri, extras);
  const rentExemption = (bytes: number): Promise<bigint> => deps.chain.rentExemption(bytes);
  // Until there is a mint, the creator's address replaces its own: rules read it only to see whether it is a known token's.
  const safety = tokenSafety(tokenOf(spec, { mint: newMint ?? payer, creator: payer }, way), {
    epoch: 0n,
    wellKnown: deps.wellKnown,
  });
  return {
    ...token,
    way,
    uri,
    metadataHash: document?.sha256 ?? null,
    document,
    transactions,
    cost: await mintCost(spec, { way, uri, creator: payer, rentExemption }),
    powers: tokenPowers(spec, payer, way),
    safety,
    warnings: [
      ...(way === 'none' ? [{ code: 'NO_METADATA_PROGRAM' } as const] : []),
      ...safety.warnings.flatMap((warning) =>
        warning.code === 'SAME_SYMBOL' ? [{ code: 'LOOKS_LIKE', mint: warning.mint } as const] : [],
      ),
    ],
    payerAccount: itself ?? null,
  };
}

async function resolveUri(
  deps: Pick<MintDeps, 'metadata'>,
  { spec, metadata: source }: PlannedToken,
): Promise<{ readonly uri: string; readonly document: LocatedDocument | null }> {
  if (source.kind === 'uri') return { uri: source.uri, document: null };
  const { name, symbol } = spec;
  const document = await locateDocument(deps, { name, symbol, metadata: source.metadata });
  return { uri: document.uri, document };
}

/**
 * Every extension with a long URI of the creator's own can be more than a packet holds. Then it is made in two where that may be. Else only
 * the URI can shrink, and TOKEN_REQUEST_INVALID says how much of it fits.
 */
function transactionsFor(token: PlannedToken, way: MetadataWay, uri: string, extras: Extras): 1 | 2 {
  const { payer, spec } = token;
  const creation = {
    spec,
    way,
    uri,
    creator: payer,
    // Stand for addresses that are made or derived later: only that they are others' counts here.
    mint: placeholder(251),
    holding: placeholder(252),
    record: placeholder(253),
    mintRentLamports: 0n,
    fee: extras.treasury === null ? null : { treasury: extras.treasury, lamports: 0n },
  };
  const excessOf = (instructions: readonly Instruction[]): number =>
    messageSize(payer, instructions).bytes + envelopeBytes(extras) - PACKET_BYTES;
  const excess = excessOf(createTokenInstructions(creation));
  if (excess <= 0) return 1;
  const halves = [prepareTokenInstructions(creation), finishTokenInstructions(creation)];
  if (extras.mayBeTwo && halves.every((half) => excessOf(half) <= 0)) return 2;
  const maxBytes = Math.max(0, utf8Bytes(uri) - excess);
  throw invalid([{ field: 'metadataUri', code: 'TRANSACTION_TOO_LARGE', maxBytes }]);
}

/** The bytes that every transaction carries besides: compute budget (its key, a limit and a price) and memo (its key, header and text). */
export function envelopeBytes({ memoBytes }: Pick<Extras, 'memoBytes'>): number {
  const key = 32;
  return key + 8 + 12 + (memoBytes === 0 ? 0 : key + 3 + memoBytes);
}

export const placeholder = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte));

export function invalid(problems: readonly TokenProblem[]): AppError<'TOKEN_REQUEST_INVALID'> {
  return new AppError('TOKEN_REQUEST_INVALID', { problems });
}

/** Whose documents a creator may name by http: those below this service's own address. */
async function ownLinks({ metadata }: Pick<MintDeps, 'metadata'>, draft: TokenDraft): Promise<IsOwnLink> {
  if (draft.metadataUri === undefined || !isDocumentLink(draft.metadataUri)) return () => false;
  const sample = await metadata.locate('json', new Uint8Array()).catch((error: unknown) => {
    if (hasCode(error, 'PUBLIC_URL_UNKNOWN')) return null;
    throw error;
  });
  const base = sample?.uri.slice(0, sample.uri.lastIndexOf('/') + 1) ?? null;
  return (uri) => base !== null && isDocumentLink(uri) && uri.startsWith(base);
}
