import { VersionedTransaction } from '@solana/web3.js';
import { fromBase58, toBase58 } from '@tradepost/solana';
import { expect } from 'vitest';
import type { AggregatorQuotes } from '../../../src/modules/trading/use/aggregator-quotes.ts';
import { buildApi, post, SOL } from '../../api/build-api.ts';
import { startDeskRig } from './desk-rig.ts';
import { createStubAggregator } from './stub-aggregator.ts';

export type SwapData = {
  readonly tx: string;
  readonly toTokenAmount: string;
  readonly minReceiveAmount: string;
  readonly bestRouter: unknown;
};

/** The REST API over a local chain, with a stub aggregator beside our own router, or with `others` in its place. */
export async function startAggregatorRig(seed: string, others?: () => AggregatorQuotes) {
  const rig = await startDeskRig(seed);
  const stub = await createStubAggregator(rig, seed, 'PUP');
  const api = buildApi({
    ...rig,
    deps: { ...rig.deps, aggregatorQuotes: others === undefined ? stub.aggregatorQuotes : late(others) },
  });
  const body = (more: object = {}) => ({
    userWalletAddress: rig.wallet,
    fromTokenAddress: SOL,
    toTokenAddress: rig.token('PUP').mint,
    amount: '1000000000',
    slippageBps: 100,
    ...more,
  });
  const swap = async (more: object = {}): Promise<SwapData> => {
    const answer = await post(api.open, body(more));
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ data: SwapData }>().data;
  };
  return {
    rig,
    stub,
    api,
    body,
    swap,
    units: async (mint: string): Promise<bigint> =>
      (await rig.chain.holdings(rig.wallet)).find((holding) => holding.mint === mint)?.amount ?? 0n,
    /** Signs and sends; the chain's error, or null when it landed. */
    submit: async (tx: string): Promise<string | null> => {
      const transaction = VersionedTransaction.deserialize(fromBase58(tx) ?? new Uint8Array());
      transaction.sign([rig.keypair]);
      const outcome = await rig.chain.send(transaction.serialize());
      if (outcome.kind === 'refused') return outcome.err;
      rig.confirmSlots();
      const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
      return landed?.err ?? null;
    },
    /** What our own router gives for the same, to be beaten. */
    ownOut: async (more: object = {}): Promise<bigint> => {
      stub.offers(null);
      return BigInt((await swap(more)).toTokenAmount);
    },
    stop: async () => {
      await api.close();
      await rig.stop();
    },
  };
}

export type AggregatorRig = Awaited<ReturnType<typeof startAggregatorRig>>;

/** AggregatorQuotes that are opened after the API is. */
function late(aggregatorQuotes: () => AggregatorQuotes): AggregatorQuotes {
  return {
    get programs() {
      return aggregatorQuotes().programs;
    },
    offers: (order) => aggregatorQuotes().offers(order),
    show: (...args) => aggregatorQuotes().show(...args),
    build: (...args) => aggregatorQuotes().build(...args),
    passedOver: (...args) => aggregatorQuotes().passedOver(...args),
    compared: (...args) => aggregatorQuotes().compared(...args),
  };
}
