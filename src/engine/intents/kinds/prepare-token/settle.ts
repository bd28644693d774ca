import { readCreation } from '../../../../modules/mint/rules/read-creation.ts';
import { nextKey } from '../../../../modules/mint/use/finish-token.ts';
import { newIntent, stepJob } from '../../../transactions/use/new-intent.ts';
import type { Settlement } from '../../../transactions/use/settlement.ts';
import type { CreateTokenParams } from '../create-token/params.ts';
import type { PrepareTokenParams } from './params.ts';

/**
 * Writes the second half of a creation as an intent, inside the commit that makes the first half final: a crash at any moment
 * leaves either both to be done or the second. The chat message that showed the first half shows the second from here on.
 */
export const settlement: Settlement<PrepareTokenParams> = {
  capture: async (deps, stores, { intent, params: { creation }, attempt, receipt }) => {
    const { userId, walletId } = intent;
    const { mint } = readCreation(attempt.signedTransaction, deps.treasury.address);
    const params: CreateTokenParams = {
      ...creation,
      prepared: {
        mint,
        rentLamports: receipt?.rentLamports ?? creation.mintRentLamports,
        feeLamports: receipt?.feeLamports ?? 0n,
      },
    };
    const inserted = await stores.intents.insert(
      newIntent(deps, {
        id: deps.ids.ulid(),
        userId,
        walletId,
        idemKey: nextKey(intent.id),
        params,
        notBefore: null,
        confirmation: null,
      }),
    );
    if (!inserted.created) return;
    await stores.outbox.add([stepJob(deps, inserted.intent)]);
    const shown = await stores.notices.progressMessage(intent.id);
    if (shown !== null) await stores.notices.setProgressMessage({ ...shown, intentId: inserted.intent.id });
  },
};
