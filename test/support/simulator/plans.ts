import { createHash } from 'node:crypto';
import { type Address, addressFromBytes } from '@tradepost/solana';
import { createCloseAccountsPlan } from '../../../src/engine/intents/kinds/close-accounts/plan.ts';
import type { CreateTokenParams } from '../../../src/engine/intents/kinds/create-token/params.ts';
import { createTokenPlanBuilder } from '../../../src/engine/intents/kinds/create-token/plan.ts';
import { createPayoutPlan } from '../../../src/engine/intents/kinds/payout/plan.ts';
import { createPreparationPlanBuilder } from '../../../src/engine/intents/kinds/prepare-token/plan.ts';
import { createRevocationPlanBuilder } from '../../../src/engine/intents/kinds/revoke-authority/plan.ts';
import { createWithdrawSolPlan } from '../../../src/engine/intents/kinds/withdraw-sol/plan.ts';
import type { PlanBuilders, TransactionPlan } from '../../../src/engine/transactions/use/plan.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import type { Ids } from '../../../src/platform/ports/ids.ts';
import type { MintKey } from '../../../src/platform/ports/mint-keys.ts';
import type { Programs } from '../../../src/platform/ports/programs.ts';
import { addressNamed } from './keys.ts';

/** Where every simulated trade's lamports go: the simulated cluster has no tokens, the engine under test does not look. */
export const VENUE: Address = addressFromBytes(new Uint8Array(32).fill(77));
export const TREASURY: Address = addressNamed('treasury');

/**
 * The real plans where lamports move or a token is made; for tokens that move and trades, plans that move lamports and carry
 * the platform fee. A launch is a creation that pays for its first buy at the venue, where prices change.
 */
export function simulatedPlans(chain: Chain, programs: Programs, ids: Pick<Ids, 'ulid'>): PlanBuilders {
  const mintKeys = { generate: () => simulatedMintKey(ids.ulid()) };
  const create = createTokenPlanBuilder({
    chain,
    programs,
    treasury: TREASURY,
    mintKeys,
    receivableFee: async (lamports) => {
      await chain.accounts([TREASURY]);
      return lamports;
    },
  });
  // The simulated cluster has lamports alone: no tokens arrive.
  const withoutTokens = (
    plan: TransactionPlan,
    maxLamportsOut = plan.expect.maxLamportsOut,
  ): TransactionPlan => ({
    ...plan,
    expect: { ...plan.expect, maxLamportsOut, tokens: [] },
  });
  const moving = (from: Address, moves: readonly (readonly [Address, bigint])[]): TransactionPlan => ({
    instructions: moves.map(([to, lamports]) => programs.transferSol({ from, to, lamports })),
    tier: 'normal',
    units: null,
    terms: null,
    expect: {
      maxLamportsOut: moves.reduce((sum, [, lamports]) => sum + lamports, 0n),
      minLamportsIn: null,
      tokens: [],
    },
    coSign: null,
  });
  return {
    'prepare-token': createPreparationPlanBuilder({ programs, mintKeys }),
    'create-token': async (...of) => withoutTokens(await create(...of)),
    'revoke-authority': createRevocationPlanBuilder(),
    'close-accounts': createCloseAccountsPlan({ programs }),
    launch: async (intent, wallet, ...rest) => {
      const { firstBuy, ...params } = intent.params;
      const creation: CreateTokenParams = {
        ...params,
        kind: 'create-token',
        way: 'native',
        recordLamports: 0n,
        mintRentLamports: params.costLamports,
        holdingRentLamports: 0n,
      };
      const plan = await create({ ...intent, params: creation }, wallet, ...rest);
      const lamports = firstBuy?.lamports ?? 0n;
      const buy = programs.transferSol({ from: wallet.address, to: VENUE, lamports });
      return withoutTokens(
        { ...plan, instructions: [...plan.instructions, buy] },
        plan.expect.maxLamportsOut + lamports,
      );
    },
    'withdraw-sol': createWithdrawSolPlan({ chain, programs }),
    payout: createPayoutPlan({ chain, programs }),
    'withdraw-token': async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      return moving(wallet.address, [[params.destination, params.amount]]);
    },
    buy: async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      const fee = params.terms.platformFeeLamports;
      return {
        ...moving(wallet.address, [
          [VENUE, params.lamportsIn - fee],
          [TREASURY, fee],
        ]),
        terms: params.terms,
      };
    },
    sell: async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      const fee = params.terms.platformFeeLamports;
      return {
        ...moving(wallet.address, [
          [VENUE, params.amountIn],
          [TREASURY, fee],
        ]),
        terms: params.terms,
      };
    },
  };
}

/** An address and signatures that look like a key's: the simulated cluster checks no signature. */
function simulatedMintKey(seed: string): MintKey {
  return {
    address: addressFromBytes(createHash('sha256').update(seed).digest()),
    sign: (message) => createHash('sha512').update(seed).update(message).digest(),
  };
}
