import { type Address, minBigint } from '@tradepost/solana';
import { AppError } from '../../../../core/errors/app-error.ts';
import { tokenProgramOf } from '../../../../modules/mint/rules/mint-size.ts';
import type { PlanBuilder, TransactionPlan } from '../../../transactions/use/plan.ts';
import { withTip } from '../../../transactions/use/tip-plan.ts';
import { type LaunchDeps, launchpadOf } from './deps.ts';
import type { LaunchParams } from './params.ts';
import { formOfLaunch } from './size.ts';

/**
 * One attempt of a confirmed launch: a mint of its own, on the pad's terms of this moment. Throws PRICE_MOVED when they bring the first buy
 * less than its minimum, and LAUNCHPAD_UNAVAILABLE when the pad or its configuration is gone. Throws LAUNCH_TOO_LARGE when its quoted
 * lookup tables are gone. The mint's key signs after the simulation and is gone.
 */
export function createLaunchPlanBuilder(deps: LaunchDeps): PlanBuilder<'launch'> {
  return async (intent, wallet, _attemptId, n) =>
    withTip(await planLaunch(deps, intent, wallet.address), {
      programs: deps.programs,
      wallet: wallet.address,
      tip: intent.params.tip,
      n,
    });
}

/** `id` is the intent's: addresses of the launch follow from it. */
export async function planLaunch(
  deps: LaunchDeps,
  { id, params }: { readonly id: string; readonly params: LaunchParams },
  creator: Address,
): Promise<TransactionPlan> {
  const { firstBuy, spec, uri } = params;
  const pad = launchpadOf(deps.launchpads, params.pad);
  const offer = await pad.offer();
  if (
    offer === null ||
    offer.config !== params.config ||
    offer.supply !== spec.supply ||
    offer.updateAuthority !== spec.updateAuthority
  ) {
    throw new AppError('LAUNCHPAD_UNAVAILABLE', { pad: pad.name });
  }
  if (firstBuy !== null) {
    const got = offer.firstBuy(firstBuy.lamports);
    if (got < firstBuy.minTokens) throw new AppError('PRICE_MOVED', { minOut: firstBuy.minTokens, got });
  }
  const fee = minBigint(await deps.receivableFee(params.feeLamports), params.feeLamports);
  const key = deps.mintKeys.generate();
  const mint = key.address;
  const holding = deps.programs.associatedTokenAddress(creator, mint, tokenProgramOf(spec));
  const launch = await offer.build({
    name: spec.name,
    symbol: spec.symbol,
    uri,
    creator,
    mint,
    holding,
    firstBuy,
    seed: id,
  });
  const pay = { from: creator, to: deps.treasury, lamports: fee };
  const instructions = [...(fee === 0n ? [] : [deps.programs.transferSol(pay)]), ...launch];
  const form = await formOfLaunch(
    { payer: creator, instructions, pad: pad.label, uri, hasFirstBuy: firstBuy !== null },
    {
      takesVersion1: async () => params.tip === undefined && (await deps.chain.takesVersion1()),
      // Not those of some seconds ago: an outage is to be tried again, and is no launch that is too large.
      tables: async () => (await deps.lookupTables?.verified()) ?? [],
    },
  );
  return {
    instructions,
    ...form,
    tier: params.tier,
    units: null,
    terms: null,
    expect: {
      maxLamportsOut: fee + params.costLamports + (firstBuy?.lamports ?? 0n),
      minLamportsIn: null,
      tokens: firstBuy === null ? [] : [{ account: holding, mint, minDelta: firstBuy.minTokens }],
    },
    coSign: async (message) => new Map([[mint, key.sign(message)]]),
  };
}
