import { createApproveInstruction } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { deriveKey, seedOf } from '@tradepost/local-chain';
import { type Address, type Instruction, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { SourceCount } from '../../../src/modules/trading/rules/source-figures.ts';
import { createAggregatorQuotes } from '../../../src/modules/trading/use/aggregator-quotes.ts';
import { toInstruction } from '../../../src/platform/chain/instruction-codec.ts';
import type {
  Aggregator,
  AggregatorAccounts,
  AggregatorOrder,
  AggregatorTransaction,
} from '../../../src/platform/ports/aggregator.ts';
import type { DeskRig } from './desk-rig.ts';

export type StubOffer = {
  readonly amountOut: bigint;
  /** What its transaction really brings; `amountOut` when it is honest. */
  readonly brings?: bigint;
  /** What its transaction really takes; the order's amount when it is honest. */
  readonly takes?: bigint;
  readonly more?: (accounts: AggregatorAccounts) => readonly Instruction[];
  readonly answer?: (honest: AggregatorTransaction) => AggregatorTransaction;
};

const APPROVED = 1n << 60n;

/**
 * An aggregator whose trades really execute on the local chain without a program of its own: a market maker has approved the
 * trader as a delegate, so two token transfers that the trader alone signs are a swap. Its "router" is the token program,
 * which can do anything with the trader's signature: nothing but the rules under test keeps it from doing so.
 */
export async function createStubAggregator(rig: DeskRig, seed: string, symbol: string) {
  const { programs } = rig;
  const token = rig.token(symbol);
  // Genesis leaves with it what no pool holds.
  const maker = deriveKey(seedOf(seed), 'treasury');
  const ata = (mint: Address, owner: Address) => programs.associatedTokenAddress(owner, mint, TOKEN_PROGRAM);
  await rig.airdrop(maker.address, 500_000_000_000n);
  const wrapped = ata(WSOL_MINT, maker.address);
  const approve = (mint: Address): Instruction =>
    toInstruction(
      createApproveInstruction(
        new PublicKey(ata(mint, maker.address)),
        new PublicKey(rig.wallet),
        new PublicKey(maker.address),
        APPROVED,
      ),
    );
  const { blockhash } = await rig.chain.latestBlockhash();
  const message = rig.compiler.compile({
    payer: maker.address,
    blockhash,
    instructions: [
      programs.createAssociatedTokenAccount({
        payer: maker.address,
        owner: maker.address,
        mint: WSOL_MINT,
        tokenProgram: TOKEN_PROGRAM,
      }),
      programs.transferSol({ from: maker.address, to: wrapped, lamports: 200_000_000_000n }),
      {
        programId: TOKEN_PROGRAM,
        accounts: [{ address: wrapped, signer: false, writable: true }],
        data: new Uint8Array([17]),
      },
      approve(WSOL_MINT),
      approve(token.mint),
    ],
  });
  const bytes = rig.compiler.assemble(message, new Map([[maker.address, maker.sign(message.bytes)]]));
  const sent = await rig.chain.send(bytes);
  if (sent.kind !== 'accepted') throw new Error(JSON.stringify(sent));
  rig.confirmSlots();

  const decimals = (mint: Address) => (mint === WSOL_MINT ? 9 : token.decimals);
  const move = (mint: Address, source: Address, destination: Address, amount: bigint): Instruction =>
    programs.transferToken({
      source,
      destination,
      mint,
      amount,
      owner: rig.wallet,
      decimals: decimals(mint),
      tokenProgram: TOKEN_PROGRAM,
    });
  let offer: StubOffer | null = null;
  const asked: AggregatorOrder[] = [];
  const aggregator: Aggregator = {
    name: 'stub',
    label: 'Stub Router',
    programs: [TOKEN_PROGRAM],
    quote: async (order) => {
      asked.push(order);
      if (offer === null) return null;
      const { amountOut, brings = amountOut, takes = order.amountIn, more, answer } = offer;
      return {
        amountIn: order.amountIn,
        amountOut,
        priceImpactBps: 3,
        hops: [{ mintIn: order.mintIn, mintOut: order.mintOut, parts: [{ name: 'Maker', percent: 100 }] }],
        build: async (accounts) => {
          const { source, destination } = accounts;
          const honest: AggregatorTransaction = {
            kind: 'instructions',
            instructions: [
              move(order.mintIn, source, ata(order.mintIn, maker.address), takes),
              move(order.mintOut, ata(order.mintOut, maker.address), destination, brings),
              ...(more?.(accounts) ?? []),
            ],
            lookupTables: [],
          };
          return answer?.(honest) ?? honest;
        },
      };
    },
  };
  const passedOver: { readonly step: string; readonly err: unknown }[] = [];
  const log = {
    debug: () => undefined,
    warn: (fields: object) => void passedOver.push(fields as (typeof passedOver)[number]),
  };
  const counted: Omit<SourceCount, 'day' | 'quotes'>[] = [];
  const means = {
    aggregators: [aggregator],
    chain: rig.chain,
    programs,
    log,
    hubs: rig.deps.hubs,
    sources: { count: (rows: readonly (typeof counted)[number][]) => void counted.push(...rows) },
  };
  return {
    maker: maker.address,
    counted,
    /** The same, asked for pairs of major tokens alone. */
    forMajors: createAggregatorQuotes({ ...means, majorsAlone: true }),
    asked,
    passedOver,
    aggregatorQuotes: createAggregatorQuotes({ ...means, majorsAlone: false }),
    offers: (next: StubOffer | null) => {
      offer = next;
    },
    reset: () => {
      offer = null;
      passedOver.length = 0;
      counted.length = 0;
    },
    move,
  };
}
