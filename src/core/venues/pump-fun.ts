import { address } from '../address/address.ts';
import { declareVenue, NO_FIELDS } from './venue-swaps.ts';

/** What pump.fun's swaps look like to whoever signs them. */
export const pumpFun = declareVenue({
  program: address('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'),
  alone: [
    // pump.fun buy_exact_sol_in. The last byte counts the purchase towards the trader's volume.
    {
      discriminator: [56, 252, 116, 8, 158, 223, 205, 95],
      dataBytes: 25,
      accounts: 18,
      fieldsOf: NO_FIELDS,
      owner: 6,
      ends: () => ({ source: 'lamports', destination: 5 }),
    },
    // pump.fun sell.
    {
      discriminator: [51, 230, 133, 164, 1, 127, 131, 173],
      dataBytes: 24,
      accounts: 16,
      fieldsOf: NO_FIELDS,
      owner: 6,
      ends: () => ({ source: 5, destination: 'lamports' }),
    },
  ],
});
