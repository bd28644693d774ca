import { type Address, TOKEN_PROGRAM } from '@tradepost/solana';
import type { Pool, PoolSwap } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { decodeInstruction } from '../../../src/engine/signing/rules/decode-instruction.ts';
import type { Route } from '../../../src/modules/trading/rules/route.ts';
import type { IntermediateAccount } from '../../../src/modules/trading/use/intermediate-accounts.ts';
import { nameSource, routeInstructions } from '../../../src/modules/trading/use/route-instructions.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf } from '../../engine/intents/build.ts';

const [OWNER, SOURCE, DESTINATION] = [addressOf(1), addressOf(2), addressOf(3)];
const [IN, INTERMEDIATE, OUT] = [addressOf(10), addressOf(11), addressOf(12)];

describe('the instructions of a route', () => {
  it('tell each swap what its destination surely holds before it', () => {
    const orders: PoolSwap[] = [];
    const pool = {
      swap: (order: PoolSwap) => {
        orders.push(order);
        return [];
      },
    } as unknown as Pool;
    const leg = (mintIn: Address, mintOut: Address, amountIn: bigint, amountOut: bigint) => ({
      pool,
      mintIn,
      mintOut,
      amountIn,
      amountOut,
      shareBps: 0,
      leastOut: null,
    });
    const legs = [
      leg(IN, INTERMEDIATE, 60n, 600n),
      leg(IN, INTERMEDIATE, 30n, 300n),
      leg(INTERMEDIATE, OUT, 880n, 88n),
      leg(IN, OUT, 10n, 9n),
    ];
    const route = { mintIn: IN, mintOut: OUT, intermediates: [INTERMEDIATE], legs } as unknown as Route;
    const intermediate: IntermediateAccount = {
      token: { mint: INTERMEDIATE, tokenProgram: TOKEN_PROGRAM } as IntermediateAccount['token'],
      account: addressOf(4),
      held: 5n,
      opens: false,
      closes: false,
      rentLamports: 0n,
    };
    routeInstructions(
      createPrograms(),
      { route, minimums: [590n, 290n, 87n, 8n] },
      {
        owner: OWNER,
        source: SOURCE,
        destination: DESTINATION,
        destinationHolds: 1_000n,
        sourceHolds: 150n,
        wrapped: null,
        tokenAccountRent: 1_488_440n,
        intermediates: [intermediate],
      },
    );
    expect(orders.map(({ source, sourceHolds }) => [source, sourceHolds])).toEqual([
      [SOURCE, 150n],
      [SOURCE, 90n],
      [intermediate.account, 885n],
      [SOURCE, 60n],
    ]);
    expect(
      orders.map(({ destination, minOut, destinationHolds }) => [destination, minOut, destinationHolds]),
    ).toEqual([
      [intermediate.account, 590n, 5n],
      [intermediate.account, 290n, 595n],
      [DESTINATION, 87n, 1_000n],
      [DESTINATION, 8n, 1_087n],
    ]);
  });

  it('count what a swap takes out of the middle again', () => {
    const orders: PoolSwap[] = [];
    const pool = {
      swap: (order: PoolSwap) => {
        orders.push(order);
        return [];
      },
    } as unknown as Pool;
    const hop = (mintIn: Address, mintOut: Address, amountIn: bigint) => ({
      pool,
      mintIn,
      mintOut,
      amountIn,
    });
    const legs = [hop(IN, INTERMEDIATE, 1n), hop(INTERMEDIATE, OUT, 100n), hop(IN, INTERMEDIATE, 1n)];
    const route = { mintIn: IN, mintOut: OUT, intermediates: [INTERMEDIATE], legs } as unknown as Route;
    const intermediates = [
      { token: { mint: INTERMEDIATE, tokenProgram: TOKEN_PROGRAM }, account: addressOf(4), held: 7n },
    ] as unknown as IntermediateAccount[];
    const ends = { owner: OWNER, source: SOURCE, destination: DESTINATION, destinationHolds: 0n };
    routeInstructions(
      createPrograms(),
      { route, minimums: [100n, 1n, 50n] },
      {
        ...ends,
        wrapped: null,
        tokenAccountRent: 1n,
        intermediates: intermediates.map((one) => ({ ...one, closes: false })),
      },
    );
    expect(orders.map(({ destinationHolds }) => destinationHolds)).toEqual([7n, 0n, 7n]);
  });
});

describe('the account that is sold from', () => {
  const programs = createPrograms();
  const token = { mint: IN, tokenProgram: TOKEN_PROGRAM, decimals: 6 };

  it('is named by a transfer to itself where it is not the one that follows from the wallet’s address', () => {
    const associated = programs.associatedTokenAddress(OWNER, IN, TOKEN_PROGRAM);
    expect(nameSource(programs, { owner: OWNER, token, source: associated, amountIn: 5n })).toEqual([]);
    const named = nameSource(programs, { owner: OWNER, token, source: SOURCE, amountIn: 5n });
    expect(named.map(decodeInstruction)).toMatchObject([
      { kind: 'transfer-token', source: SOURCE, destination: SOURCE, mint: IN, authority: OWNER, amount: 5n },
    ]);
  });
});
