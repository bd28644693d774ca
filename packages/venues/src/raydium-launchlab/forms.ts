import { known } from '@tradepost/solana';
import { declareVenue } from '../shared/venue-swaps.ts';

/** No share of the fees for a third party. */
const noShare = (data: Uint8Array): readonly number[] | null =>
  data.subarray(24).every((byte) => byte === 0) ? [] : null;

/** Raydium LaunchLab's swaps, as a signer sees them. */
export const raydiumLaunchlab = declareVenue({
  program: known('LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj'),
  alone: [
    // Raydium LaunchLab buy_exact_in.
    {
      discriminator: [250, 234, 13, 123, 213, 156, 19, 236],
      dataBytes: 32,
      accounts: 18,
      fieldsOf: noShare,
      owner: 0,
      ends: () => ({ source: 6, destination: 5 }),
    },
    // Raydium LaunchLab sell_exact_in.
    {
      discriminator: [149, 39, 222, 155, 211, 124, 152, 26],
      dataBytes: 32,
      accounts: 18,
      fieldsOf: noShare,
      owner: 0,
      ends: () => ({ source: 5, destination: 6 }),
    },
  ],
});
