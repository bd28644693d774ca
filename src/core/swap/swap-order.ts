import type { Address } from '../address/address.ts';

/** Sell exactly `amountIn` units of one mint for another. */
export type SwapOrder = { readonly mintIn: Address; readonly mintOut: Address; readonly amountIn: bigint };
