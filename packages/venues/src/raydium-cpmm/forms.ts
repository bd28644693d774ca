import { known } from '@tradepost/solana';
import { declareVenue, NO_STEP_FIELDS } from '../shared/venue-swaps.ts';

/** Raydium CPMM's swaps, as a signer sees them. */
export const raydiumCpmm = declareVenue({
  program: known('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'),
  steps: [
    {
      name: 'Raydium CPMM',
      // sha256("global:swap_base_input")
      discriminator: [143, 190, 90, 218, 196, 30, 51, 222],
      dataBytes: 24,
      tag: 46,
      accounts: 13,
      moreAccounts: 0,
      ...NO_STEP_FIELDS,
      owner: 0,
      ends: () => ({ source: 4, destination: 5 }),
    },
  ],
});
