import { known } from '@tradepost/solana';
import { declareVenue, NO_FIELDS, NO_STEP_FIELDS } from '../shared/venue-swaps.ts';

/** Raydium AMM v4's swaps, as a signer sees them. */
export const raydiumAmmV4 = declareVenue({
  program: known('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'),
  steps: [
    {
      name: 'Raydium AMM v4, long form',
      discriminator: [9],
      dataBytes: 17,
      tag: 7,
      accounts: 17,
      moreAccounts: 0,
      ...NO_STEP_FIELDS,
      owner: 16,
      ends: () => ({ source: 14, destination: 15 }),
    },
  ],
  alone: [
    // Raydium AMM v4, short form.
    {
      discriminator: [16],
      dataBytes: 17,
      accounts: 8,
      fieldsOf: NO_FIELDS,
      owner: 7,
      ends: () => ({ source: 5, destination: 6 }),
    },
  ],
});
