import type { Words } from '../../../compose/texts/words.ts';
import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';

export function tierText(words: Words, tier: PriorityTier): string {
  return words.text(`setting.tier_${tier}`);
}
