import type { IntentKind } from '../../intents/kinds/params.ts';
import { INTENT_KINDS, rulesOf } from '../../intents/kinds/rules.ts';

/** Kinds of intents that carry a platform fee, which an inviter has a share of. */
export const FEE_KINDS: readonly IntentKind[] = INTENT_KINDS.filter((kind) => rulesOf(kind).fee !== null);
