import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import type { Copy, CopyPause } from '../rules/copy.ts';
import { encodeCopyNotice } from '../rules/copy-notice.ts';
import type { CopyDeps } from './copy-deps.ts';

/** Pauses a copy that the caller has locked, and says why to its person, in the caller's transaction. Nothing where it is not on. */
export async function pauseLocked(
  deps: Pick<CopyDeps, 'clock' | 'ids'>,
  stores: Pick<Stores, 'copies' | 'notices' | 'outbox'>,
  copy: Copy,
  reason: CopyPause,
): Promise<void> {
  if (copy.status !== 'ON') return;
  const { id: copyId, userId } = copy;
  if (!(await stores.copies.save(passFree('service', null), { ...copy, status: 'PAUSED', reason }))) return;
  const payload = encodeCopyNotice({ copyId, event: 'paused', code: reason, mint: null });
  await addNotices(deps, stores, [{ userId, intentId: null, kind: 'copy', payload }]);
}
