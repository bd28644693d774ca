import type { Address } from '../../core/address/address.ts';
import { SYSTEM_PROGRAM, WSOL_MINT } from '../../core/address/programs.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { Blockhash, Chain, ChainAccount, CompiledMessage } from '../../core/ports/chain.ts';
import { readTokenAccount } from '../../core/tokens/token-account.ts';
import { PRIORITY_TIERS } from '../../core/users/settings.ts';
import { assertAffords, assertSimulation } from '../transactions/check-simulation.ts';
import { compileFitting } from '../transactions/compile-fitting.ts';
import { type NetworkFee, networkFee } from '../transactions/network-fee.ts';
import { type MiddleAccount, untouched } from './middle-accounts.ts';
import type { PricedSwap } from './price-swap.ts';
import type { SwapDeps, SwapRequest } from './swap-request.ts';

/** The cluster's limit per transaction: what the message may use while its real need is measured. */
const MAX_UNITS = 1_400_000;
const TIER = 'normal';

type Simulated = {
  readonly message: CompiledMessage;
  readonly networkLamports: bigint;
  /** Units of the output token that the simulation brought; null when it is SOL, where the network fee is mixed in. */
  readonly simulatedOut: bigint | null;
  /** What the trader's account of the output gained, in lamports where it is SOL. For comparing two swaps with each other. */
  readonly gained: bigint;
};

/**
 * Runs the swap on the chain's present state and gives the message with the compute budget that it needs. Throws PRICE_MOVED
 * when the trader would get less than the minimum, POLICY_DENIED when more would leave the wallet than the request says, and
 * what the simulation's own failure means.
 */
export async function simulateSwap(
  deps: Pick<SwapDeps, 'chain' | 'compiler' | 'programs'>,
  input: {
    readonly user: Address;
    readonly blockhash: Blockhash;
    readonly instructions: readonly Instruction[];
    readonly priced: PricedSwap;
    readonly request: SwapRequest;
    readonly source: Address;
    readonly accountOut: Address;
    readonly middles: readonly MiddleAccount[];
    readonly newAccountRentLamports: bigint;
    /** Accounts of the trader as they were read just before; the rest is read here. */
    readonly known: ReadonlyMap<Address, ChainAccount | null>;
  },
): Promise<Simulated> {
  const { user, instructions, priced, request, source, accountOut } = input;
  const sellsSol = request.mintIn === WSOL_MINT;
  const buysSol = request.mintOut === WSOL_MINT;
  const passed = input.middles.map(({ account }) => account);
  const addresses = [user, ...(sellsSol ? [] : [source]), ...passed, ...(buysSol ? [] : [accountOut])];
  const compile = (fee: Pick<NetworkFee, 'units' | 'microLamportsPerUnit'>): CompiledMessage => {
    const wanted = {
      payer: user,
      blockhash: input.blockhash.blockhash,
      instructions: [...deps.programs.computeBudget(fee), ...instructions],
      lookupTables: priced.lookupTables,
    };
    // An aggregator's swap comes with its tables and keeps them.
    return priced.route.aggregator === undefined
      ? compileFitting(deps.compiler, wanted)
      : deps.compiler.compile(wanted);
  };
  const draft = compile({ units: MAX_UNITS, microLamportsPerUnit: 0n });
  const [price, before, simulation] = await Promise.all([
    deps.chain.priorityPrice(
      contended(instructions, [user, source, accountOut, ...passed]),
      PRIORITY_TIERS[TIER].percentile,
    ),
    statesOf(deps.chain, addresses, input.known),
    deps.chain.simulate(draft.bytes, addresses),
  ]);
  const fee = networkFee({
    units: Math.min(MAX_UNITS, Math.ceil(simulation.unitsConsumed * 1.1) + 300),
    marketPrice: price,
    tier: TIER,
    signatures: draft.signers.length,
  });
  const watched = { addresses, before };
  assertSimulation(simulation, planOf(input), watched, fee.totalLamports);
  assertAffords(simulation, watched, fee.priorityLamports);
  const last = addresses.length - 1;
  const gained = buysSol
    ? (simulation.after[0]?.lamports ?? 0n) - (before[0]?.lamports ?? 0n)
    : unitsOf(simulation.after[last]) - unitsOf(before[last]);
  return {
    message: compile(fee),
    networkLamports: fee.totalLamports,
    simulatedOut: buysSol ? null : gained,
    gained,
  };

  function planOf(given: typeof input): Parameters<typeof assertSimulation>[1] {
    const { route, minOut, amountOut } = given.priced;
    return {
      terms: {
        amountIn: request.amount,
        quotedOut: amountOut,
        minOut,
        platformFeeLamports: 0n,
        priceImpactBps: route.priceImpactBps,
        slippageBps: request.slippageBps,
        route: [],
      },
      expect: {
        maxLamportsOut: (sellsSol ? request.amount : 0n) + given.newAccountRentLamports,
        minLamportsIn: buysSol ? minOut - given.newAccountRentLamports : null,
        tokens: [
          ...(sellsSol ? [] : [{ account: source, mint: request.mintIn, minDelta: -request.amount }]),
          ...untouched(given.middles),
          ...(buysSol ? [] : [{ account: accountOut, mint: request.mintOut, minDelta: priced.minOut }]),
        ],
      },
    };
  }
}

/**
 * What others write too: the pools' accounts. Nobody outbids anybody for the trader's own, and the wrapped-SOL account is
 * made by this very transaction; naming them would ask a question of its own per trader and swap, with the same answer.
 */
function contended(instructions: readonly Instruction[], own: readonly Address[]): readonly Address[] {
  const written = new Set<Address>();
  const made = new Set<Address>(own);
  for (const { programId, accounts } of instructions) {
    if (programId !== SYSTEM_PROGRAM) continue;
    for (const { address } of accounts) made.add(address);
  }
  for (const { accounts } of instructions) {
    for (const { address, writable } of accounts) if (writable && !made.has(address)) written.add(address);
  }
  return [...written];
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

function unitsOf(account: Parameters<typeof readTokenAccount>[0] | null | undefined): bigint {
  return account === null || account === undefined ? 0n : (readTokenAccount(account)?.amount ?? 0n);
}
