import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import type { OutboxRow } from '../store/outbox-store-port.ts';
import { intentJobKey } from './add-notices.ts';

/** Seven characters of 31: with a hundred thousand receipts two alike are improbable, and it can be read out. */
const RECEIPT_LENGTH = 7;

/** A fresh intent in memory: CREATED, unleased. */
export function newIntent(
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  request: Pick<Intent, 'id' | 'userId' | 'walletId' | 'idemKey' | 'params' | 'notBefore' | 'confirmation'>,
): Intent {
  const now = clock.now();
  return {
    ...request,
    receipt: `R-${ids.code(RECEIPT_LENGTH)}`,
    kind: request.params.kind,
    status: 'CREATED',
    leaseOwner: null,
    leaseUntil: null,
    leaseEpoch: 0,
    outcome: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The outbox row that wakes a worker for the intent, when it is due. */
export function stepJob({ ids }: { readonly ids: Ids }, intent: Intent): OutboxRow {
  return {
    id: ids.ulid(),
    job: 'intent.step',
    data: { intentId: intent.id },
    key: intentJobKey(intent.id),
    notBefore: intent.notBefore,
  };
}
