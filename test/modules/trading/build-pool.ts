import { type Address, addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { address } from '../../../src/core/address/address.ts';

export const TOKEN: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** A plain constant product with a fee in bps, rounded as such venues round: for the rules that stand above venues. */
export function buildPool(
  input: {
    readonly id?: number;
    readonly token?: bigint;
    readonly sol?: bigint;
    readonly feeBps?: bigint;
    readonly slot?: bigint;
    readonly mints?: readonly [Address, Address];
    /** Makes the pool one that can be split over; its swap names this many accounts of its own. */
    readonly accounts?: number;
  } = {},
): Pool {
  const mints = input.mints ?? [TOKEN, WSOL_MINT];
  const reserves = [input.token ?? 1_000_000_000n, input.sol ?? 1_000_000_000n] as const;
  const feeBps = input.feeBps ?? 25n;
  const sides = (mintIn: Address) => (mintIn === mints[0] ? reserves : ([reserves[1], reserves[0]] as const));
  return {
    id: addressFromBytes(new Uint8Array(32).fill(input.id ?? 1)),
    venue: 'test',
    label: `Pool ${input.id ?? 1}`,
    mints,
    slot: input.slot ?? 7n,
    quote: (mintIn, amountIn) => {
      const [reserveIn, reserveOut] = sides(mintIn);
      const net = (amountIn * (10_000n - feeBps)) / 10_000n;
      return reserveIn + net === 0n ? 0n : (net * reserveOut) / (reserveIn + net);
    },
    spot: (mintIn) => {
      const [reserveIn, reserveOut] = sides(mintIn);
      return { numerator: reserveOut * (10_000n - feeBps), denominator: reserveIn * 10_000n };
    },
    ...(input.accounts === undefined ? {} : shapeOf(reserves, feeBps)),
    swap: ({ owner, source, destination }) => {
      if (input.accounts === undefined) throw new Error('this pool only quotes');
      const own = Array.from({ length: input.accounts }, (_, index) =>
        addressFromBytes(new Uint8Array(32).fill(input.id ?? 1).fill(index + 1, 0, 4)),
      );
      const account = (key: Address, signer = false) => ({ address: key, signer, writable: true });
      return [
        {
          programId: TOKEN,
          accounts: [account(owner, true), ...[source, destination, ...own].map((key) => account(key))],
          data: new Uint8Array(24),
        },
      ];
    },
  };
}

function shapeOf(reserves: readonly [bigint, bigint], feeBps: bigint): Pick<Pool, 'shape' | 'gains'> {
  const gain = { in: 1 - Number(feeBps) / 10_000, out: 1 };
  return { shape: { kind: 'constant-product', reserves }, gains: [gain, gain] };
}
