import type { Doubt } from '../../../core/errors/details.ts';

export type { Doubt } from '../../../core/errors/details.ts';
/**
 * Reasons against a token. `young`: no source shows that it is a day old. `home-made`: a person made it with this service. `poor-exit`: a
 * rehearsed purchase could not be sold again for 85 % of its cost.
 */
export const DOUBTS: readonly Doubt[] = ['young', 'home-made', 'poor-exit'];
