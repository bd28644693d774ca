export type { TokenProblem } from '../../../core/errors/details.ts';
