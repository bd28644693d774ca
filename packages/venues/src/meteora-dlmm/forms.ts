import { known } from '@tradepost/solana';
import { declareVenue } from '../shared/venue-swaps.ts';

/** Meteora DLMM's swaps, as a signer sees them. */
export const meteoraDlmm = declareVenue({
  program: known('LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo'),
  steps: [
    {
      name: 'Meteora DLMM swap2',
      // sha256("global:swap2")
      discriminator: [65, 75, 63, 76, 235, 91, 91, 136],
      dataBytes: 28,
      tag: 75,
      accounts: 16,
      moreAccounts: 16,
      // A list of slices of hook accounts, which our pools never have: empty in both.
      fieldsOf: (data) => (data.subarray(24).every((byte) => byte === 0) ? [0, 0, 0, 0] : null),
      fieldBytes: 4,
      isField: (fields) => fields.every((byte) => byte === 0),
      owner: 10,
      ends: () => ({ source: 4, destination: 5 }),
    },
  ],
});
