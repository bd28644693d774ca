import type { Settlement } from '../../../transactions/use/settlement.ts';
import type { RevokeAuthorityParams } from './params.ts';

/** Writes down that the authority is gone. */
export const settlement: Settlement<RevokeAuthorityParams> = {
  capture: async ({ clock }, stores, { params, attempt, receipt }) => {
    const { signature } = attempt;
    await stores.createdTokens.markRevoked(params.mint, params.authority, {
      signature,
      at: receipt?.landedAt ?? clock.now(),
    });
  },
};
