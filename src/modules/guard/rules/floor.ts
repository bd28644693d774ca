import type { PriorityTier } from '../../settings/rules/settings.ts';

/** The priority of a sale that no limit of spending has room for. Its cap is small, so many such sales cost little. */
export const FLOOR_TIER: PriorityTier = 'economy';
