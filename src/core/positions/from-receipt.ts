import { rulesOf } from '../../intents/rules.ts';
import type { RecordedEvent } from '../ports/position-store.ts';
import { classify } from './classify.ts';
import type { ReceiptFacts } from './receipt-movements.ts';

/**
 * The events of what the service itself signed, from chain data. Wrapped SOL is money and no position. A creation's cost is what
 * left the wallet less the rent of the holder's account, which comes back when that is closed; the first half of a creation in
 * two is a part of it.
 */
export function eventsOfReceipt(facts: ReceiptFacts): readonly RecordedEvent[] {
  const { intent, receipt } = facts;
  const costs = {
    intentId: intent.id,
    networkFeeLamports: receipt.feeLamports,
    platformFeeLamports: receipt.platformFeeLamports,
    rentLamports: receipt.rentLamports,
  };
  const free = { ...costs, networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
  const movements = rulesOf(intent.params.kind).movementsOf?.(intent.params, facts) ?? [];
  return movements.flatMap((movement, index) => {
    const event = classify(movement);
    // The costs stand once, at what the person asked for: the first movement.
    return event === null ? [] : [{ ...event, ...(index === 0 ? costs : free) }];
  });
}
