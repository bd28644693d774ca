import type { Feature } from '../platform/telegram/feature.ts';
import type { FeatureDeps } from './bot-deps.ts';
import { MODULES } from './modules.ts';

/** Everything the bot can do. Handlers, menu and dialogues derive from this list. */
export function createFeatures(deps: FeatureDeps): readonly Feature[] {
  return MODULES.flatMap(({ features = [] }) => features.map((create) => create(deps)));
}
