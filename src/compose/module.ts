import type { Route } from '../platform/http/route.ts';
import type { Page } from '../platform/http/site/page.ts';
import type { JobName } from '../platform/ports/job-queue.ts';
import type { Feature } from '../platform/telegram/feature.ts';
import type { Job } from '../platform/worker/job.ts';
import type { FeatureDeps } from './bot-deps.ts';

/** The parts that a noun plugs in. Its face declares one, and `compose/modules.ts` lists all. */
export type Module = {
  readonly name: string;
  /** Commands, taps, forms and typed readers of the chat. */
  readonly features?: readonly ((deps: FeatureDeps) => Feature)[];
  /** Endpoints of the API, in the order of its documents. */
  readonly routes?: readonly Route[];
  /** Public pages of the open host. */
  readonly pages?: readonly Page[];
  readonly jobs?: { readonly [N in JobName]?: Job<N> };
};
