import { known } from '@tradepost/solana';
import { declareVenue, NO_STEP_FIELDS } from '../shared/venue-swaps.ts';

/** Meteora DBC's swaps, as a signer sees them. */
export const meteoraDbc = declareVenue({
  program: known('dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN'),
  steps: [
    {
      name: 'Meteora DBC',
      discriminator: [248, 198, 158, 145, 225, 117, 135, 200],
      dataBytes: 24,
      tag: 78,
      accounts: 15,
      moreAccounts: 0,
      ...NO_STEP_FIELDS,
      owner: 9,
      ends: () => ({ source: 3, destination: 4 }),
    },
  ],
});
