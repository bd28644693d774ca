import type { InputSchema } from './operation.ts';
import type { Arguments } from './service.ts';

/** One tool, as an agent sees it, with its work. `run` rejects with ServiceError or PaperError where it refuses. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: InputSchema;
  /** It changes nothing, not even paper money. */
  readonly isReadOnly: boolean;
  readonly run: (input: Arguments, signal: AbortSignal) => Promise<unknown>;
};
