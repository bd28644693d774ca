import { known } from '@tradepost/solana';
import { declareVenue } from '../shared/venue-swaps.ts';

/** Raydium CLMM's swaps, as a signer sees them. */
export const raydiumClmm = declareVenue({
  program: known('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK'),
  steps: [
    {
      name: 'Raydium CLMM swap_v2',
      discriminator: [43, 4, 237, 11, 26, 201, 30, 98],
      dataBytes: 41,
      tag: 40,
      accounts: 13,
      // The bitmap's extension, and the arrays of ticks that the order may reach.
      moreAccounts: 4,
      // The price limit, left out, and that the amount is the input's: a step says neither and means both.
      fieldsOf: (data) => (data.subarray(24, 40).every((byte) => byte === 0) && data[40] === 1 ? [] : null),
      fieldBytes: 0,
      isField: () => true,
      owner: 0,
      ends: () => ({ source: 3, destination: 4 }),
    },
  ],
});
