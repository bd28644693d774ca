import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { encodeCopyNotice } from '../rules/copy-notice.ts';
import type { CopyTrade } from '../rules/copy-trade.ts';
import type { CopyDeps } from './copy-deps.ts';

/** The try after which the person hears that a sale does not come about. */
const STUCK_TRIES = 3;

/** Says once for each sale that it does not come about, in the caller's transaction. */
export async function tellStuck(
  deps: Pick<CopyDeps, 'clock' | 'ids'>,
  stores: Pick<Stores, 'notices' | 'outbox'>,
  { copyId, userId, mint, tries }: CopyTrade,
): Promise<void> {
  if (tries !== STUCK_TRIES) return;
  const payload = encodeCopyNotice({ copyId, event: 'sale-stuck', code: null, mint });
  await addNotices(deps, stores, [{ userId, intentId: null, kind: 'copy', payload }]);
}
