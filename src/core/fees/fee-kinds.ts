import type { IntentParams } from '../../intents/params.ts';

/** Kinds of intents that carry a platform fee, which an inviter has a share of. */
export const FEE_KINDS: readonly IntentParams['kind'][] = ['buy', 'sell', 'create-token', 'launch'];
