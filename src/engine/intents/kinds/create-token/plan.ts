import { type Address, MINT_BYTES, minBigint } from '@tradepost/solana';
import { AppError } from '../../../../core/errors/app-error.ts';
import {
  createTokenInstructions,
  finishTokenInstructions,
} from '../../../../modules/mint/rules/instructions/create-token.ts';
import { tokenProgramOf } from '../../../../modules/mint/rules/mint-size.ts';
import type { Chain } from '../../../../platform/ports/chain.ts';
import type { MintKeys } from '../../../../platform/ports/mint-keys.ts';
import type { Programs } from '../../../../platform/ports/programs.ts';
import type { ReceivableFee } from '../../../fees/use/platform-fee.ts';
import type { PlanBuilder, TransactionPlan } from '../../../transactions/use/plan.ts';
import type { CreateTokenParams } from './params.ts';

/** Where either token program keeps a mint's supply. */
const SUPPLY_AT = 36;

export type CreationPlanDeps = {
  readonly chain: Pick<Chain, 'accounts'>;
  readonly programs: Programs;
  readonly mintKeys: MintKeys;
  readonly receivableFee: ReceivableFee;
  readonly treasury: Address;
};

/**
 * One attempt of a confirmed creation: a mint of its own, the agreed parameters to the letter, and the platform's fee in the same
 * transaction. So a creation that fails costs no fee. The mint's key signs after the simulation and is gone. Where an earlier transaction
 * prepared the mint, the rest of it and the fee.
 */
export function createTokenPlanBuilder(deps: CreationPlanDeps): PlanBuilder<'create-token'> {
  return ({ params }, wallet) => planCreation(deps, params, wallet.address);
}

export async function planCreation(
  deps: CreationPlanDeps,
  params: CreateTokenParams,
  creator: Address,
): Promise<TransactionPlan> {
  const { programs, treasury } = deps;
  const { spec, way, uri, prepared } = params;
  if (prepared !== undefined) await assertEmpty(deps.chain, prepared.mint);
  const lamports = minBigint(await deps.receivableFee(params.feeLamports), params.feeLamports);
  const key = prepared === undefined ? deps.mintKeys.generate() : null;
  const mint = key?.address ?? prepared?.mint ?? creator;
  const build = key === null ? finishTokenInstructions : createTokenInstructions;
  const holding = programs.associatedTokenAddress(spec.mintTo, mint, tokenProgramOf(spec));
  return {
    instructions: build({
      spec,
      way,
      uri,
      creator,
      mint,
      holding,
      record: way === 'metaplex' ? programs.metadataRecordAddress(mint) : null,
      mintRentLamports: params.mintRentLamports,
      fee: lamports === 0n ? null : { treasury, lamports },
    }),
    tier: params.tier,
    units: null,
    terms: null,
    expect: {
      maxLamportsOut:
        params.holdingRentLamports +
        (key === null ? 0n : params.mintRentLamports + params.recordLamports) +
        lamports,
      minLamportsIn: null,
      tokens: spec.mintTo === creator ? [{ account: holding, mint, minDelta: spec.supply }] : [],
    },
    coSign: key === null ? null : async (message) => new Map([[mint, key.sign(message)]]),
  };
}

/**
 * A database that was restored from before the second half does not know that it landed: the chain does, and a supply must not
 * be made twice. Throws MINT_FILLED, and CHAIN_UNREACHABLE while a node does not know the mint yet; one that its creator closed
 * is never known again, and the request for it expires.
 */
async function assertEmpty(chain: Pick<Chain, 'accounts'>, mint: Address): Promise<void> {
  // Read anew: the known facts of a token may be minutes old.
  const [account] = (await chain.accounts([mint])).accounts;
  // Lamports alone: a transfer of some to a closed mint leaves an account without its bytes.
  if (!account || account.data.length < MINT_BYTES)
    throw new AppError('CHAIN_UNREACHABLE', { endpoint: '', cause: `no mint ${mint} yet` });
  const { data } = account;
  const supply = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(SUPPLY_AT, true);
  if (supply > 0n) throw new AppError('MINT_FILLED', { mint });
}
