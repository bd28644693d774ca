import { deriveKey, type Genesis } from '@tradepost/local-chain';
import { TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { DeskPool } from './pool.ts';
import { POOL_PLANS, type PoolPlan } from './pool-plans.ts';

/** The desk's pools of a new chain: each a maker with two accounts, filled by genesis. */
export function createPools(genesis: Genesis): readonly DeskPool[] {
  return POOL_PLANS.map((plan) => createPool(genesis, plan));
}

function createPool(genesis: Genesis, plan: PoolPlan): DeskPool {
  const keyLabel = `maker:${plan.desk}:${plan.a.symbol}/${plan.b.symbol}`;
  const maker = deriveKey(genesis.seed, keyLabel).address;
  const fill = (side: PoolPlan['a']) => {
    const token =
      side.symbol === 'SOL'
        ? { mint: WSOL_MINT, program: TOKEN_PROGRAM, decimals: 9 }
        : genesis.tokens.find(({ symbol }) => symbol === side.symbol);
    if (token === undefined) throw new Error(`Pool ${keyLabel} names the unknown token ${side.symbol}.`);
    const scale = 10n ** BigInt(token.decimals);
    const vault = genesis.give(maker, token.mint, side.vault * scale);
    return { token, vault, virtual: (side.virtual ?? 0n) * scale };
  };
  const [a, b] = [fill(plan.a), fill(plan.b)];
  return {
    id: maker,
    desk: plan.desk,
    kind: plan.kind,
    mintA: a.token.mint,
    mintB: b.token.mint,
    vaultA: a.vault,
    vaultB: b.vault,
    programA: a.token.program,
    programB: b.token.program,
    decimalsA: a.token.decimals,
    decimalsB: b.token.decimals,
    feeBps: plan.feeBps,
    virtualA: a.virtual,
    virtualB: b.virtual,
    keyLabel,
  };
}
