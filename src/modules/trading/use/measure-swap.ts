import { type Address, type ChainAccount, type Instruction, unitsHeld } from '@tradepost/solana';
import { marketPrice } from '../../../engine/fees/use/network-fee.ts';
import { compileDraft, measured } from '../../../engine/transactions/use/measure.ts';
import type { Blockhash, Chain, CompiledMessage } from '../../../platform/ports/chain.ts';
import type { TradePlan, Trader } from './assemble-trade.ts';
import { isNative } from './swap-terms.ts';
import type { SwapDeps } from './trading-deps.ts';

export type MeasuredSwap = {
  readonly message: CompiledMessage;
  /** The instructions of the compute budget that the message begins with. */
  readonly budget: readonly Instruction[];
  readonly networkLamports: bigint;
  /** Units of the output token that the simulation brought; null when it is SOL, where the network fee is mixed in. */
  readonly simulatedOut: bigint | null;
  /** The gain of the trader's account of the output, in lamports where it is SOL. For comparing two swaps with each other. */
  readonly gained: bigint;
};

/**
 * Runs a swap that another person will sign on the chain's present state and gives the message with the compute budget that it needs. Only
 * the accounts that the plan speaks of are compared: a stranger's others are none of ours to read. Throws as `measured`.
 */
export async function measureSwap(
  deps: Pick<SwapDeps, 'chain' | 'compiler' | 'programs'>,
  {
    plan,
    trader,
    payer,
    blockhash,
    known,
  }: {
    readonly plan: TradePlan;
    readonly trader: Trader;
    /** Pays the network's fee. */
    readonly payer: Address;
    readonly blockhash: Blockhash;
    /** Accounts of the trader as they were read just before; the rest is read here. */
    readonly known: ReadonlyMap<Address, ChainAccount | null>;
  },
): Promise<MeasuredSwap> {
  const { wallet, accountOut } = trader;
  const addresses = [wallet, ...plan.expect.tokens.map(({ account }) => account)];
  const input = { payer, blockhash: blockhash.blockhash, plan, before: [] };
  const draft = compileDraft(deps, input);
  const [price, before, simulation] = await Promise.all([
    marketPrice(deps.chain, { payer, own: addresses }, plan.instructions, plan.tier),
    statesOf(deps.chain, addresses, known),
    deps.chain.simulate(draft.bytes, addresses),
  ]);
  const { message, fee, ...judged } = await measured(deps, input, {
    draft,
    simulation,
    watched: { addresses, before },
    marketPrice: price,
  });
  const buysSol = isNative(trader.tokenOut.mint, trader);
  const at = buysSol ? 0 : addresses.indexOf(accountOut);
  const [had, has] = [judged.watched.before[at] ?? null, judged.simulation.after[at] ?? null];
  const gained = buysSol ? (has?.lamports ?? 0n) - (had?.lamports ?? 0n) : unitsHeld(has) - unitsHeld(had);
  return {
    message,
    budget: deps.programs.computeBudget(fee),
    networkLamports: fee.totalLamports,
    simulatedOut: buysSol ? null : gained,
    gained,
  };
}

async function statesOf(
  chain: Pick<Chain, 'accounts'>,
  addresses: readonly Address[],
  known: ReadonlyMap<Address, ChainAccount | null>,
): Promise<readonly (ChainAccount | null)[]> {
  const missing = addresses.filter((one) => !known.has(one));
  const { accounts } = missing.length === 0 ? { accounts: [] } : await chain.accounts(missing);
  return addresses.map((one) => known.get(one) ?? accounts[missing.indexOf(one)] ?? null);
}
