import { known } from '@tradepost/solana';
import { declareVenue, NO_STEP_FIELDS } from '../shared/venue-swaps.ts';

/** Meteora DAMM v2's swaps, as a signer sees them. */
export const meteoraDammV2 = declareVenue({
  program: known('cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG'),
  steps: [
    {
      name: 'Meteora DAMM v2',
      discriminator: [248, 198, 158, 145, 225, 117, 135, 200],
      dataBytes: 24,
      tag: 77,
      accounts: 14,
      moreAccounts: 0,
      ...NO_STEP_FIELDS,
      owner: 8,
      ends: () => ({ source: 2, destination: 3 }),
    },
  ],
});
