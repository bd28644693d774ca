import { type Address, type Instruction, toBase58 } from '@tradepost/solana';
import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import type { Chain, MessageCompiler } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import { marketPrice, networkFee } from '../../fees/use/network-fee.ts';
import { MAX_UNITS, unitsToAsk } from '../../transactions/use/measure.ts';

/** The operator's own key, which holds no user's money. */
export type OperatorKey = {
  readonly address: Address;
  readonly sign: (message: Uint8Array) => Uint8Array;
};

export type OperatorDeps = {
  readonly chain: Chain;
  readonly compiler: MessageCompiler;
  readonly programs: Pick<Programs, 'computeBudget'>;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
};

/** Says in one sentence why an errand failed. */
export class LookupTableError extends Error {
  override readonly name = 'LookupTableError';
}

const LOOK_MS = 1_000;
const RESEND_MS = 5_000;
const TIER = 'normal';

/**
 * Simulates, signs and sends, and resends the same bytes until the chain confirms them; gives the signature. Throws a LookupTableError when
 * the simulation or the chain refuses them, or when the blockhash died first. Then nothing of it happened, and running the errand again
 * continues from the chain's state.
 */
export async function landOperatorTransaction(
  deps: OperatorDeps,
  key: OperatorKey,
  instructions: readonly Instruction[],
): Promise<string> {
  const { chain, compiler } = deps;
  const [{ blockhash, lastValidBlockHeight }, price] = await Promise.all([
    chain.latestBlockhash(),
    marketPrice(chain, { payer: key.address }, instructions, TIER),
  ]);
  const compile = (fee: { readonly units: number; readonly microLamportsPerUnit: bigint }) =>
    compiler.compile({
      payer: key.address,
      blockhash,
      instructions: [...deps.programs.computeBudget(fee), ...instructions],
    });
  const simulation = await chain.simulate(compile({ units: MAX_UNITS, microLamportsPerUnit: 0n }).bytes, []);
  if (simulation.err !== null) {
    throw new LookupTableError(
      `The chain would refuse it: ${simulation.err} ${simulation.logs.slice(-2).join(' | ')}`,
    );
  }
  const units = unitsToAsk(simulation);
  const message = compile(networkFee({ units, marketPrice: price, tier: TIER, signatures: 1 }));
  const signed = key.sign(message.bytes);
  const bytes = compiler.assemble(message, new Map([[key.address, signed]]));
  const signature = toBase58(signed);
  let sentAt = NEVER;
  for (let round = 0; ; round += 1) {
    if (elapsedSince(sentAt, deps.clock) >= RESEND_MS) {
      sentAt = markOf(deps.clock);
      await chain.send(bytes);
    }
    await deps.pause(LOOK_MS);
    const [status] = await chain.statuses([signature]);
    if (status !== null && status !== undefined && status.level !== 'processed') {
      if (status.err === null) return signature;
      throw new LookupTableError(`Transaction ${signature} failed on the chain: ${status.err}`);
    }
    const { finalizedHeight, status: found } = await chain.probe(signature, round);
    if (found === null && finalizedHeight > lastValidBlockHeight) {
      throw new LookupTableError(`Transaction ${signature} expired before it landed. Run the command again.`);
    }
  }
}
