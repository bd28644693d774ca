import type { Job } from '../../platform/worker/job.ts';

/** Tells a person what happened; waits as long as the messenger asks. */
export const noticeSend: Job<'notice.send'> = {
  name: 'notice.send',
  act: 'service',
  everyMs: null,
  handle: (services, { noticeId, intentId }) => services.deliverNotice(noticeId, intentId),
};
