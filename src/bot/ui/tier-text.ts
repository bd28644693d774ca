import type { PriorityTier } from '../../core/users/settings.ts';
import type { Words } from '../locales/words.ts';

export function tierText(words: Words, tier: PriorityTier): string {
  return words.text(`setting.tier_${tier}`);
}
