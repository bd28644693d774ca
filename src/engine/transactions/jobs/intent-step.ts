import type { Job } from '../../../platform/worker/job.ts';

/** Carries one intent on; comes again until it is final. */
export const intentStep: Job<'intent.step'> = {
  name: 'intent.step',
  act: 'service',
  everyMs: null,
  handle: (services, { intentId }) => services.stepIntent(intentId),
};
