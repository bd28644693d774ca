import type { IntentKind } from '../../intents/params.ts';
import { INTENT_KINDS, rulesOf } from '../../intents/rules.ts';

/** Kinds of intents that carry a platform fee, which an inviter has a share of. */
export const FEE_KINDS: readonly IntentKind[] = INTENT_KINDS.filter((kind) => rulesOf(kind).fee !== null);
