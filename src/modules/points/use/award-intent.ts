import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { EarnReason } from '../../../engine/ledger/rules/entry.ts';
import { earnTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { pointsForIntent, rulesAt } from '../rules/rules.ts';

/**
 * Points for an intent that became final, in the very commit that books its fee: by the fee that arrived, and for tokens created
 * or launched. By the rules in force now. A repeat posts nothing; the service's own intents earn nothing.
 */
export async function awardIntent(
  deps: { readonly clock: Clock; readonly ids: Ids },
  stores: Pick<Stores, 'ledger'>,
  final: {
    readonly intent: Pick<Intent, 'id' | 'kind' | 'userId'>;
    readonly signature: string;
    readonly feeLamports: bigint;
  },
): Promise<void> {
  const { intent, signature } = final;
  const { userId } = intent;
  if (userId === null) return;
  const createdAt = deps.clock.now();
  const { byFee, byKind } = pointsForIntent(rulesAt(createdAt), intent.kind, final.feeLamports);
  const earned: readonly (readonly [EarnReason, bigint])[] = [
    ['points-trade', byFee],
    ['points-token', byKind],
  ];
  const transfers = earned
    .filter(([, points]) => points > 0n)
    .map(([reason, points]) =>
      earnTransfer(
        { id: deps.ids.ulid(), createdAt },
        { userId, reason, key: `${reason}/${signature}`, ref: intent.id, points },
      ),
    );
  if (transfers.length > 0) await stores.ledger.postAll(transfers);
}
